package dicechess.engine.search;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** How a service makes a search end when a future is cancelled, or a waiting thread interrupted. */
final class CancellableSearch {
  private CancellableSearch() {}

  /** Starts a search that cancelling the future ends. */
  static CompletableFuture<SearchResult> start(
      Executor executor, SearchControl control, Supplier<SearchResult> search) {
    CompletableFuture<SearchResult> future = CompletableFuture.supplyAsync(search, executor);
    // The future alone would leave its thread searching.
    future.whenComplete(
        (result, error) -> {
          if (future.isCancelled()) {
            control.cancel();
          }
        });
    return future;
  }

  /** Waits for a search; when interrupted, takes the best turn that there is by then. */
  static SearchResult await(Executor executor, SearchControl control, Supplier<SearchResult> search)
      throws ExecutionException {
    CompletableFuture<SearchResult> future = CompletableFuture.supplyAsync(search, executor);
    try {
      return future.get();
    } catch (InterruptedException e) {
      control.cancel();
      SearchResult soFar = future.join();
      Thread.currentThread().interrupt();
      return soFar;
    }
  }
}
