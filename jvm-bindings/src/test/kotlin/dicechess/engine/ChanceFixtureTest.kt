package dicechess.engine

import com.google.gson.JsonObject
import dicechess.engine.domain.GameState
import dicechess.engine.jvmapi.JvmApi
import dicechess.engine.oracle.Mailbox
import dicechess.engine.oracle.Values
import dicechess.engine.search.ChanceNode
import dicechess.engine.search.ChanceValue
import dicechess.engine.search.ExpectimaxConfig
import dicechess.engine.search.ExpectimaxSearch
import dicechess.engine.search.LeafEvaluator
import dicechess.engine.search.SearchControl
import kotlin.math.abs
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.TestFactory

/** Values before the roll agree with `chance.json`, and classes of rolls with `classes.json`. */
class ChanceFixtureTest {
  private val leaves =
    mapOf("material" to LeafEvaluator.MATERIAL, "evaluate" to LeafEvaluator.STANDARD)

  private fun plies(count: Int) = { entry: JsonObject -> entry["plies"].asInt == count }

  private fun value(state: GameState, color: Int, leaf: LeafEvaluator): ChanceValue =
    ChanceNode.value(state, color, leaf, SearchControl.unbounded())

  /** Calls with the leaf, the perspective and the numerator of each value of an entry. */
  private fun forEachValue(entry: JsonObject, check: (LeafEvaluator, Int, Long) -> Unit) =
    leaves.forEach { (name, leaf) ->
      check(leaf, 0, entry.getAsJsonObject(name)["w"].asLong)
      check(leaf, 1, entry.getAsJsonObject(name)["b"].asLong)
    }

  @TestFactory
  fun onePlyIsTheExactRationalToTheLastBit() =
    eachEntry("chance.json", plies(1)) { entry ->
      forEachValue(entry) { leaf, color, numerator ->
        val found = value(entry.state, color, leaf)
        assertExactly(numerator / 216.0, found.outcome)
        assertEquals(entry["classes"].asInt, found.classes)
        assertEquals(found.classes, found.classesResolved)
        val lost = entry["capturing_rolls"].asInt > 0 && color != JvmApi.activeColor(entry.state)
        assertEquals(lost, found.lossTainted)
      }
    }

  @TestFactory
  fun twoPliesAreTheExactRationalUpToTheRoundingOfInnerValues() =
    eachEntry("chance.json", plies(2)) { entry ->
      val config = ExpectimaxConfig.defaults().withSearchDepth(3)
      forEachValue(entry) { leaf, color, numerator ->
        ExpectimaxSearch.builder(leaf).config(config).build().use { search ->
          val found = search.chanceValue(entry.state, color, SearchControl.unbounded())
          val value = found.outcome.exactOption().orElseThrow()
          val expected = numerator / 46_656.0
          assertTrue(abs(value - expected) <= 1e-12 * abs(expected), "$expected, not $value")
          assertExactly(twoPlies(entry.state, color, leaf), found.outcome)
          assertEquals(entry["classes"].asInt, found.classes)
        }
      }
    }

  /** The same value from values one ply deep, summed up in class order. */
  private fun twoPlies(state: GameState, color: Int, leaf: LeafEvaluator): Double {
    val maximizes = JvmApi.activeColor(state) == color
    val sum =
      Values.classes(Mailbox.parse(state.toString())).sumOf { rolls ->
        val rolled = JvmApi.withDice(state, rolls.dice())
        val turns = JvmApi.legalTurns(rolled)
        val worth =
          if (turns.any { JvmApi.isGameOver(it.finalState) }) {
            if (maximizes) Values.WIN else Values.LOSS
          } else {
            val after = turns.map { JvmApi.endTurn(it.finalState) }
            val values =
              after
                .ifEmpty { listOf(JvmApi.endTurn(rolled)) }
                .distinct()
                .map { value(it, color, leaf).outcome.exactOption().orElseThrow() }
            if (maximizes) values.max() else values.min()
          }
        rolls.weight() * worth
      }
    return sum / 216
  }

  @TestFactory
  fun classesOfRollsAreCounted() =
    eachEntry("classes.json") { entry ->
      val expected =
        entry.getAsJsonArray("classes").map { it.asJsonArray }.map { it[0].asString to it[1].asInt }
      val classes =
        Values.classes(Mailbox.parse(entry.dfen)).map { rolls ->
          rolls.dice().joinToString("") { "" + "PNBRQK"[it - 1] } to rolls.weight()
        }
      assertEquals(expected, classes)
      if (!JvmApi.isGameOver(entry.state)) {
        assertEquals(expected.size, value(entry.state, 0, LeafEvaluator.STANDARD).classes)
      }
    }
}
