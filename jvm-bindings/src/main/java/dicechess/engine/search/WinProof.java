package dicechess.engine.search;

import dicechess.engine.NativeEngineException;
import dicechess.engine.domain.GameState;
import dicechess.engine.internal.GameStateAccess;
import dicechess.engine.internal.NativeBridge;
import dicechess.engine.internal.ProofDecoder;

/**
 * A search for the turn with the greatest probability of capturing the king first, which stops as
 * soon as it has a proof. No evaluator takes part.
 *
 * <p>It looks further ahead turn by turn. A line that is undecided at the horizon counts once as
 * lost and once as won, which encloses the true probability under best play; a deeper horizon
 * narrows the bracket. When the lower bound of one turn is at least the upper bound of every other,
 * no depth can change that any more. The proof names a best turn; turns of exactly equal value stay
 * unresolved.
 *
 * <p>Thread-safe: calls are independent. Each that runs at the same time takes some 13 megabytes of
 * native memory, which are kept for the next.
 */
public final class WinProof {
  /** The furthest horizon, in turns after the own one. */
  public static final int MAX_HORIZON = 32;

  private WinProof() {}

  /**
   * Finds the turn that is proven best, or the best by what the control allows to prove.
   *
   * @param state a position with its dice, both kings on the board
   * @param maxHorizon turns to look ahead at most, 1 to {@value #MAX_HORIZON}: 1 is the opponent's
   *     reply, 2 adds the own reply to that. The work grows ten to some hundred times with each
   * @param control when to give up
   * @param seed decides between turns with the same bracket
   * @return the turn, or none for a forced pass, with the bracket of every turn
   * @throws IllegalArgumentException if an argument is null or the horizon out of its range, or the
   *     state has no dice or lacks a king
   * @throws IllegalStateException if another call is using the budget
   * @throws OutOfMemoryError if there are too many turns to list, as {@code JvmApi.legalTurns}
   *     says, or memory does not hold them
   * @throws NativeEngineException if memory does not hold the turns of a reply
   */
  public static ProofResult find(
      GameState state, int maxHorizon, SearchControl control, long seed) {
    long[] words = GameStateAccess.wordsOf(state);
    requireHorizon("maxHorizon", maxHorizon);
    SearchControl.require(control);
    return ProofDecoder.decode(
        control.run(
            limits ->
                NativeBridge.proveTurn(
                    words, maxHorizon, seed, limits, control.cancelFlag(), control.clock())));
  }

  /**
   * Encloses the win probability of a position before the roll.
   *
   * @param state a position without dice, both kings on the board; its side to move is about to
   *     roll
   * @param perspective whose probability: 0 White, 1 Black
   * @param horizon turns to look ahead, 1 to {@value #MAX_HORIZON}
   * @param control when to give up
   * @return the bracket of the last horizon that was completed; from 0 to 1 if none was
   * @throws IllegalArgumentException if an argument is null or out of its range, dice are left, or
   *     the state lacks a king
   * @throws IllegalStateException if another call is using the budget
   * @throws NativeEngineException if memory does not hold the turns of a reply
   */
  public static Bracket bracket(
      GameState state, int perspective, int horizon, SearchControl control) {
    long[] words = GameStateAccess.wordsOf(state);
    requireHorizon("horizon", horizon);
    SearchControl.require(control);
    return ProofDecoder.bracket(
        control.run(
            limits ->
                NativeBridge.winBracket(
                    words, perspective, horizon, limits, control.cancelFlag(), control.clock())),
        0);
  }

  private static void requireHorizon(String name, int turns) {
    if (turns < 1 || turns > MAX_HORIZON) {
      throw new IllegalArgumentException(name + " must be 1 to " + MAX_HORIZON + ": " + turns);
    }
  }
}
