package dicechess.engine

import dicechess.engine.jvmapi.JvmApi
import dicechess.engine.search.Budget
import dicechess.engine.search.KingCapture
import dicechess.engine.search.RulesOutcome
import java.util.Optional
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.TestFactory

/**
 * Queries about king captures agree with `captures.json` and `turns.json`, and keep their budget.
 */
class KingCaptureFixtureTest {
  private fun <T : Any> complete(query: (Budget) -> RulesOutcome<T>): T {
    val free = Budget(Long.MAX_VALUE)
    val answer = query(free) as RulesOutcome.Complete<T>
    assertEquals(free.used(), answer.workUsed())
    assertExactNeed(query, free.used(), answer)
    return answer.value()
  }

  /** The need is enough, one unit less is not. */
  private fun <T : Any> assertExactNeed(
    query: (Budget) -> RulesOutcome<T>,
    need: Long,
    answer: Any,
  ) {
    val exact = Budget(need)
    assertEquals(answer, query(exact))
    assertEquals(need, exact.used())
    assertTrue(!exact.isExhausted)
    if (need > 0) {
      val short = Budget(need - 1)
      assertEquals(RulesOutcome.Incomplete<T>(need - 1), query(short))
      assertTrue(short.isExhausted)
    }
  }

  @TestFactory
  fun rollsThatCaptureTheKing() =
    eachEntry("captures.json") { entry ->
      listOf("defender_w", "defender_b").forEachIndexed { defender, name ->
        val rolls = complete { KingCapture.rolls(entry.state, defender, it) }
        assertEquals(entry[name].asInt, rolls, name)
      }
    }

  @TestFactory
  fun firstTurnThatCapturesTheKingOrTheProofThatThereIsNone() =
    eachEntry("turns.json") { entry ->
      val expected =
        if (entry["capturing"].asInt == 0) Optional.empty()
        else Optional.of(JvmApi.legalTurns(entry.state).first().uci)
      assertEquals(expected, complete { KingCapture.path(entry.state, it) })
    }
}
