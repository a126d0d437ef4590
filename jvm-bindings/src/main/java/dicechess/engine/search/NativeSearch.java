package dicechess.engine.search;

import dicechess.engine.NativeEngineException;
import dicechess.engine.internal.NativeBridge;
import dicechess.engine.internal.ResultDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The search, as one call. Thread-safe: calls are independent of each other. */
public final class NativeSearch {
  private NativeSearch() {}

  /**
   * Finds the best turn for a position with its dice.
   *
   * <p>A turn that captures the king is played at once. Otherwise the best candidates by material
   * are searched for their exact expected value over all rolls of the other side. The answer is a
   * legal turn whatever the limits: when they cut the search short it is the best of the candidates
   * that were finished, or the pre-ranker's choice when none was, and {@link BestTurn#outcome()}
   * says which.
   *
   * @param dfen the position, see {@link dicechess.engine.domain.GameState#parse}; it must have
   *     dice and both kings
   * @param limits how far to search
   * @return the turn, or none if the roll has no legal turn
   * @throws IllegalArgumentException if the text is not a DFEN, with the name of the field and the
   *     text at fault; if the position has no dice or lacks a king; if a limit is not supported; or
   *     if an argument is null
   * @throws OutOfMemoryError if there are too many turns to list, as {@code JvmApi.legalTurns}
   *     says, or memory does not hold them and their candidates
   * @throws NativeEngineException if the native library is not available, or the search failed
   */
  public static SearchResult findBestMove(@Nullable String dfen, @Nullable SearchLimits limits) {
    if (dfen == null) {
      throw new IllegalArgumentException("dfen must not be null");
    }
    if (limits == null) {
      throw new IllegalArgumentException("limits must not be null");
    }
    NativeBridge.requireLoaded();
    return ResultDecoder.decode(
        NativeBridge.search(
            dfen.getBytes(StandardCharsets.UTF_8),
            limits,
            limits.evaluator().ordinal(),
            limits.remainingNanos(System.nanoTime())));
  }
}
