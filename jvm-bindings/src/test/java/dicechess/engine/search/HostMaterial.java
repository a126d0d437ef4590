package dicechess.engine.search;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;

/** Material as a host would compute it: agrees with {@link LeafEvaluator#MATERIAL}. */
final class HostMaterial implements BatchEvaluator {
  private static final int[] VALUES = {100, 300, 300, 500, 900, 10_000};

  @Override
  public void evaluate(ByteBuffer positions, int count, int perspective, DoubleBuffer scores) {
    for (int i = 0; i < count; i++) {
      scores.put(i, material(positions, i * POSITION_BYTES, perspective));
    }
  }

  @Override
  public boolean readsClocks() {
    return false;
  }

  private static int material(ByteBuffer positions, int at, int perspective) {
    long own = positions.getLong(at + Long.BYTES * perspective);
    long enemy = positions.getLong(at + Long.BYTES * (1 - perspective));
    int value = 0;
    for (int type = 0; type < VALUES.length; type++) {
      long pieces = positions.getLong(at + Long.BYTES * (2 + type));
      value += VALUES[type] * (Long.bitCount(pieces & own) - Long.bitCount(pieces & enemy));
    }
    return value;
  }
}
