package dicechess.engine.search;

/**
 * How wide and how deep a search looks. A value: start from {@link #defaults()} and change what
 * differs.
 *
 * @param candidateLimit how many of the best turns by the pre-ranker are searched, at least 1
 * @param exactOnly keeps bounds out of the transposition table: neither stored nor used
 * @param searchDepth depth in full turns, 2 to 8: 2 is the own turn and the reply to it, over all
 *     rolls between
 * @param distinctCandidates selects the best distinct positions, each by its first turn, instead of
 *     the best turns, of which several may lead to one position; the half-move clock counts, as do
 *     en-passant targets and castling rights
 * @param replyProbes probes each roll by the best reply by material, searched to its end, before
 *     any roll is decided (Star2); without it probes are cheap
 * @param threads how many threads share the search, 1 to {@value SearchLimits#MAX_THREADS}; more
 *     than one only without a work budget. Turn, score, outcome and ties are those of one thread;
 *     how far candidates that are not the best were looked at, and what the statistics count of it,
 *     depends on timing
 */
public record ExpectimaxConfig(
    int candidateLimit,
    boolean exactOnly,
    int searchDepth,
    boolean distinctCandidates,
    boolean replyProbes,
    int threads) {

  /** The deepest search, in full turns. */
  public static final int MAX_SEARCH_DEPTH = 8;

  private static final ExpectimaxConfig DEFAULTS =
      new ExpectimaxConfig(
          SearchLimits.DEFAULT_CANDIDATE_LIMIT,
          false,
          SearchLimits.DEFAULT_SEARCH_DEPTH,
          false,
          false,
          1);

  /**
   * Makes a configuration.
   *
   * @param candidateLimit at least 1
   * @param exactOnly any
   * @param searchDepth 2 to {@value #MAX_SEARCH_DEPTH}
   * @param distinctCandidates any
   * @param replyProbes any
   * @param threads 1 to {@value SearchLimits#MAX_THREADS}
   * @throws IllegalArgumentException if a number is out of its range, with its name and value
   */
  public ExpectimaxConfig {
    if (candidateLimit < 1) {
      throw new IllegalArgumentException("candidateLimit must be 1 or more: " + candidateLimit);
    }
    requireSearchDepth(searchDepth);
    requireThreads(threads);
  }

  static void requireSearchDepth(int turns) {
    if (turns < 2 || turns > MAX_SEARCH_DEPTH) {
      throw new IllegalArgumentException(
          "searchDepth must be 2 to " + MAX_SEARCH_DEPTH + ": " + turns);
    }
  }

  static void requireThreads(int count) {
    if (count < 1 || count > SearchLimits.MAX_THREADS) {
      throw new IllegalArgumentException(
          "threads must be 1 to " + SearchLimits.MAX_THREADS + ": " + count);
    }
  }

  /**
   * Eight candidates, two turns deep, nothing else.
   *
   * @return the configuration
   */
  public static ExpectimaxConfig defaults() {
    return DEFAULTS;
  }

  /**
   * This configuration with another candidate limit.
   *
   * @param turns at least 1
   * @return the new configuration
   * @throws IllegalArgumentException if it is less
   */
  public ExpectimaxConfig withCandidateLimit(int turns) {
    return new ExpectimaxConfig(
        turns, exactOnly, searchDepth, distinctCandidates, replyProbes, threads);
  }

  /**
   * This configuration with or without bounds in the table.
   *
   * @param exact whether they are kept out
   * @return the new configuration
   */
  public ExpectimaxConfig withExactOnly(boolean exact) {
    return new ExpectimaxConfig(
        candidateLimit, exact, searchDepth, distinctCandidates, replyProbes, threads);
  }

  /**
   * This configuration with another depth.
   *
   * @param turns 2 to {@value #MAX_SEARCH_DEPTH}
   * @return the new configuration
   * @throws IllegalArgumentException if it is less or more
   */
  public ExpectimaxConfig withSearchDepth(int turns) {
    return new ExpectimaxConfig(
        candidateLimit, exactOnly, turns, distinctCandidates, replyProbes, threads);
  }

  /**
   * This configuration with candidates that are turns or positions.
   *
   * @param distinct whether they are positions
   * @return the new configuration
   */
  public ExpectimaxConfig withDistinctCandidates(boolean distinct) {
    return new ExpectimaxConfig(
        candidateLimit, exactOnly, searchDepth, distinct, replyProbes, threads);
  }

  /**
   * This configuration with or without probes of replies.
   *
   * @param probes whether replies are probed
   * @return the new configuration
   */
  public ExpectimaxConfig withReplyProbes(boolean probes) {
    return new ExpectimaxConfig(
        candidateLimit, exactOnly, searchDepth, distinctCandidates, probes, threads);
  }

  /**
   * This configuration with another number of threads.
   *
   * @param count 1 to {@value SearchLimits#MAX_THREADS}
   * @return the new configuration
   * @throws IllegalArgumentException if it is less or more
   */
  public ExpectimaxConfig withThreads(int count) {
    return new ExpectimaxConfig(
        candidateLimit, exactOnly, searchDepth, distinctCandidates, replyProbes, count);
  }
}
