package dicechess.engine.search;

import dicechess.engine.domain.GameState;
import java.util.List;

/**
 * The turn that a proof search chose: with the greatest lower bound, of those with the greatest
 * upper bound, of those by the seed.
 *
 * @param uci its micro-moves, unmodifiable
 * @param finalState the position after the turn, before its end
 * @param bracket bounds of the mover's win probability after it
 * @param verdict whether it is proven best
 */
public record ProofTurn(
    List<String> uci, GameState finalState, Bracket bracket, ProofVerdict verdict) {
  /**
   * Makes a turn.
   *
   * @param uci micro-moves, copied
   * @param finalState the position after the turn
   * @param bracket bounds of the probability
   * @param verdict whether it is proven best
   */
  public ProofTurn {
    uci = List.copyOf(uci);
  }
}
