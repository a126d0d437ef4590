package dicechess.engine.search;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;

/**
 * An evaluator of the host, such as a neural network: scores a whole batch of positions in one
 * call.
 *
 * <p>A position takes {@value #POSITION_BYTES} bytes: ten longs in the byte order of the machine,
 * which the buffer is set to. Sets of squares have a1 in the lowest bit, b1 in the next, h8 in the
 * highest.
 *
 * <table>
 *   <caption>Layout of a position</caption>
 *   <tr><th>byte</th><th>content</th></tr>
 *   <tr><td>0</td><td>squares of white pieces</td></tr>
 *   <tr><td>8</td><td>squares of black pieces</td></tr>
 *   <tr><td>16, 24, 32, 40, 48, 56</td><td>squares of pawns, knights, bishops, rooks, queens, kings,
 *   of both sides</td></tr>
 *   <tr><td>64</td><td>en-passant targets</td></tr>
 *   <tr><td>72</td><td>bit 0: 1 if Black is to move; bits 1–4: castling rights K, Q, k, q; bits
 *   8–14: half-move clock; bits 32–62: full-move number</td></tr>
 * </table>
 *
 * <p>Every position stands after the end of a turn and has both kings. The evaluator is called on
 * the thread that searches, or on several threads of the engine when the search was given more than
 * one, then at the same time. It may search itself, on other positions.
 */
@FunctionalInterface
public non-sealed interface BatchEvaluator extends Evaluator {
  /** Bytes of a position. */
  int POSITION_BYTES = 80;

  /** Positions of one call at most; a larger batch takes several. */
  int MAX_BATCH = 65_536;

  /**
   * Scores positions.
   *
   * <p>A score depends on the position and the perspective only, to the last bit: not on the other
   * positions of the batch nor on calls before. A search compares scores of one batch with those of
   * others, and shows a position again wherever it comes up again.
   *
   * <p>What it throws ends the search, and comes out of the call that searches as it was thrown. A
   * score that is not written, or is outside −10000 to 10000, ends the search with a {@link
   * dicechess.engine.NativeEngineException} that names this evaluator and the score.
   *
   * @param positions {@code count} positions from index 0 on, valid until this call returns
   * @param count how many, 1 to {@value #MAX_BATCH}
   * @param perspective whose view the scores take: 0 White, 1 Black
   * @param scores receives {@code count} scores from index 0 on, until this call returns
   */
  void evaluate(ByteBuffer positions, int count, int perspective, DoubleBuffer scores);

  /**
   * The name in messages and in replay lines.
   *
   * @return the name of the class, unless overridden; not null, and always the same
   */
  default String name() {
    return getClass().getName();
  }

  /**
   * Whether scores depend on the half-move clock or the full-move number. If not, positions that
   * differ in nothing else are scored once, with clocks that are not kept up to date. Asked once,
   * when a search is built.
   *
   * @return true, unless overridden
   */
  default boolean readsClocks() {
    return true;
  }
}
