package dicechess.engine.search;

/** Where the score of a {@link BestTurn} comes from. */
public enum ScoreSource {
  /** The turn captures the king; the score is {@link Integer#MAX_VALUE}. */
  CAPTURE,

  /** The search finished this candidate; the score is its expected value. */
  SEARCH,

  /** No candidate was finished; the score is the pre-ranker's, a look at the position alone. */
  PRE_RANK
}
