package dicechess.engine.internal;

import java.util.List;

/**
 * Text of packed micro-moves. One takes 16 bits: bits 0–5 the square it leaves, 6–11 the square it
 * reaches (a1 = 0, b1 = 1, … h8 = 63), 12–15 its kind. A turn is up to three of them, the first in
 * the low bits; zero ends it.
 */
public final class MicroMoves {
  private static final int MOVE_BITS = 16;
  private static final int SQUARES_MASK = 0xfff;
  private static final int KIND_SHIFT = 12;
  private static final int FIRST_PROMOTION = 9;
  private static final String PROMOTIONS = "nbrq";

  // A turn is listed thousands of times as often as there are texts, so each is made once.
  private static final String[] PLAIN = new String[SQUARES_MASK + 1];
  private static final String[][] PROMOTING = new String[PROMOTIONS.length()][SQUARES_MASK + 1];

  static {
    for (int squares = 0; squares <= SQUARES_MASK; squares++) {
      PLAIN[squares] = square(squares & 63) + square(squares >>> 6);
      for (int i = 0; i < PROMOTIONS.length(); i++) {
        PROMOTING[i][squares] = PLAIN[squares] + PROMOTIONS.charAt(i);
      }
    }
  }

  private MicroMoves() {}

  /**
   * The UCI texts of a turn.
   *
   * @param packed up to three packed micro-moves
   * @return one text each, in order, unmodifiable
   */
  public static List<String> turn(long packed) {
    int first = (int) packed & 0xffff;
    int second = (int) (packed >>> MOVE_BITS) & 0xffff;
    int third = (int) (packed >>> 2 * MOVE_BITS) & 0xffff;
    if (first == 0) {
      return List.of();
    } else if (second == 0) {
      return List.of(uci(first));
    } else if (third == 0) {
      return List.of(uci(first), uci(second));
    }
    return List.of(uci(first), uci(second), uci(third));
  }

  private static String uci(int move) {
    int promotion = (move >>> KIND_SHIFT) - FIRST_PROMOTION;
    return promotion < 0 ? PLAIN[move & SQUARES_MASK] : PROMOTING[promotion][move & SQUARES_MASK];
  }

  private static String square(int index) {
    return "" + (char) ('a' + (index & 7)) + (char) ('1' + (index >>> 3));
  }
}
