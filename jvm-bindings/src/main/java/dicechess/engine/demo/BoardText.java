package dicechess.engine.demo;

/** A board that a person can read, from the text of a DFEN alone. */
final class BoardText {
  private static final String FILES = "    a b c d e f g h\n";
  private static final String EDGE = "  +-----------------+\n";

  private BoardText() {}

  /**
   * Draws a position: ranks and files named, White in upper case, then who is to move with which
   * dice.
   *
   * @param dfen a canonical DFEN
   */
  static String draw(String dfen) {
    String[] fields = dfen.split(" ");
    StringBuilder text = new StringBuilder(FILES).append(EDGE);
    String[] ranks = fields[0].split("/");
    for (int i = 0; i < ranks.length; i++) {
      int rank = ranks.length - i;
      text.append(rank).append(" |");
      for (char c : ranks[i].toCharArray()) {
        text.append(Character.isDigit(c) ? " .".repeat(c - '0') : " " + c);
      }
      text.append(" | ").append(rank).append('\n');
    }
    text.append(EDGE).append(FILES);
    text.append(fields[1].equals("w") ? "White" : "Black").append(" to move, dice: ");
    text.append(fields.length > 6 ? String.join(" ", fields[6].split("")) : "none");
    text.append("; castling: ").append(fields[2]).append(", en passant: ").append(fields[3]);
    return text.append('\n').toString();
  }
}
