package dicechess.engine.search;

import java.time.Duration;

// Native code reads workBudget, candidateLimit, searchDepth, threads and seed by name and type.
/**
 * How far a search may go and what it looks at. A value: start from {@link #defaults()} and change
 * what differs.
 *
 * @param workBudget work units that the search may use, 0 or more; {@link #UNLIMITED} for no
 *     budget, then work is not counted. The same budget gives the same result on every machine
 * @param timeBudgetNanos time from the start of the call, in nanoseconds, more than 0; {@link
 *     #UNLIMITED} for none
 * @param deadlineNanos point in time on the scale of {@link System#nanoTime()}; {@link
 *     #NO_DEADLINE} for none. One that is not in the future has passed. Either this or the time
 *     budget may be set, not both
 * @param candidateLimit how many turns, best first by material, are searched at most; more than 0
 * @param searchDepth depth in full turns, 2 to {@value ExpectimaxConfig#MAX_SEARCH_DEPTH}: 2 is the
 *     own turn and the reply to it, over all rolls between; 3 adds the own turn after that
 * @param evaluator what scores the positions where the search ends
 * @param threads how many threads share the search, 1 to {@value #MAX_THREADS}; more than one only
 *     without a work budget. They change how long it takes, not its answer
 * @param seed decides between turns of equal value, any number; the same seed, the same choice
 */
