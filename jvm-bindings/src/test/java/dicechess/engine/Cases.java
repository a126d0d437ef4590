package dicechess.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Random cases of hostile input. {@code -Ddicechess.test.hostile=100000} tries that many in each
 * test, {@code -Ddicechess.test.seed=n} starts at the seed that a failure names.
 */
public final class Cases {
  private static final int COUNT = Integer.getInteger("dicechess.test.hostile", 1_000);
  private static final long FIRST = Long.getLong("dicechess.test.seed", 1);

  private Cases() {}

  /** A case that is made of random numbers and fails by throwing. */
  @FunctionalInterface
  public interface Case {
    /** Tries it. */
    void run(SplittableRandom random) throws Exception;
  }

  /** Tries one case for each seed. */
  public static void each(Case one) {
    for (long seed = FIRST; seed < FIRST + COUNT; seed++) {
      try {
        one.run(new SplittableRandom(seed));
      } catch (Exception | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  /** A run of more than a few cases has seen all kinds of answers. */
  public static void assertAllSeen(int... answers) {
    assertTrue(COUNT < 100 || Arrays.stream(answers).min().orElse(0) > 0, Arrays.toString(answers));
  }

  /** One of some items. */
  @SafeVarargs
  public static <T> T oneOf(SplittableRandom random, T... items) {
    return items[random.nextInt(items.length)];
  }

  /** A board with few pieces, which both kings mostly are among, and up to three dice. */
  public static String sparseDfen(SplittableRandom random) {
    char[] board = ".".repeat(64).toCharArray();
    for (int i = random.nextInt(6); i > 0; i--) {
      board[random.nextInt(64)] = "PpNnBbRrQq".charAt(random.nextInt(10));
    }
    for (char king : new char[] {'K', 'k'}) {
      if (random.nextInt(16) > 0) {
        board[random.nextInt(64)] = king;
      }
    }
    StringBuilder text = new StringBuilder(new String(board));
    for (int at = 56; at > 0; at -= 8) {
      text.insert(at, '/');
    }
    text.append(oneOf(random, " w", " b"));
    text.append(oneOf(random, " - -", " KQkq -", " - e3", " Kq a6h6")).append(" 3 9 ");
    int dice = oneOf(random, 3, 3, 3, 2, 1, 0);
    for (int i = 0; i < dice; i++) {
      text.append("PNBRQK".charAt(random.nextInt(6)));
    }
    return text.toString().replace('.', '1').strip();
  }
}
