package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Fixtures;
import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of the design, as a Java program writes them. */
class SeedExamplesTest {
  private final ExpectimaxSearch search = ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).build();
  private final GameState state = JvmApi.parseDfen(Fixtures.F10);

  @AfterEach
  void close() {
    search.close();
  }

  private void assertLegal(SearchResult result) {
    BestTurn best = result.best().orElseThrow();
    assertTrue(JvmApi.legalTurns(state).contains(new JvmApi.Turn(best.uci(), best.finalState())));
  }

  @Test
  void fixed() {
    Budget budget = new Budget(50_000);
    SearchResult fixed = search.findBestMove(state, SearchControl.withBudget(budget), 7);
    assertLegal(fixed);
    assertEquals(budget.used(), fixed.best().orElseThrow().outcome().workUsed());
    assertTrue(budget.used() <= 50_000);
    Budget again = new Budget(50_000);
    assertEquals(fixed, search.findBestMove(state, SearchControl.withBudget(again), 7));
    assertEquals(budget.toString(), again.toString());
  }

  @Test
  void timed() {
    SearchControl control = SearchControl.untilDeadline(System.nanoTime() + 100_000_000L);
    assertTrue(control.isTimed());
    assertLegal(search.findBestMove(state, control, 7));
    assertLegal(search.findBestMove(state, System.nanoTime() + 100_000_000L, 7));
  }

  @Test
  void both() {
    SearchControl control =
        SearchControl.untilDeadline(System.nanoTime() + 100_000_000L).andBudget(new Budget(50_000));
    assertLegal(search.findBestMove(state, control, 7));
    assertTrue(control.workUsed() <= 50_000);
  }

  @Test
  void chanceNode() {
    GameState afterTurn = JvmApi.parseDfen("4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    ChanceValue value =
        ChanceNode.value(afterTurn, 0, LeafEvaluator.MATERIAL, SearchControl.unbounded());
    assertEquals(new ChanceValue(new SearchOutcome.Exact(0, 0), false, 4, 4), value);
  }

  @ParameterizedTest
  @ValueSource(longs = {SearchControl.NO_DEADLINE, Long.MIN_VALUE, -1})
  void deadlineEntryIsTheControlEntryBitForBit(long deadline) {
    // -1 stands for a deadline that has just passed.
    long point = deadline == -1 ? System.nanoTime() : deadline;
    for (long seed = -2; seed < 6; seed++) {
      SearchResult byDeadline = search.findBestMove(state, point, seed);
      SearchControl control = SearchControl.untilDeadline(point);
      assertEquals(search.findBestMove(state, control, seed), byDeadline);
      boolean open = deadline == SearchControl.NO_DEADLINE;
      assertEquals(!open, byDeadline.stats().fellBackToPreRank());
      assertEquals(open, !control.isTimed());
    }
  }

  @Test
  void entryWithoutControlIsUnboundedWithSeedNought() {
    SearchResult plain = search.findBestMove(state);
    assertEquals(search.findBestMove(state, SearchControl.unbounded(), 0), plain);
    assertEquals(NativeSearch.findBestMove(Fixtures.F10, SearchLimits.defaults()), plain);
    assertFalse(plain.stats().deadlineTruncated());
  }

  @Test
  void directEntryIsTheSameSearch() {
    for (LeafEvaluator leaf : LeafEvaluator.values()) {
      SearchLimits limits =
          SearchLimits.defaults()
              .withEvaluator(leaf)
              .withCandidateLimit(5)
              .withWorkBudget(40_000)
              .withSeed(3);
      try (var kept =
          ExpectimaxSearch.builder(leaf)
              .config(ExpectimaxConfig.defaults().withCandidateLimit(5))
              .build()) {
        SearchControl control = SearchControl.withBudget(new Budget(40_000));
        assertEquals(
            NativeSearch.findBestMove(Fixtures.F10, limits), kept.findBestMove(state, control, 3));
      }
    }
  }
}
