package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Fixtures;
import dicechess.engine.domain.GameState;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One search on several threads answers what it answers on one. */
class SharedSearchTest {
  private static final ExpectimaxConfig CONFIG = ExpectimaxConfig.defaults();
  private static final String ROOK_ENDING = "k7/8/8/8/8/8/8/R3K3 w - - 0 1 NBK";

  private static SearchResult find(Evaluator evaluator, int threads, String dfen, int depth) {
    ExpectimaxConfig config = CONFIG.withSearchDepth(depth).withThreads(threads);
    try (var search = ExpectimaxSearch.builder(evaluator).config(config).build()) {
      return search.findBestMove(GameState.parse(dfen), SearchControl.unbounded(), 7);
    }
  }

  @Test
  void turnScoreAndOutcomeAreThoseOfOneThread() {
    for (Evaluator evaluator :
        List.of(LeafEvaluator.MATERIAL, LeafEvaluator.AGGRESSIVE, HostEvaluators.material(false))) {
      for (int threads : new int[] {2, 5}) {
        assertEquals(
            find(evaluator, 1, Fixtures.F10, 2).best(),
            find(evaluator, threads, Fixtures.F10, 2).best());
        assertEquals(
            find(evaluator, 1, ROOK_ENDING, 3).best(),
            find(evaluator, threads, ROOK_ENDING, 3).best());
      }
    }
    SearchLimits limits = SearchLimits.defaults().withSearchDepth(3).withSeed(7);
    assertEquals(
        NativeSearch.findBestMove(ROOK_ENDING, limits).best(),
        NativeSearch.findBestMove(ROOK_ENDING, limits.withThreads(3)).best());
  }

  @Test
  void hostIsCalledOnSeveralThreadsAtATime() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    BatchEvaluator material = HostEvaluators.material(false);
    BatchEvaluator slow =
        (positions, count, perspective, scores) -> {
          threads.add(Thread.currentThread());
          Thread.yield();
          material.evaluate(positions, count, perspective, scores);
        };
    SearchResult found = find(slow, 4, Fixtures.F10, 2);
    assertEquals(find(LeafEvaluator.MATERIAL, 1, Fixtures.F10, 2).best(), found.best());
    assertTrue(threads.contains(Thread.currentThread()), "the caller works too");
  }

  @Test
  void exceptionOfAnyThreadComesOutUnchangedAndTheSearchStaysUsable() {
    for (int at : new int[] {1, 20, 50}) {
      AtomicInteger batches = new AtomicInteger();
      RuntimeException thrown = new UnsupportedOperationException("batch " + at);
      BatchEvaluator material = HostEvaluators.material(false);
      BatchEvaluator faulty =
          (positions, count, perspective, scores) -> {
            if (batches.incrementAndGet() == at) {
              throw thrown;
            }
            material.evaluate(positions, count, perspective, scores);
          };
      try (var search = ExpectimaxSearch.builder(faulty).config(CONFIG.withThreads(3)).build()) {
        GameState state = GameState.parse(Fixtures.F10);
        assertSame(
            thrown,
            assertThrows(UnsupportedOperationException.class, () -> search.findBestMove(state)));
        assertTrue(search.findBestMove(state).best().isPresent());
      }
    }
  }

  @Test
  void workBudgetIsRefused() {
    try (var search =
        ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).config(CONFIG.withThreads(2)).build()) {
      Budget budget = new Budget(100);
      var refused =
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  search.findBestMove(
                      GameState.parse(Fixtures.F10), SearchControl.withBudget(budget), 0));
      assertEquals("a search on 2 threads cannot have a work budget", refused.getMessage());
      assertEquals(0, budget.used());
    }
  }
}
