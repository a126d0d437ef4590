package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Fixtures;
import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cancelling from another thread, made certain by an evaluator that waits for it. */
class CancellationExampleTest {
  private final GameState state = JvmApi.parseDfen(Fixtures.F10);
  private final SearchControl control = SearchControl.unbounded();
  private final Gate gate = new Gate();
  private final ExpectimaxSearch search = ExpectimaxSearch.builder(gate).build();
  private final ExecutorService executor = Executors.newSingleThreadExecutor();

  @AfterEach
  void close() {
    executor.shutdown();
    search.close();
  }

  /** Tells of its first call, then waits until it may go on. */
  private static final class Gate implements BatchEvaluator {
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch open = new CountDownLatch(1);

    @Override
    public void evaluate(ByteBuffer positions, int count, int perspective, DoubleBuffer scores) {
      entered.countDown();
      try {
        open.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      for (int i = 0; i < count; i++) {
        scores.put(i, 0);
      }
    }
  }

  private SearchResult search() {
    return search.findBestMove(state, control, 1);
  }

  private static void assertCutInTheFirstCandidate(SearchResult result) {
    assertTrue(result.stats().deadlineTruncated());
    assertTrue(result.stats().fellBackToPreRank());
    assertEquals(1, result.stats().candidatesAbandoned());
    BestTurn best = result.best().orElseThrow();
    assertEquals(ScoreSource.PRE_RANK, best.source());
    assertEquals(new SearchOutcome.Incomplete(0), best.outcome());
  }

  @Test
  void cancellingTheFutureEndsTheSearch() throws Exception {
    CompletableFuture<SearchResult> ended = new CompletableFuture<>();
    CompletableFuture<SearchResult> future =
        CancellableSearch.start(
            executor,
            control,
            () -> {
              SearchResult result = search();
              ended.complete(result);
              return result;
            });
    gate.entered.await();
    assertTrue(future.cancel(true));
    gate.open.countDown();
    assertThrows(CancellationException.class, future::join);
    assertCutInTheFirstCandidate(ended.get());
    assertTrue(control.isCancelled());
  }

  @Test
  void interruptingTheWaitingThreadEndsTheSearch() throws Exception {
    CompletableFuture<SearchResult> taken = new CompletableFuture<>();
    CompletableFuture<Boolean> stillInterrupted = new CompletableFuture<>();
    Thread waiting =
        new Thread(
            () -> {
              try {
                taken.complete(CancellableSearch.await(executor, control, this::search));
              } catch (Exception e) {
                taken.completeExceptionally(e);
              }
              stillInterrupted.complete(Thread.currentThread().isInterrupted());
            });
    waiting.start();
    gate.entered.await();
    waiting.interrupt();
    while (!control.isCancelled()) {
      Thread.onSpinWait();
    }
    gate.open.countDown();
    assertCutInTheFirstCandidate(taken.get());
    assertTrue(stillInterrupted.get());
  }

  @Test
  void searchThatIsNotCancelledRunsToItsEnd() throws Exception {
    gate.open.countDown();
    SearchResult result = CancellableSearch.start(executor, control, this::search).get();
    assertFalse(result.stats().deadlineTruncated());
    assertEquals(result, CancellableSearch.await(executor, control, this::search));
    assertFalse(control.isCancelled());
  }

  @Test
  void controlOnceCancelledCancelsTheNextCallToo() {
    gate.open.countDown();
    control.cancel();
    assertTrue(control.isCancelled());
    for (int i = 0; i < 2; i++) {
      SearchResult result = search();
      assertTrue(result.stats().fellBackToPreRank());
      assertEquals(0, result.stats().candidatesAbandoned());
    }
    assertEquals(1, gate.entered.getCount());
  }
}
