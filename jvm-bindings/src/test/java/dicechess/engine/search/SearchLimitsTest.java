package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SearchLimitsTest {
  private static final SearchLimits LIMITS = SearchLimits.defaults();

  private static void refused(String message, Runnable make) {
    var error = assertThrows(IllegalArgumentException.class, make::run);
    assertEquals(message, error.getMessage());
  }

  @Test
  void defaultsAreThoseOfTheDesign() {
    assertEquals(
        new SearchLimits(
            Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, 8, 2, LeafEvaluator.MATERIAL, 1, 0),
        LIMITS);
  }

  @Test
  void everyWitherSetsItsOwnComponentOnly() {
    assertEquals(
        new SearchLimits(5, 6, Long.MAX_VALUE, 7, 3, LeafEvaluator.STANDARD, 1, -9),
        LIMITS
            .withWorkBudget(5)
            .withTimeBudgetNanos(6)
            .withCandidateLimit(7)
            .withSearchDepth(3)
            .withEvaluator(LeafEvaluator.STANDARD)
            .withSeed(-9));
    assertEquals(-3, LIMITS.withDeadlineNanos(-3).deadlineNanos());
    assertEquals(2, LIMITS.withThreads(2).threads());
  }

  @Test
  void numbersOutOfRangeAreRefusedByNameAndValue() {
    refused("workBudget must be 0 or more: -1", () -> LIMITS.withWorkBudget(-1));
    refused("timeBudgetNanos must be more than 0: 0", () -> LIMITS.withTimeBudgetNanos(0));
    refused("candidateLimit must be more than 0: 0", () -> LIMITS.withCandidateLimit(0));
    refused("searchDepth must be 2 to 8: 1", () -> LIMITS.withSearchDepth(1));
    refused("searchDepth must be 2 to 8: 9", () -> LIMITS.withSearchDepth(9));
    refused("threads must be 1 to 256: 0", () -> LIMITS.withThreads(0));
    refused("threads must be 1 to 256: 257", () -> LIMITS.withThreads(257));
    refused("evaluator must not be null", () -> LIMITS.withEvaluator(null));
    refused("time must not be null", () -> LIMITS.withTimeBudget(null));
  }

  @Test
  void workBudgetAndThreadsExcludeEachOther() {
    String message = "workBudget and more than one thread must not both be set: 5 and 2";
    refused(message, () -> LIMITS.withWorkBudget(5).withThreads(2));
    refused(message, () -> LIMITS.withThreads(2).withWorkBudget(5));
  }

  @Test
  void timeBudgetAndDeadlineExcludeEachOther() {
    String message = "timeBudgetNanos and deadlineNanos must not both be set: 5 and 7";
    refused(message, () -> LIMITS.withTimeBudgetNanos(5).withDeadlineNanos(7));
    refused(message, () -> LIMITS.withDeadlineNanos(7).withTimeBudgetNanos(5));
  }

  @Test
  void durationBecomesNanosecondsAndSaturates() {
    assertEquals(1_500_000, LIMITS.withTimeBudget(Duration.ofNanos(1_500_000)).timeBudgetNanos());
    assertEquals(
        SearchLimits.UNLIMITED,
        LIMITS.withTimeBudget(Duration.ofSeconds(Long.MAX_VALUE)).timeBudgetNanos());
    refused(
        "timeBudgetNanos must be more than 0: 0",
        () -> LIMITS.withTimeBudget(Duration.ofSeconds(Long.MIN_VALUE)));
  }

  @Test
  void remainingTimeIsNoneExpiredOrTheSaturatingDifference() {
    assertEquals(Long.MAX_VALUE, LIMITS.remainingNanos(-100));
    assertEquals(40, LIMITS.withTimeBudgetNanos(40).remainingNanos(-100));
    assertEquals(1, LIMITS.withDeadlineNanos(-99).remainingNanos(-100));
    assertEquals(0, LIMITS.withDeadlineNanos(-100).remainingNanos(-100));
    assertEquals(0, LIMITS.withDeadlineNanos(-101).remainingNanos(-100));
    assertEquals(0, LIMITS.withDeadlineNanos(Long.MIN_VALUE).remainingNanos(Long.MAX_VALUE));
    assertEquals(
        Long.MAX_VALUE,
        LIMITS.withDeadlineNanos(Long.MAX_VALUE - 1).remainingNanos(Long.MIN_VALUE));
  }
}
