package dicechess.engine

import dicechess.engine.domain.GameState
import dicechess.engine.jvmapi.JvmApi
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.TestFactory

/** Counts of micro-moves with one die a turn agree with `perft.json`. */
class PerftFixtureTest {
  @TestFactory
  fun nodesAtEveryDepth() =
    eachEntry("perft.json") { entry ->
      val die = listOf("PNBRQK".indexOf(entry["die"].asString) + 1)
      val expected = entry.getAsJsonArray("nodes").map { it.asLong }
      val found = expected.indices.map { perft(entry.state, die, it + 1) }
      assertEquals(expected, found)
    }

  private fun perft(state: GameState, die: List<Int>, depth: Int): Long {
    val turns = JvmApi.legalTurns(JvmApi.withDice(state, die))
    return if (depth == 1) turns.size.toLong()
    else turns.sumOf { perft(JvmApi.endTurn(it.finalState), die, depth - 1) }
  }
}
