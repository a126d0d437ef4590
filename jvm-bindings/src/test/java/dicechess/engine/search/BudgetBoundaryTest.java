package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Fixtures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a work budget around the exact need does to F10. */
class BudgetBoundaryTest {
  private static SearchResult search(long budget) {
    return NativeSearch.findBestMove(
        Fixtures.F10, SearchLimits.defaults().withWorkBudget(budget).withSeed(7));
  }

  private static SearchResult ample() {
    return search(1_000_000_000);
  }

  private static long need() {
    return ample().best().orElseThrow().outcome().workUsed();
  }

  @Test
  void exactNeedReproducesTurnOutcomeAndStatistics() {
    SearchResult exact = search(need());
    assertEquals(ample(), exact);
    assertTrue(exact.best().orElseThrow().outcome().isExact());
    assertFalse(exact.stats().deadlineTruncated());
  }

  @Test
  void oneUnitLessAbandonsOneCandidateAndProvesNoExactValue() {
    long budget = need() - 1;
    SearchResult result = search(budget);
    SearchOutcome outcome = result.best().orElseThrow().outcome();
    assertEquals(1, result.stats().candidatesAbandoned());
    assertTrue(result.stats().deadlineTruncated());
    assertFalse(result.stats().fellBackToPreRank());
    assertFalse(outcome.isExact());
    assertTrue(outcome.workUsed() <= budget);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1})
  void nextToNothingFallsBackToThePreRanker(long budget) {
    SearchResult result = search(budget);
    BestTurn best = result.best().orElseThrow();
    assertTrue(result.stats().fellBackToPreRank());
    assertEquals(0, result.stats().candidatesCompleted());
    assertEquals(ScoreSource.PRE_RANK, best.source());
    assertInstanceOf(SearchOutcome.Incomplete.class, best.outcome());
    assertTrue(best.outcome().valueOption().isEmpty());
    assertTrue(best.outcome().workUsed() <= budget);
    assertEquals(preRankersFirst(), String.join(" ", best.uci()));
  }

  private static String preRankersFirst() {
    for (var entry : Fixtures.read("root.json").getAsJsonArray("entries")) {
      var object = entry.getAsJsonObject();
      if (object.get("note").getAsString().equals("middlegame")) {
        var candidates = object.getAsJsonObject("limit8_by_turn").getAsJsonArray("candidates");
        return candidates.get(0).getAsString();
      }
    }
    throw new AssertionError("F10 is not in root.json");
  }
}
