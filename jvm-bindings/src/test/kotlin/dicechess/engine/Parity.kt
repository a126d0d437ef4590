package dicechess.engine

import com.google.gson.JsonObject
import dicechess.engine.domain.GameState
import dicechess.engine.jvmapi.JvmApi
import dicechess.engine.search.SearchOutcome
import java.security.MessageDigest
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.DynamicTest
import org.junit.jupiter.api.DynamicTest.dynamicTest

/** What the parity suites share. */
internal val JsonObject.dfen: String
  get() = this["dfen"].asString

internal val JsonObject.state: GameState
  get() = JvmApi.parseDfen(dfen)

internal fun JsonObject.texts(name: String): List<String> = getAsJsonArray(name).map { it.asString }

/** One test for each entry of a fixture file that is chosen. */
internal fun eachEntry(
  file: String,
  chosen: (JsonObject) -> Boolean = { true },
  check: (JsonObject) -> Unit,
): List<DynamicTest> {
  val entries = Fixtures.read(file).getAsJsonArray("entries").map { it.asJsonObject }.filter(chosen)
  assertTrue(entries.isNotEmpty())
  return entries.map { dynamicTest("${it["note"]?.asString.orEmpty()} ${it.dfen}") { check(it) } }
}

/** The hash that stands for a list of lines. */
internal fun sha256(lines: List<String>): String =
  MessageDigest.getInstance("SHA-256").digest(lines.joinToString("\n").toByteArray()).joinToString(
    ""
  ) {
    "%02x".format(it)
  }

internal fun JvmApi.Turn.text(): String = uci.joinToString(" ")

/** The DFEN with an empty pool. */
internal fun GameState.withoutDice(): String = JvmApi.toDfen(JvmApi.withDice(this, listOf()))

/** The outcome is exact, and its value this one to the last bit. */
internal fun assertExactly(expected: Double, outcome: SearchOutcome, message: String? = null) {
  val value = outcome.exactOption().orElseThrow { AssertionError("$outcome $message") }
  assertEquals(expected.toRawBits(), value.toRawBits(), "$expected, not $value: $message")
}
