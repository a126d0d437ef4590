package dicechess.engine.search;

import java.util.List;

/**
 * A turn that was selected for a search, and what was found of it.
 *
 * @param uci its micro-moves, unmodifiable
 * @param preRank the pre-ranker's value, 0 without a pre-ranker
 * @param outcome what was proved of it; {@link SearchOutcome.Incomplete} for a turn that was not
 *     finished or not reached
 * @param lossTainted whether the mover's king is lost on some roll that the outcome stands for
 */
public record RankedTurn(
    List<String> uci, double preRank, SearchOutcome outcome, boolean lossTainted) {
  /**
   * Makes a turn.
   *
   * @param uci micro-moves, copied
   * @param preRank the pre-ranker's value
   * @param outcome what was proved
   * @param lossTainted whether a king is lost on some roll
   */
  public RankedTurn {
    uci = List.copyOf(uci);
  }
}
