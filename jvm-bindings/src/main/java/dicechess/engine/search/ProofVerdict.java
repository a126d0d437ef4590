package dicechess.engine.search;

// Native code knows these by their ordinal: the order is part of the boundary.
/** Why a proof search stopped. */
public enum ProofVerdict {
  /** No turn is better than the chosen one. Another may be as good. */
  PROVEN,
  /** The horizon was searched. */
  HORIZON_REACHED,
  /** The budget, the deadline or a cancellation ended the search. */
  CANCELLED
}
