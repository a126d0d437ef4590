package dicechess.engine.search;

import dicechess.engine.domain.GameState;
import java.util.List;

/**
 * The turn that a search chose.
 *
 * @param uci one to three micro-moves in UCI notation such as {@code e2e4}, {@code e7e8q}, {@code
 *     e1g1}; unmodifiable
 * @param finalState the position after the turn but before its end: the same side is to move, and
 *     dice that could not be spent are still in the pool
 * @param score the value as an integer, in centipawns, rounded towards zero; {@link
 *     Integer#MAX_VALUE} captures the king
 * @param source where the score comes from
 * @param outcome what the search proved about the best value among the selected candidates
 */
public record BestTurn(
    List<String> uci, GameState finalState, int score, ScoreSource source, SearchOutcome outcome) {

  /**
   * Makes a turn.
   *
   * @param uci micro-moves, copied
   * @param finalState the position after the turn
   * @param score the score
   * @param source where it comes from
   * @param outcome what was proved
   */
  public BestTurn {
    uci = List.copyOf(uci);
  }
}
