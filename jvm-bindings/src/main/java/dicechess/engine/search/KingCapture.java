package dicechess.engine.search;

import dicechess.engine.domain.GameState;
import dicechess.engine.internal.GameStateAccess;
import dicechess.engine.internal.MicroMoves;
import dicechess.engine.internal.NativeBridge;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Whether a king can be captured, answered without listing turns. */
public final class KingCapture {
  private static final int CUT_SHORT = -1;

  private KingCapture() {}

  /**
   * Counts the rolls on which the opponent of a side could capture its king in one turn, from the
   * board as it stands; whose turn it is and the dice play no part.
   *
   * @param state the position
   * @param defender whose king: 0 White, 1 Black
   * @param budget charged for the work; its use is added to what earlier calls used
   * @return the count, 0 to 216; 0 at no cost when the side has no king
   * @throws IllegalArgumentException if an argument is null or the defender is no side
   * @throws IllegalStateException if another call is using the budget
   */
  public static RulesOutcome<Integer> rolls(GameState state, int defender, Budget budget) {
    long[] words = GameStateAccess.wordsOf(state);
    return within(
        budget,
        counts -> {
          int rolls = NativeBridge.kingCaptureRolls(words, defender, counts);
          return rolls == CUT_SHORT
              ? new RulesOutcome.Incomplete<>(counts[Budget.USED])
              : new RulesOutcome.Complete<>(rolls, counts[Budget.USED]);
        });
  }

  /**
   * Finds the first turn in canonical order that captures the enemy king.
   *
   * @param state the position with its dice
   * @param budget charged for the work; its use is added to what earlier calls used
   * @return the micro-moves of the turn, or the proof that there is none (empty)
   * @throws IllegalArgumentException if an argument is null
   * @throws IllegalStateException if another call is using the budget
   */
  public static RulesOutcome<Optional<List<String>>> path(GameState state, Budget budget) {
    long[] words = GameStateAccess.wordsOf(state);
    return within(
        budget,
        counts -> {
          long turn = NativeBridge.kingCapturePath(words, counts);
          return turn == CUT_SHORT
              ? new RulesOutcome.Incomplete<>(counts[Budget.USED])
              : new RulesOutcome.Complete<>(
                  turn == 0 ? Optional.empty() : Optional.of(MicroMoves.turn(turn)),
                  counts[Budget.USED]);
        });
  }

  private static <T> T within(Budget budget, Function<long[], T> query) {
    Budget.require(budget);
    NativeBridge.requireLoaded();
    long[] counts = new long[Budget.WORDS];
    budget.enter(counts);
    try {
      return query.apply(counts);
    } finally {
      budget.leave(counts);
    }
  }
}
