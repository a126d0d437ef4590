package dicechess.engine.search;

import java.util.List;
import java.util.Optional;

/**
 * The answer of a proof search.
 *
 * @param best the chosen turn; empty only for a forced pass
 * @param stats what was done
 * @param turns one turn for each distinct position, best bracket first; none for a forced pass or a
 *     king capture; unmodifiable
 */
public record ProofResult(Optional<ProofTurn> best, ProofStats stats, List<BracketedTurn> turns) {
  /**
   * Makes an answer.
   *
   * @param best the chosen turn
   * @param stats what was done
   * @param turns copied
   */
  public ProofResult {
    turns = List.copyOf(turns);
  }
}
