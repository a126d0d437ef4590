package dicechess.engine

import com.google.gson.JsonObject
import dicechess.engine.domain.GameState
import dicechess.engine.jvmapi.JvmApi
import dicechess.engine.oracle.Mailbox
import dicechess.engine.oracle.Values
import dicechess.engine.search.ChanceNode
import dicechess.engine.search.ExpectimaxConfig
import dicechess.engine.search.ExpectimaxSearch
import dicechess.engine.search.LeafEvaluator
import dicechess.engine.search.NativeSearch
import dicechess.engine.search.RankedResult
import dicechess.engine.search.RootSearchStats
import dicechess.engine.search.ScoreSource
import dicechess.engine.search.SearchControl
import dicechess.engine.search.SearchLimits
import dicechess.engine.search.SearchOutcome
import org.junit.jupiter.api.Assertions.assertAll
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Assertions.fail
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestFactory

/** The search at depth 2 agrees with `root.json`, candidates taken by turn. */
class RootFixtureTest {
  private val entries = Fixtures.read("root.json").getAsJsonArray("entries").map { it.asJsonObject }

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
  fun everyDistinctPositionHasTheValueOfItsRow() =
    ofKind("search") { entry ->
      val rows = entry.getAsJsonArray("table").map { it.asJsonArray }
      val mover = JvmApi.activeColor(entry.state)
      val first = JvmApi.legalTurns(entry.state).associateBy { it.text() }
      for (row in rows) {
        val after = JvmApi.endTurn(first.getValue(row[0].asString).finalState)
        val control = SearchControl.unbounded()
        val value = ChanceNode.value(after, mover, LeafEvaluator.MATERIAL, control)
        assertExactly(row[1].asLong / 216.0, value.outcome, row[0].asString)
        assertEquals(row[2].asInt, material(after, mover))
      }
    }

  @TestFactory
  fun rankingOfAllDistinctPositionsProvesTheTable() =
    ofKind("search") { entry ->
      val rows = entry.getAsJsonArray("table").map { it.asJsonArray }.associateBy { it[0].asString }
      val ranked = rank(entry, 10_000)
      assertEquals(rows.keys, ranked.candidates.map { it.uci.joinToString(" ") }.toSet())
      assertEquals(rows.size, ranked.candidates.size)
      val best = entry.getAsJsonObject("unlimited")["best"].asLong / 216.0
      assertExactly(best, ranked.result.best.orElseThrow().outcome)
      for (candidate in ranked.candidates) {
        val row = rows.getValue(candidate.uci.joinToString(" "))
        val value = row[1].asLong / 216.0
        assertEquals(row[2].asDouble, candidate.preRank)
        when (val outcome = candidate.outcome) {
          is SearchOutcome.Exact -> assertExactly(value, outcome)
          is SearchOutcome.UpperBound -> assertTrue(value <= outcome.value && outcome.value < best)
          else -> fail("$candidate")
        }
      }
      val exact = ranked.candidates.filter { it.outcome.valueOption().asDouble == best }
      val expected = entry.getAsJsonObject("unlimited").texts("turns").toSet()
      assertEquals(expected, exact.map { it.uci.joinToString(" ") }.toSet())
    }

  @TestFactory
  fun limitOfEightKeepsTheBestPositions() =
    ofKind("search") { entry ->
      val expected = entry.getAsJsonObject("limit8")
      val ranked = rank(entry, 8)
      val candidates = ranked.candidates.map { it.uci.joinToString(" ") }
      assertEquals(expected.texts("candidates"), candidates)
      val best = ranked.result.best.orElseThrow()
      assertExactly(expected["best"].asLong / 216.0, best.outcome)
      assertTrue(best.uci.joinToString(" ") in expected.texts("turns"))
    }

  private fun rank(entry: JsonObject, limit: Int): RankedResult {
    val config = ExpectimaxConfig.defaults().withDistinctCandidates(true).withCandidateLimit(limit)
    return ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).config(config).build().use {
      it.rankMoves(entry.state, SearchControl.unbounded(), 1)
    }
  }

  private fun material(state: GameState, color: Int) =
    Values.material(Mailbox.parse(state.toString()), color)

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
