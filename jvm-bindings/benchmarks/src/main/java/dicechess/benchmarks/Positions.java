package dicechess.benchmarks;

/** The positions that figures are quoted for. */
final class Positions {
  /** An open game with 4,654 legal turns. */
  static final String F10 =
      "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3 NBP";

  /** A roll without a legal turn: what is left of a search is the way to it and back. */
  static final String FORCED_PASS = "4k3/8/8/8/8/p7/P7/R3K3 w - - 0 1 PPP";

  private Positions() {}
}
