package dicechess.engine

import dicechess.engine.jvmapi.JvmApi
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.TestFactory

/** Legal turns and the positions they lead to agree with `turns.json`. */
class TurnsFixtureTest {
  @TestFactory
  fun turnsComeInCanonicalOrder() =
    eachEntry("turns.json") { entry ->
      val turns = JvmApi.legalTurns(entry.state).map { it.text() }
      assertEquals(entry["turns"].asInt, turns.size)
      assertEquals(entry.texts("first"), turns.take(3))
      assertEquals(entry.texts("last"), turns.takeLast(3))
      assertEquals(entry["turns_sha256"].asString, sha256(turns))
    }

  @TestFactory
  fun turnsThatCaptureTheKingComeFirstAndEndTheGame() =
    eachEntry("turns.json") { entry ->
      val state = entry.state
      val kings = kings(state.toString())
      val turns = JvmApi.legalTurns(state)
      val capturing = turns.filter { kings(it.finalState.toString()) < kings }
      assertEquals(entry["capturing"].asInt, capturing.size)
      assertEquals(turns.take(capturing.size), capturing)
      val finals = capturing.map { it.finalState.withoutDice() }.toSortedSet().toList()
      assertEquals(entry["capture_finals"].asInt, finals.size)
      assertEquals(entry["capture_finals_sha256"].asString, sha256(finals))
    }

  @TestFactory
  fun quietTurnsLeadToTheDistinctPositions() =
    eachEntry("turns.json") { entry ->
      val quiet = JvmApi.legalTurns(entry.state).drop(entry["capturing"].asInt)
      val finals = quiet.map { it.finalState.withoutDice() }.toSortedSet().toList()
      assertEquals(entry["finals"].asInt, finals.size)
      assertEquals(entry["finals_sha256"].asString, sha256(finals))
    }

  @TestFactory
  fun endOfTheTurnMergesSomeOfThem() =
    eachEntry("turns.json") { entry ->
      val quiet = JvmApi.legalTurns(entry.state).drop(entry["capturing"].asInt)
      val ended = quiet.map { JvmApi.endTurn(it.finalState).toString() }.toSortedSet().toList()
      assertEquals(entry["finals_after_end_turn"].asInt, ended.size)
      assertEquals(entry["finals_after_end_turn_sha256"].asString, sha256(ended))
    }

  private fun kings(dfen: String) = dfen.substringBefore(' ').count { it in "Kk" }
}
