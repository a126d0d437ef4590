package dicechess.engine;

import dicechess.engine.oracle.Mailbox;
import dicechess.engine.search.BatchEvaluator;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.function.ObjIntConsumer;
import java.util.function.ToDoubleBiFunction;

/** The positions of a {@link BatchEvaluator} as its documentation lays them out. */
public final class Layout {
  private static final String PIECES = "PNBRQK";

  private Layout() {}

  /** The DFEN of a position of a batch. */
  public static String dfen(ByteBuffer positions, int index) {
    int start = index * BatchEvaluator.POSITION_BYTES;
    StringBuilder text = new StringBuilder();
    for (int rank = 7; rank >= 0; rank--) {
      int gap = 0;
      for (int file = 0; file < 8; file++) {
        char piece = piece(positions, start, 8 * rank + file);
        if (piece == '.') {
          gap++;
        } else {
          text.append(gap == 0 ? "" : gap).append(piece);
          gap = 0;
        }
      }
      text.append(gap == 0 ? "" : gap).append(rank == 0 ? "" : "/");
    }
    long rest = positions.getLong(start + 72);
    text.append((rest & 1) == 0 ? " w " : " b ").append(letters("KQkq", rest >>> 1)).append(' ');
    return text.append(squares(positions.getLong(start + 64)))
        .append(' ')
        .append(rest >>> 8 & 0x7f)
        .append(' ')
        .append(rest >>> 32)
        .toString();
  }

  private static char piece(ByteBuffer positions, int start, int square) {
    char piece = '.';
    int found = 0;
    for (int type = 0; type < 6; type++) {
      if (holds(positions, start + 16 + 8 * type, square)) {
        piece = PIECES.charAt(type);
        found++;
      }
    }
    boolean white = holds(positions, start, square);
    boolean black = holds(positions, start + 8, square);
    if (found != (white ? 1 : 0) + (black ? 1 : 0)) {
      throw new IllegalStateException("square " + square + " is not of one piece and one side");
    }
    return black ? Character.toLowerCase(piece) : piece;
  }

  private static boolean holds(ByteBuffer positions, int at, int square) {
    return (positions.getLong(at) >>> square & 1) != 0;
  }

  private static String letters(String all, long bits) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < all.length(); i++) {
      text.append((bits >>> i & 1) == 0 ? "" : all.charAt(i));
    }
    return text.isEmpty() ? "-" : text.toString();
  }

  private static String squares(long set) {
    StringBuilder text = new StringBuilder();
    for (int square = 0; square < 64; square++) {
      if ((set >>> square & 1) != 0) {
        text.append((char) ('a' + square % 8)).append(square / 8 + 1);
      }
    }
    return text.isEmpty() ? "-" : text.toString();
  }

  /** An evaluator of one position after the other. */
  public static BatchEvaluator evaluator(
      boolean readsClocks, ToDoubleBiFunction<Mailbox, Integer> value) {
    return new Host(
        readsClocks,
        (positions, count, perspective, scores) -> {
          for (int i = 0; i < count; i++) {
            Mailbox state = Mailbox.parse(dfen(positions, i));
            scores.put(i, value.applyAsDouble(state, perspective));
          }
        });
  }

  /** An evaluator that scores everything 0 and shows what it sees. */
  public static BatchEvaluator watching(boolean readsClocks, ObjIntConsumer<ByteBuffer> watcher) {
    return new Host(
        readsClocks,
        (positions, count, perspective, scores) -> {
          watcher.accept(positions, count);
          for (int i = 0; i < count; i++) {
            scores.put(i, 0);
          }
        });
  }

  private record Host(boolean readsClocks, BatchEvaluator scorer) implements BatchEvaluator {
    @Override
    public void evaluate(ByteBuffer positions, int count, int perspective, DoubleBuffer scores) {
      scorer.evaluate(positions, count, perspective, scores);
    }
  }
}
