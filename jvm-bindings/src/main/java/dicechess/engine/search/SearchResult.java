package dicechess.engine.search;

import java.util.Optional;

/**
 * The answer of a search.
 *
 * @param best the chosen turn; empty only for a forced pass, when the roll has no legal turn
 * @param stats what the search did, all zero for a forced pass
 */
public record SearchResult(Optional<BestTurn> best, RootSearchStats stats) {
  /**
   * Whether the roll has no legal turn, so that the other side is to roll.
   *
   * @return true if {@link #best()} is empty
   */
  public boolean isForcedPass() {
    return best.isEmpty();
  }
}
