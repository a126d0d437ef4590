package dicechess.engine.search

import dicechess.engine.Fixtures
import dicechess.engine.jvmapi.JvmApi
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** The examples of the design, as a Kotlin program writes them. */
class KotlinSeedExamplesTest {
  private val search = ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).build()
  private val state = JvmApi.parseDfen(Fixtures.F10)

  @AfterEach fun close() = search.close()

  private fun assertLegal(result: SearchResult) {
    val best = result.best.orElseThrow()
    assertTrue(JvmApi.Turn(best.uci, best.finalState) in JvmApi.legalTurns(state))
  }

  @Test
  fun fixed() {
    val budget = Budget(50_000)
    val fixed = search.findBestMove(state, SearchControl.withBudget(budget), 7)
    assertLegal(fixed)
    assertEquals(budget.used(), fixed.best.orElseThrow().outcome.workUsed())
    val again = search.findBestMove(state, SearchControl.withBudget(Budget(50_000)), 7)
    assertEquals(fixed, again)
  }

  @Test
  fun timed() {
    val control = SearchControl.untilDeadline(System.nanoTime() + 100_000_000L)
    assertLegal(search.findBestMove(state, control, 7))
  }

  @Test
  fun both() {
    val timed = SearchControl.untilDeadline(System.nanoTime() + 100_000_000L)
    val control = timed.andBudget(Budget(50_000))
    assertLegal(search.findBestMove(state, control, 7))
    assertTrue(control.workUsed() <= 50_000)
  }

  @Test
  fun evaluatorAndClockMayBeLambdas() {
    val even = BatchEvaluator { _, count, _, scores -> repeat(count) { scores.put(it, 0.0) } }
    var reads = 0L
    val control = SearchControl.untilDeadline(3) { ++reads }
    ExpectimaxSearch.builder(even).build().use { assertLegal(it.findBestMove(state, control, 7)) }
    assertEquals(3, reads)
  }

  /** The compiler knows that there are these four, and that the last has no value. */
  private fun text(outcome: SearchOutcome): String =
    when (outcome) {
      is SearchOutcome.Exact -> "= ${outcome.value}"
      is SearchOutcome.LowerBound -> ">= ${outcome.value}"
      is SearchOutcome.UpperBound -> "<= ${outcome.value}"
      is SearchOutcome.Incomplete -> "after ${outcome.workUsed}"
    }

  @Test
  fun outcomesAreToldApartByTheCompiler() {
    val outcomes =
      listOf(
        SearchOutcome.Exact(1.5, 0),
        SearchOutcome.LowerBound(1.5, 0),
        SearchOutcome.UpperBound(1.5, 0),
        SearchOutcome.Incomplete(9),
      )
    assertEquals(listOf("= 1.5", ">= 1.5", "<= 1.5", "after 9"), outcomes.map { text(it) })
  }
}
