package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Fixtures;
import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With a clock that counts its own reads, the n-th check cancels: any n leaves a sound answer. */
class InjectedClockTest {
  private static final String KNIGHT = "7k/8/8/8/8/2n5/8/1K6 w - - 0 1 K";
  private static final String KINGS = "7k/8/8/8/8/8/8/K7 w - - 0 1 K";

  private static final class Ticking implements LongSupplier {
    long reads;

    @Override
    public long getAsLong() {
      return ++reads;
    }
  }

  private static long readsOf(ExpectimaxSearch search, GameState root) {
    Ticking clock = new Ticking();
    search.findBestMove(root, SearchControl.untilDeadline(Long.MAX_VALUE - 1, clock), 3);
    return clock.reads;
  }

  @ParameterizedTest
  @CsvSource({KNIGHT + ", 2", KINGS + ", 3"})
  void cancelledAtAnyReadTheAnswerIsTheBestOfTheCandidatesCompleted(String dfen, int depth) {
    GameState root = JvmApi.parseDfen(dfen);
    ExpectimaxConfig config = ExpectimaxConfig.defaults().withSearchDepth(depth);
    List<JvmApi.Turn> legal = JvmApi.legalTurns(root);
    try (var search = ExpectimaxSearch.builder(LeafEvaluator.STANDARD).config(config).build();
        var caching =
            ExpectimaxSearch.builder(LeafEvaluator.STANDARD).config(config).table(1024).build()) {
      RankedResult free = search.rankMoves(root, SearchControl.unbounded(), 3);
      long total = readsOf(search, root);
      assertTrue(total > 10, "reads: " + total);
      for (long n = 1; n <= total; n++) {
        Ticking clock = new Ticking();
        SearchControl control = SearchControl.untilDeadline(n, clock);
        RankedResult cut = search.rankMoves(root, control, 3);
        assertTrue(control.isCancelled());
        assertEquals(n, clock.reads, "the first yes is final");
        assertTrue(cut.result().stats().deadlineTruncated());
        BestTurn best = cut.result().best().orElseThrow();
        assertTrue(legal.contains(new JvmApi.Turn(best.uci(), best.finalState())));
        assertBestOfCompleted(cut, best);
        assertLeavesNoTrace(caching, root, n, free);
      }
      SearchControl ample = SearchControl.untilDeadline(total + 1, new Ticking());
      assertEquals(free, search.rankMoves(root, ample, 3));
    }
  }

  private static void assertBestOfCompleted(RankedResult cut, BestTurn best) {
    List<RankedTurn> completed =
        cut.candidates().stream().filter(candidate -> candidate.outcome().isExact()).toList();
    var greatest =
        completed.stream().mapToDouble(c -> c.outcome().valueOption().orElseThrow()).max();
    assertEquals(completed.isEmpty(), cut.result().stats().fellBackToPreRank());
    assertEquals(greatest, best.outcome().valueOption());
    if (completed.isEmpty()) {
      assertEquals(cut.candidates().get(0).uci(), best.uci());
      assertEquals(ScoreSource.PRE_RANK, best.source());
    } else {
      Stream<List<String>> turns =
          completed.stream()
              .filter(c -> c.outcome().valueOption().equals(greatest))
              .map(RankedTurn::uci);
      assertTrue(turns.toList().contains(best.uci()));
      assertEquals(ScoreSource.SEARCH, best.source());
    }
  }

  private static void assertLeavesNoTrace(
      ExpectimaxSearch caching, GameState root, long n, RankedResult free) {
    caching.clearTable();
    caching.findBestMove(root, SearchControl.untilDeadline(n, new Ticking()), 3);
    SearchResult after = caching.findBestMove(root, SearchControl.unbounded(), 3);
    assertEquals(free.result().best(), after.best());
  }

  @Test
  void chanceValueCutAtAnyReadIsIncompleteOrTheValue() {
    GameState node = JvmApi.parseDfen("7k/8/8/8/8/2n5/8/1K6 b - - 0 1");
    try (var search = ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).build()) {
      ChanceValue free = search.chanceValue(node, 0, SearchControl.unbounded());
      Ticking reads = new Ticking();
      search.chanceValue(node, 0, SearchControl.untilDeadline(Long.MAX_VALUE - 1, reads));
      for (long n : LongStream.rangeClosed(1, reads.reads).toArray()) {
        ChanceValue cut =
            search.chanceValue(node, 0, SearchControl.untilDeadline(n, new Ticking()));
        assertEquals(new SearchOutcome.Incomplete(0), cut.outcome());
        assertEquals(free.classes(), cut.classes());
        assertTrue(cut.classesResolved() <= free.classes());
      }
      SearchControl ample = SearchControl.untilDeadline(reads.reads + 1, new Ticking());
      assertEquals(free, search.chanceValue(node, 0, ample));
    }
  }

  @Test
  void clockIsNeverReadWithoutADeadline() {
    Ticking clock = new Ticking();
    SearchControl control = SearchControl.untilDeadline(SearchControl.NO_DEADLINE, clock);
    try (var search = ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).build()) {
      search.findBestMove(JvmApi.parseDfen(KNIGHT), control, 0);
    }
    assertTrue(!control.isCancelled() && !control.isTimed());
    assertEquals(0, clock.reads);
  }

  @Test
  void clockIsReadLast() {
    Ticking clock = new Ticking();
    SearchControl cancelled = SearchControl.untilDeadline(1, clock);
    cancelled.cancel();
    assertTrue(cancelled.isCancelled());
    Budget spent = new Budget(0);
    KingCapture.path(JvmApi.parseDfen(Fixtures.F7), spent);
    assertTrue(SearchControl.untilDeadline(1, clock).andBudget(spent).isCancelled());
    assertEquals(0, clock.reads);
    assertTrue(SearchControl.untilDeadline(1, clock).andBudget(new Budget(0)).isCancelled());
    assertEquals(1, clock.reads);
  }

  @Test
  void clockIsComparedNotSubtractedAndEqualIsLate() {
    assertTrue(SearchControl.untilDeadline(Long.MIN_VALUE, () -> Long.MIN_VALUE).isCancelled());
    assertTrue(SearchControl.untilDeadline(Long.MIN_VALUE, () -> Long.MAX_VALUE).isCancelled());
    assertTrue(SearchControl.untilDeadline(5, () -> 5).isCancelled());
    assertTrue(!SearchControl.untilDeadline(5, () -> 4).isCancelled());
    assertTrue(!SearchControl.untilDeadline(Long.MAX_VALUE - 1, () -> -9).isCancelled());
  }

  @Test
  void clockThatGoesBackRevivesNothing() {
    long[] now = {10};
    SearchControl control = SearchControl.untilDeadline(10, () -> now[0]);
    assertTrue(control.isCancelled());
    now[0] = 0;
    assertTrue(control.isCancelled());
    try (var search = ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).build()) {
      SearchResult result = search.findBestMove(JvmApi.parseDfen(KNIGHT), control, 0);
      assertTrue(result.stats().fellBackToPreRank());
    }
  }
}