public record SearchLimits(
    long workBudget,
    long timeBudgetNanos,
    long deadlineNanos,
    int candidateLimit,
    int searchDepth,
    LeafEvaluator evaluator,
    int threads,
    long seed) {

  /** No limit, for {@link #workBudget()} and {@link #timeBudgetNanos()}. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  /** No point in time, for {@link #deadlineNanos()}. */
  public static final long NO_DEADLINE = Long.MAX_VALUE;

  /** The most threads of one search. */
  public static final int MAX_THREADS = 256;

  /** The candidate limit of {@link #defaults()}. */
  public static final int DEFAULT_CANDIDATE_LIMIT = 8;

  /** The search depth of {@link #defaults()}. */
  public static final int DEFAULT_SEARCH_DEPTH = 2;

  private static final SearchLimits DEFAULTS =
      new SearchLimits(
          UNLIMITED,
          UNLIMITED,
          NO_DEADLINE,
          DEFAULT_CANDIDATE_LIMIT,
          DEFAULT_SEARCH_DEPTH,
          LeafEvaluator.MATERIAL,
          1,
          0);

  /**
   * Makes limits.
   *
   * @param workBudget 0 or more, or {@link #UNLIMITED}
   * @param timeBudgetNanos more than 0, or {@link #UNLIMITED}
   * @param deadlineNanos any point in time, or {@link #NO_DEADLINE}
   * @param candidateLimit more than 0
   * @param searchDepth 2 to {@value ExpectimaxConfig#MAX_SEARCH_DEPTH}
   * @param evaluator not null
   * @param threads 1 to {@value #MAX_THREADS}
   * @param seed any number
   * @throws IllegalArgumentException if a number is out of its range, with its name and value; or
   *     if both a time budget and a deadline are set, or both a work budget and threads; or if the
   *     evaluator is null
   */
  public SearchLimits {
    require(workBudget >= 0, "workBudget", workBudget, "0 or more");
    require(timeBudgetNanos > 0, "timeBudgetNanos", timeBudgetNanos, "more than 0");
    require(candidateLimit > 0, "candidateLimit", candidateLimit, "more than 0");
    ExpectimaxConfig.requireSearchDepth(searchDepth);
    ExpectimaxConfig.requireThreads(threads);
    if (threads > 1 && workBudget != UNLIMITED) {
      throw new IllegalArgumentException(
          "workBudget and more than one thread must not both be set: "
              + workBudget
              + " and "
              + threads);
    }
    if (evaluator == null) {
      throw new IllegalArgumentException("evaluator must not be null");
    }
    if (timeBudgetNanos != UNLIMITED && deadlineNanos != NO_DEADLINE) {
      throw new IllegalArgumentException(
          "timeBudgetNanos and deadlineNanos must not both be set: "
              + timeBudgetNanos
              + " and "
              + deadlineNanos);
    }
  }

  private static void require(boolean holds, String name, long value, String range) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must be " + range + ": " + value);
    }
  }

  /**
   * The usual limits: no budget and no time limit, {@value #DEFAULT_CANDIDATE_LIMIT} candidates,
   * depth {@value #DEFAULT_SEARCH_DEPTH}, material, seed 0.
   *
   * @return the limits
   */
  public static SearchLimits defaults() {
    return DEFAULTS;
  }

  /**
   * These limits with another work budget.
   *
   * @param workUnits 0 or more, or {@link #UNLIMITED}
   * @return the new limits
   * @throws IllegalArgumentException if it is negative
   */
  public SearchLimits withWorkBudget(long workUnits) {
    return new SearchLimits(
        workUnits,
        timeBudgetNanos,
        deadlineNanos,
        candidateLimit,
        searchDepth,
        evaluator,
        threads,
        seed);
  }

  /**
   * These limits with another time budget.
   *
   * @param nanos nanoseconds, more than 0, or {@link #UNLIMITED}
   * @return the new limits
   * @throws IllegalArgumentException if it is 0 or negative, or a deadline is set
   */
  public SearchLimits withTimeBudgetNanos(long nanos) {
    return new SearchLimits(
        workBudget, nanos, deadlineNanos, candidateLimit, searchDepth, evaluator, threads, seed);
  }

  /**
   * These limits with another time budget.
   *
   * @param time more than 0; more than 292 years is {@link #UNLIMITED}
   * @return the new limits
   * @throws IllegalArgumentException if it is null, 0 or negative, or a deadline is set
   */
  public SearchLimits withTimeBudget(Duration time) {
    if (time == null) {
      throw new IllegalArgumentException("time must not be null");
    }
    boolean fits = time.compareTo(Duration.ofNanos(UNLIMITED)) < 0;
    return withTimeBudgetNanos(fits && !time.isNegative() ? time.toNanos() : fits ? 0 : UNLIMITED);
  }

  /**
   * These limits with another deadline.
   *
   * @param nanoTime a point on the scale of {@link System#nanoTime()}, or {@link #NO_DEADLINE}
   * @return the new limits
   * @throws IllegalArgumentException if a time budget is set
   */
  public SearchLimits withDeadlineNanos(long nanoTime) {
    return new SearchLimits(
        workBudget,
        timeBudgetNanos,
        nanoTime,
        candidateLimit,
        searchDepth,
        evaluator,
        threads,
        seed);
  }

  /**
   * These limits with another candidate limit.
   *
   * @param turns more than 0
   * @return the new limits
   * @throws IllegalArgumentException if it is 0 or negative
   */
  public SearchLimits withCandidateLimit(int turns) {
    return new SearchLimits(
        workBudget, timeBudgetNanos, deadlineNanos, turns, searchDepth, evaluator, threads, seed);
  }

  /**
   * These limits with another depth.
   *
   * @param turns depth in full turns, 2 to {@value ExpectimaxConfig#MAX_SEARCH_DEPTH}
   * @return the new limits
   * @throws IllegalArgumentException if it is less or more
   */
  public SearchLimits withSearchDepth(int turns) {
    return new SearchLimits(
        workBudget,
        timeBudgetNanos,
        deadlineNanos,
        candidateLimit,
        turns,
        evaluator,
        threads,
        seed);
  }

  /**
   * These limits with another evaluator.
   *
   * @param leaf scores the positions where the search ends
   * @return the new limits
   * @throws IllegalArgumentException if it is null
   */
  public SearchLimits withEvaluator(LeafEvaluator leaf) {
    return new SearchLimits(
        workBudget,
        timeBudgetNanos,
        deadlineNanos,
        candidateLimit,
        searchDepth,
        leaf,
        threads,
        seed);
  }

  /**
   * These limits with another number of threads.
   *
   * @param count 1 to {@value #MAX_THREADS}
   * @return the new limits
   * @throws IllegalArgumentException if it is less or more, or more than one with a work budget
   */
  public SearchLimits withThreads(int count) {
    return new SearchLimits(
        workBudget,
        timeBudgetNanos,
        deadlineNanos,
        candidateLimit,
        searchDepth,
        evaluator,
        count,
        seed);
  }

  /**
   * These limits with another seed.
   *
   * @param number any number
   * @return the new limits
   */
  public SearchLimits withSeed(long number) {
    return new SearchLimits(
        workBudget,
        timeBudgetNanos,
        deadlineNanos,
        candidateLimit,
        searchDepth,
        evaluator,
        threads,
        number);
  }

  /**
   * Time left for a call that starts now: {@link Long#MAX_VALUE} without a time limit, 0 if the
   * deadline has passed, else the difference, which saturates.
   */
  long remainingNanos(long now) {
    return deadlineNanos == NO_DEADLINE ? timeBudgetNanos : Deadlines.remaining(deadlineNanos, now);
  }
}
