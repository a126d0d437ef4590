package dicechess.engine.search;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;

/** The built-in evaluators once more, as a host writes them over the layout of a batch. */
final class HostEvaluators {
  private static final int PAWNS = 16;
  private static final int[] VALUES = {100, 300, 300, 500, 900};
  private static final int[][] STRAIGHT = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  private static final int[][] DIAGONAL = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
  private static final int[][] KNIGHT = {
    {1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}
  };

  private HostEvaluators() {}

  /** Material. */
  static BatchEvaluator material(boolean readsClocks) {
    return new Host(readsClocks, false);
  }

  /** Material, less 2000 if the own king is attacked. */
  static BatchEvaluator standard(boolean readsClocks) {
    return new Host(readsClocks, true);
  }

  private record Host(boolean readsClocks, boolean kingSafety) implements BatchEvaluator {
    @Override
    public void evaluate(ByteBuffer positions, int count, int perspective, DoubleBuffer scores) {
      for (int i = 0; i < count; i++) {
        Board board = new Board(positions, i * POSITION_BYTES, perspective);
        int score = board.material();
        if (kingSafety && board.isKingAttacked()) {
          score -= 2000;
        }
        scores.put(i, Math.max(-10_000, Math.min(10_000, score)));
      }
    }
  }

  /** A position of a batch, from one side's view. */
  private static final class Board {
    private final ByteBuffer positions;
    private final int start;
    private final int side;
    private final long own;
    private final long enemy;

    Board(ByteBuffer positions, int start, int side) {
      this.positions = positions;
      this.start = start;
      this.side = side;
      own = positions.getLong(start + 8 * side);
      enemy = positions.getLong(start + 8 - 8 * side);
    }

    private long of(int type) {
      return positions.getLong(start + PAWNS + 8 * type);
    }

    int material() {
      int sum = 0;
      for (int type = 0; type < VALUES.length; type++) {
        sum += VALUES[type] * (Long.bitCount(of(type) & own) - Long.bitCount(of(type) & enemy));
      }
      return sum;
    }

    boolean isKingAttacked() {
      int king = Long.numberOfTrailingZeros(of(5) & own);
      int up = side == 0 ? 1 : -1;
      return reaches(king, new int[][] {{1, up}, {-1, up}}, 1, of(0))
          || reaches(king, KNIGHT, 1, of(1))
          || reaches(king, DIAGONAL, 7, of(2) | of(4))
          || reaches(king, STRAIGHT, 7, of(3) | of(4))
          || reaches(king, DIAGONAL, 1, of(5))
          || reaches(king, STRAIGHT, 1, of(5));
    }

    private boolean reaches(int from, int[][] directions, int length, long pieces) {
      for (int[] direction : directions) {
        int file = from & 7;
        int rank = from >>> 3;
        for (int i = 0; i < length; i++) {
          file += direction[0];
          rank += direction[1];
          if (file < 0 || file > 7 || rank < 0 || rank > 7) {
            break;
          }
          long square = 1L << (8 * rank + file);
          if ((pieces & enemy & square) != 0) {
            return true;
          }
          if (((own | enemy) & square) != 0) {
            break;
          }
        }
      }
      return false;
    }
  }
}
