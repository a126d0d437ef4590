package dicechess.engine.search;

import java.util.List;

/**
 * The answer of a search with every candidate.
 *
 * @param result the chosen turn and the statistics
 * @param candidates the selected turns in the order of the pre-ranker; none for a forced pass or a
 *     king capture; unmodifiable
 */
public record RankedResult(SearchResult result, List<RankedTurn> candidates) {
  /**
   * Makes an answer.
   *
   * @param result the chosen turn and the statistics
   * @param candidates copied
   */
  public RankedResult {
    candidates = List.copyOf(candidates);
  }
}
