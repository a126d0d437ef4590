package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Fixtures;
import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A budget is written back by every call, and shared by calls that follow each other. */
class BudgetTest {
  private static final String ROOK_ENDING = "k7/8/8/8/8/8/8/R3K3 w - - 0 1 NBK";
  private static final long AMPLE = 1_000_000_000_000L;

  private static SearchResult search(ExpectimaxSearch search, String dfen, Budget budget) {
    return search.findBestMove(JvmApi.parseDfen(dfen), SearchControl.withBudget(budget), 7);
  }

  private static ExpectimaxSearch.Builder depth(int depth) {
    return ExpectimaxSearch.builder(LeafEvaluator.MATERIAL)
        .config(ExpectimaxConfig.defaults().withSearchDepth(depth));
  }

  @ParameterizedTest
  @CsvSource({Fixtures.F10 + ", 2", ROOK_ENDING + ", 3"})
  void boundaries(String dfen, int depth) {
    try (var search = depth(depth).build()) {
      Budget ample = new Budget(AMPLE);
      SearchResult free = search(search, dfen, ample);
      long need = ample.used();
      assertEquals(need, free.stats().workUsed());

      Budget exact = new Budget(need);
      assertEquals(free, search(search, dfen, exact));
      assertEquals(need, exact.used());
      assertFalse(exact.isExhausted());

      Budget short1 = new Budget(need - 1);
      SearchResult cut = search(search, dfen, short1);
      assertTrue(short1.isExhausted());
      assertEquals(need - 1, short1.used());
      assertEquals(1, cut.stats().candidatesAbandoned());
      assertTrue(cut.stats().deadlineTruncated());
      assertFalse(cut.stats().fellBackToPreRank());
      assertInstanceOf(SearchOutcome.LowerBound.class, cut.best().orElseThrow().outcome());

      for (long limit : new long[] {0, 1}) {
        Budget next = new Budget(limit);
        SearchResult none = search(search, dfen, next);
        assertTrue(none.stats().fellBackToPreRank());
        assertTrue(next.isExhausted());
        assertEquals(limit, next.used());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"4k3/8/8/8/8/8/8/4K3 w - - 0 1, 2", "k7/8/8/8/8/8/8/R3K3 b - - 0 1, 3"})
  void boundariesOfAValueBeforeTheRoll(String dfen, int depth) {
    GameState node = JvmApi.parseDfen(dfen);
    try (var search = depth(depth).build()) {
      Budget ample = new Budget(AMPLE);
      ChanceValue free = search.chanceValue(node, 0, SearchControl.withBudget(ample));
      long need = ample.used();
      assertEquals(need, free.outcome().workUsed());
      SearchControl exact = SearchControl.withBudget(new Budget(need));
      assertEquals(free, search.chanceValue(node, 0, exact));
      assertFalse(exact.isCancelled());
      for (long limit : new long[] {0, 1, need / 2, need - 1}) {
        SearchControl control = SearchControl.withBudget(new Budget(limit));
        ChanceValue cut = search.chanceValue(node, 0, control);
        assertEquals(new SearchOutcome.Incomplete(limit), cut.outcome());
        assertTrue(control.isCancelled());
        assertTrue(cut.classesResolved() < free.classes());
      }
    }
  }

  @Test
  void f4KeepsTheFullWeightOfItsBlockedRollUnderABudget() {
    GameState node = JvmApi.parseDfen("4k3/8/8/8/8/p7/P7/R3K3 w - - 0 1");
    try (var search = depth(2).build()) {
      Budget budget = new Budget(AMPLE);
      ChanceValue value = search.chanceValue(node, 0, SearchControl.withBudget(budget));
      assertEquals(new SearchOutcome.Exact(146_004 / 216.0, budget.used()), value.outcome());
    }
  }

  @Test
  void warmTableDoesNotRescueACallThatIsAlreadyCancelled() {
    SearchControl cancelled = SearchControl.unbounded();
    cancelled.cancel();
    try (var search = depth(2).table().build()) {
      search.findBestMove(JvmApi.parseDfen(Fixtures.F10));
      for (SearchControl control : List.of(cancelled, SearchControl.untilDeadline(0, () -> 0))) {
        SearchResult result = search.findBestMove(JvmApi.parseDfen(Fixtures.F10), control, 7);
        assertEquals(ScoreSource.PRE_RANK, result.best().orElseThrow().source());
        assertEquals(0, result.stats().ttHits());
      }
    }
  }

  @Test
  void exhaustedBudgetStaysSoInLaterCalls() {
    Budget budget = new Budget(10);
    try (var search = depth(2).table().build()) {
      search.findBestMove(JvmApi.parseDfen(Fixtures.F10));
      assertTrue(budgetIsSpentBy(search, budget));
      SearchResult later = search(search, Fixtures.F10, budget);
      assertTrue(later.stats().fellBackToPreRank());
      assertEquals(0, later.stats().ttHits());
      assertEquals(new SearchOutcome.Incomplete(10), later.best().orElseThrow().outcome());
      assertEquals("Budget[limit=10, used=10, exhausted=true]", budget.toString());
    }
  }

  private static boolean budgetIsSpentBy(ExpectimaxSearch search, Budget budget) {
    search(search, ROOK_ENDING, budget);
    return budget.isExhausted();
  }

  @Test
  void callsThatFollowEachOtherAddUp() {
    GameState node = JvmApi.parseDfen("k7/8/8/8/8/8/8/R3K3 b - - 0 1");
    try (var search = depth(2).build()) {
      Budget alone = new Budget(AMPLE);
      search(search, ROOK_ENDING, alone);
      Budget chance = new Budget(AMPLE);
      search.chanceValue(node, 0, SearchControl.withBudget(chance));
      Budget rolls = new Budget(AMPLE);
      KingCapture.rolls(node, 1, rolls);
      long sum = alone.used() + chance.used() + rolls.used();

      Budget shared = new Budget(sum);
      search(search, ROOK_ENDING, shared);
      SearchControl control = SearchControl.withBudget(shared);
      ChanceValue value = search.chanceValue(node, 0, control);
      assertEquals(alone.used() + chance.used(), value.outcome().workUsed());
      assertEquals(control.workUsed(), value.outcome().workUsed());
      assertEquals(sum, KingCapture.rolls(node, 1, shared).workUsed());
      assertEquals(sum, shared.used());
      assertFalse(shared.isExhausted());
      assertInstanceOf(
          RulesOutcome.Incomplete.class, KingCapture.path(JvmApi.parseDfen(Fixtures.F7), shared));
      assertTrue(shared.isExhausted());
      assertTrue(control.isCancelled());
    }
  }

  @Test
  void budgetOfACallThatRunsIsRefusedToAnother() {
    Budget budget = new Budget(AMPLE);
    GameState node = JvmApi.parseDfen("4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    BatchEvaluator nested =
        (positions, count, perspective, scores) -> KingCapture.rolls(node, 0, budget);
    SearchControl control = SearchControl.withBudget(budget);
    var refusal =
        assertThrows(IllegalStateException.class, () -> ChanceNode.value(node, 0, nested, control));
    String message = "the budget is in use by another call: Budget[limit=" + AMPLE + ", used=0, ";
    assertEquals(message + "exhausted=false]", refusal.getMessage());
    assertInstanceOf(RulesOutcome.Complete.class, KingCapture.rolls(node, 0, budget));
  }

  @Test
  void callThatIsRefusedUsesNothingAndFreesTheBudget() {
    Budget budget = new Budget(100);
    try (var search = depth(2).build()) {
      for (int i = 0; i < 2; i++) {
        try {
          search(search, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", budget);
        } catch (IllegalArgumentException refusal) {
          assertEquals(0, budget.used());
          continue;
        }
        throw new AssertionError("a root needs dice");
      }
    }
  }
}
