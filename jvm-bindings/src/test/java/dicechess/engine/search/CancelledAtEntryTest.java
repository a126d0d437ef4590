package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Fixtures;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A search whose limits have run out before it starts still owes a legal turn. */
class CancelledAtEntryTest {
  static Stream<SearchLimits> exhausted() {
    SearchLimits limits = SearchLimits.defaults();
    return Stream.of(
        limits.withWorkBudget(0),
        limits.withDeadlineNanos(System.nanoTime()),
        limits.withDeadlineNanos(Long.MIN_VALUE),
        limits.withWorkBudget(0).withDeadlineNanos(Long.MIN_VALUE));
  }

  static Stream<SearchLimits> any() {
    return Stream.concat(Stream.of(SearchLimits.defaults()), exhausted());
  }

  @ParameterizedTest
  @MethodSource("any")
  void f4IsAForcedPassWithAllZeroStatistics(SearchLimits limits) {
    SearchResult result = NativeSearch.findBestMove(Fixtures.F4, limits);
    assertTrue(result.isForcedPass());
    assertEquals(RootSearchStats.ZERO, result.stats());
  }

  @ParameterizedTest
  @MethodSource("any")
  void f7CapturesTheKingAtOnceAndChargesNothing(SearchLimits limits) {
    SearchResult result = NativeSearch.findBestMove(Fixtures.F7, limits);
    BestTurn best = result.best().orElseThrow();
    assertEquals(List.of("b3c5"), best.uci());
    assertEquals(Integer.MAX_VALUE, best.score());
    assertEquals(ScoreSource.CAPTURE, best.source());
    assertEquals(new SearchOutcome.Exact(Integer.MAX_VALUE, 0), best.outcome());
    assertEquals("8/8/8/2N5/8/8/2P5/K7 w - - 0 1 PP", best.finalState().toString());
    assertEquals(
        new RootSearchStats(16, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, false, 0, 0, 0), result.stats());
  }

  @ParameterizedTest
  @MethodSource("exhausted")
  void f10FallsBackToThePreRanker(SearchLimits limits) {
    SearchResult result = NativeSearch.findBestMove(Fixtures.F10, limits);
    BestTurn best = result.best().orElseThrow();
    assertEquals(List.of("a2a3", "f3e5", "c4f7"), best.uci());
    assertEquals(ScoreSource.PRE_RANK, best.source());
    assertEquals(new SearchOutcome.Incomplete(0), best.outcome());
    assertTrue(result.stats().fellBackToPreRank());
    assertTrue(result.stats().deadlineTruncated());
    assertEquals(0, result.stats().candidatesCompleted());
  }
}
