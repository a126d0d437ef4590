package dicechess.engine.internal;

import dicechess.engine.search.BatchEvaluator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

// Native code reads name and readsClocks and calls the methods, by name and type.
/** An evaluator of the host as native code calls it. */
public final class BatchUpcall {
  private final BatchEvaluator evaluator;
  private final String name;
  private final boolean readsClocks;

  /**
   * Wraps an evaluator.
   *
   * @param evaluator the host's
   * @throws IllegalArgumentException if its name is null
   */
  public BatchUpcall(BatchEvaluator evaluator) {
    this.evaluator = evaluator;
    this.name = evaluator.name();
    if (name == null) {
      throw new IllegalArgumentException("the name of an evaluator must not be null");
    }
    this.readsClocks = evaluator.readsClocks();
  }

  /** Memory that both sides share; Java owns it, so that a host that keeps it does no harm. */
  ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }

  /** Scores a batch: positions in, a double for each out. */
  void evaluate(ByteBuffer positions, ByteBuffer scores, int count, int perspective) {
    // The host may have changed what it was given before, the byte order too.
    positions.clear().limit(count * BatchEvaluator.POSITION_BYTES).order(ByteOrder.nativeOrder());
    scores.clear().limit(count * Double.BYTES);
    evaluator.evaluate(positions, count, perspective, scores.asDoubleBuffer());
  }
}
