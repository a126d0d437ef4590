package dicechess.engine

import com.google.gson.JsonObject
import dicechess.engine.search.NativeSearch
import dicechess.engine.search.RootSearchStats
import dicechess.engine.search.ScoreSource
import dicechess.engine.search.SearchLimits
import dicechess.engine.search.SearchOutcome
import org.junit.jupiter.api.Assertions.assertAll
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory

/** The search at depth 2 agrees with `root.json`, candidates taken by turn. */
class RootFixtureTest {
  private val entries = Fixtures.read("root.json").getAsJsonArray("entries").map { it.asJsonObject }

  private val JsonObject.dfen
    get() = this["dfen"].asString

  private fun JsonObject.texts(name: String) = getAsJsonArray(name).map { it.asString }

  private fun ofKind(kind: String, check: (JsonObject) -> Unit): List<DynamicTest> {
    val chosen = entries.filter { it["kind"].asString == kind }
    assertTrue(chosen.isNotEmpty())
    return chosen.map {
      dynamicTest("${it["note"].asString}: ${it.dfen}") { assertAll(it.dfen, { check(it) }) }
    }
  }

  private fun search(dfen: String, limits: SearchLimits = SearchLimits.defaults()) =
    NativeSearch.findBestMove(dfen, limits)

  @TestFactory
  fun bestValueIsExactAndTheTurnIsOneThatHasIt() =
    ofKind("search") { entry ->
      val expected = entry.getAsJsonObject("limit8_by_turn")
      val value = expected["best"].asLong / 216.0
      val result = search(entry.dfen)
      val best = result.best.orElseThrow()
      assertEquals(SearchOutcome.Exact(value, 0), best.outcome)
      assertEquals(value.toInt(), best.score)
      assertEquals(ScoreSource.SEARCH, best.source)
      assertTrue(best.uci.joinToString(" ") in expected.texts("turns"), "${best.uci}")
      assertEquals(entry["turns"].asLong, result.stats.legalTurns)
      assertEquals(
        expected.getAsJsonArray("candidates").size().toLong(),
        result.stats.candidatesSelected,
      )
    }

  @TestFactory
  fun countingWorkChangesNothingElse() =
    ofKind("search") { entry ->
      val free = search(entry.dfen)
      val counted = search(entry.dfen, SearchLimits.defaults().withWorkBudget(1_000_000_000))
      val freeBest = free.best.orElseThrow()
      val countedBest = counted.best.orElseThrow()
      assertEquals(freeBest.uci, countedBest.uci)
      assertEquals(freeBest.outcome.exactOption(), countedBest.outcome.exactOption())
      assertTrue(countedBest.outcome.workUsed() > 0)
    }

  @TestFactory
  fun kingIsCapturedByTheShortestTurn() =
    ofKind("capture") { entry ->
      val shortest = entry.texts("captures").minBy { it.split(" ").size }
      val result = search(entry.dfen)
      val best = result.best.orElseThrow()
      assertEquals(shortest, best.uci.joinToString(" "))
      assertEquals(Int.MAX_VALUE, best.score)
      assertEquals(ScoreSource.CAPTURE, best.source)
      assertEquals(SearchOutcome.Exact(2147483647.0, 0), best.outcome)
      assertEquals(entry["turns"].asLong, result.stats.legalTurns)
    }

  @TestFactory
  fun rollWithoutALegalTurnIsAForcedPass() =
    ofKind("pass") { entry ->
      val result = search(entry.dfen)
      assertTrue(result.isForcedPass)
      assertEquals(RootSearchStats.ZERO, result.stats)
    }

  @Test
  fun seedReachesEveryBestTurnOfF10AndNoOther() {
    val f10 = entries.single { it.dfen == "${Fixtures.F10.substringBeforeLast(' ')} PNB" }
    val expected = f10.getAsJsonObject("limit8_by_turn").texts("turns").toSet()
    val limits = SearchLimits.defaults()
    val played =
      (0L until 64).map {
        search(Fixtures.F10, limits.withSeed(it)).best.orElseThrow().uci.joinToString(" ")
      }
    assertEquals(expected, played.toSet())
  }

  @Test
  fun sameSeedGivesTheSameResultBitForBit() {
    val limits = SearchLimits.defaults().withSeed(7).withWorkBudget(1_000_000_000)
    val first = search(Fixtures.F10, limits)
    repeat(5) { assertEquals(first, search(Fixtures.F10, limits)) }
  }
}
