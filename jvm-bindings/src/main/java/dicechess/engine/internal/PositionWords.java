package dicechess.engine.internal;

import java.util.ArrayList;
import java.util.List;

/**
 * The parts of a position that are read without a native call.
 *
 * <p>A position has {@value NativeBridge#STATE_WORDS} words. The first four are bit planes of the
 * board, a1 in the lowest bit: pieces that move along ranks and files, pieces that move along
 * diagonals, pieces that do not slide, white pieces. A king is of the first and the third. The
 * fifth holds the en-passant targets. The last holds the full-move number in bits 0–31, the dice in
 * bits 32–47, the half-move clock in bits 48–55 and the castling rights KQkq in bits 56–59; bit 60
 * is set when Black is to move. The dice are octal digits, the first die lowest, 0 after the last.
 */
public final class PositionWords {
  private static final int ORTHOGONAL = 0;
  private static final int STEPPING = 2;
  private static final int WHITE = 3;
  private static final int REST = 5;

  private static final int DICE_SHIFT = 32;
  private static final long DICE_MASK = 0xffffL << DICE_SHIFT;
  private static final int DIE_BITS = 3;
  private static final int DIE_MASK = 7;
  private static final int HALF_MOVE_SHIFT = 48;
  private static final int BLACK_SHIFT = 60;

  private PositionWords() {}

  /**
   * The side to move.
   *
   * @param words a position
   * @return 0 White, 1 Black
   */
  public static int activeColor(long[] words) {
    return (int) (words[REST] >>> BLACK_SHIFT) & 1;
  }

  /**
   * The half-move clock.
   *
   * @param words a position
   * @return 0 to 127
   */
  public static int halfMoveClock(long[] words) {
    return (int) (words[REST] >>> HALF_MOVE_SHIFT) & 0x7f;
  }

  /**
   * Whether a side has a king.
   *
   * @param words a position
   * @param color 0 White, 1 Black
   * @return true if it has one or more
   */
  public static boolean hasKing(long[] words, int color) {
    long kings = words[ORTHOGONAL] & words[STEPPING];
    return (kings & (color == 0 ? words[WHITE] : ~words[WHITE])) != 0;
  }

  /**
   * The dice left to spend.
   *
   * @param words a position
   * @return faces 1 to 6, in the order of the pool, unmodifiable
   */
  public static List<Integer> dice(long[] words) {
    List<Integer> dice = new ArrayList<>(3);
    for (int rest = (int) (words[REST] >>> DICE_SHIFT) & 0xffff; rest != 0; rest >>>= DIE_BITS) {
      dice.add(rest & DIE_MASK);
    }
    return List.copyOf(dice);
  }

  /**
   * Replaces the dice.
   *
   * @param words a position, changed
   * @param dice faces 1 to 6, at most three
   */
  public static void setDice(long[] words, List<Integer> dice) {
    long pool = 0;
    for (int i = dice.size() - 1; i >= 0; i--) {
      pool = pool << DIE_BITS | dice.get(i);
    }
    words[REST] = words[REST] & ~DICE_MASK | pool << DICE_SHIFT;
  }
}
