package dicechess.engine.search;

/**
 * Blends a second opinion on the position after a candidate into its value: {@code (1 − weight) ·
 * search + weight · rescore}. A candidate that loses the king on some roll keeps its search value.
 *
 * @param evaluator scores the candidates' positions, in one batch
 * @param weight from 0, which never calls the evaluator, to 1
 */
public record RootRescore(Evaluator evaluator, double weight) {
  /**
   * Makes a rescore.
   *
   * @param evaluator not null
   * @param weight 0 to 1
   * @throws IllegalArgumentException if the evaluator is null, or the weight is outside its range
   */
  public RootRescore {
    if (evaluator == null) {
      throw new IllegalArgumentException("evaluator must not be null");
    }
    if (!(weight >= 0 && weight <= 1)) {
      throw new IllegalArgumentException("weight must be 0 to 1: " + weight);
    }
  }
}
