package dicechess.engine.internal;

import java.util.ArrayList;
import java.util.List;

/**
 * Text of packed micro-moves. One takes 16 bits: bits 0–5 the square it leaves, 6–11 the square it
 * reaches (a1 = 0, b1 = 1, … h8 = 63), 12–15 its kind. A turn is up to three of them, the first in
 * the low bits; zero ends it.
 */
final class MicroMoves {
  private static final int FIRST_PROMOTION = 9;
  private static final String PROMOTIONS = "nbrq";

  private MicroMoves() {}

  /** The UCI texts of a turn, in order, unmodifiable. */
  static List<String> turn(long packed) {
    List<String> texts = new ArrayList<>(3);
    for (int shift = 0; shift < 48; shift += 16) {
      int move = (int) (packed >>> shift) & 0xffff;
      if (move == 0) {
        break;
      }
      texts.add(uci(move));
    }
    return List.copyOf(texts);
  }

  private static String uci(int move) {
    StringBuilder text = new StringBuilder(5);
    appendSquare(text, move & 63);
    appendSquare(text, move >>> 6 & 63);
    int promotion = (move >>> 12) - FIRST_PROMOTION;
    if (promotion >= 0) {
      text.append(PROMOTIONS.charAt(promotion));
    }
    return text.toString();
  }

  private static void appendSquare(StringBuilder text, int square) {
    text.append((char) ('a' + (square & 7))).append((char) ('1' + (square >>> 3)));
  }
}
