package dicechess.engine.search;

/** The scale that searches report scores on. */
public final class SearchScoring {
  /** The score of a turn that captures the king. */
  public static final int TerminalWinScore = Integer.MAX_VALUE;

  private SearchScoring() {}
}
