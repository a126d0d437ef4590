package dicechess.engine.search;

// Native code knows these by their ordinal: the order is part of the boundary.
/**
 * A built-in evaluator of the positions where a search ends, in centipawns. In a search its values
 * saturate at −10000 and 10000, the ends of the range of a position that is not decided.
 */
public enum LeafEvaluator implements Evaluator {
  /**
   * Own pieces minus enemy pieces: pawn 100, knight and bishop 300, rook 500, queen 900, king
   * 10000.
   */
  MATERIAL,

  /** Material, minus 2000 if an own king is attacked. */
  STANDARD,

  /**
   * Standard, plus what presses on the enemy king: advanced pawns, pieces near it, pieces that
   * attack the squares around it.
   */
  AGGRESSIVE
}
