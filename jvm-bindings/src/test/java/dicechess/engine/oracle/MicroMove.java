package dicechess.engine.oracle;

/**
 * One step of a turn.
 *
 * @param from square, a1 = 0, b1 = 1, … h8 = 63
 * @param to square
 * @param promotion lower-case letter of the new piece, or 0
 * @param castling whether the rook moves too
 */
public record MicroMove(int from, int to, char promotion, boolean castling) {
  static MicroMove plain(int from, int to) {
    return new MicroMove(from, to, (char) 0, false);
  }

  /** The UCI text. */
  public String uci() {
    String squares = Mailbox.name(from) + Mailbox.name(to);
    return promotion == 0 ? squares : squares + promotion;
  }
}
