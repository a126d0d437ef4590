package dicechess.engine

import dicechess.engine.domain.GameState
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.TestFactory

/** Reading and writing of DFEN agrees with `dfen.json`. */
class DfenFixtureTest {
  private val fixture = Fixtures.read("dfen.json")

  @TestFactory
  fun validTextIsReadAndWrittenInCanonicalForm(): List<DynamicTest> =
    fixture
      .getAsJsonArray("valid")
      .map { it.asJsonObject }
      .map { entry ->
        val text = entry["in"].asString
        val canonical = entry["out"].asString
        dynamicTest("'$text'") {
          val state = GameState.parse(text)
          assertEquals(canonical, state.toString())
          assertEquals(state, GameState.parse(canonical))
          assertEquals(canonical, GameState.parse(canonical).toString())
        }
      }

  @TestFactory
  fun invalidTextIsRefusedWithTheFieldAtFault(): List<DynamicTest> =
    fixture
      .getAsJsonArray("invalid")
      .map { it.asJsonObject }
      .map { entry ->
        val text = entry["in"].asString
        val fields = entry.getAsJsonArray("field").map { it.asString }
        dynamicTest("'${text.take(80)}'") {
          val error = assertThrows(IllegalArgumentException::class.java) { GameState.parse(text) }
          val message = error.message.orEmpty()
          assertTrue(fields.any { it in message }, "$fields in: $message")
        }
      }
}
