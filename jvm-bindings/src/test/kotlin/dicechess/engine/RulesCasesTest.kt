package dicechess.engine

import dicechess.engine.domain.GameState
import dicechess.engine.jvmapi.JvmApi
import java.util.Optional
import java.util.Random
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource

/** What went wrong in other programs, by the numbers of the case collection: rules and notation. */
class RulesCasesTest {
  private val start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

  private fun state(dfen: String, vararg dice: Int): GameState =
    JvmApi.parseDfen(dfen).let { if (dice.isEmpty()) it else JvmApi.withDice(it, dice.toList()) }

  private fun turns(dfen: String, vararg dice: Int): List<String> =
    JvmApi.legalTurns(state(dfen, *dice)).map { it.text() }

  private fun after(dfen: String, turn: String): GameState =
    JvmApi.legalTurns(state(dfen)).single { it.text() == turn }.finalState

  private fun exactly(dfen: String, vararg expected: String) =
    assertEquals(expected.toSet() to expected.size, turns(dfen).let { it.toSet() to it.size })

  @Test
  fun rul01EnPassantLaterInTheTurn() {
    val dfen = "4k3/8/8/3pP3/8/8/8/N3K3 w - d6 0 1 PN"
    val last = arrayOf("a1b3 e5d6", "a1b3 e5e6", "a1c2 e5d6", "a1c2 e5e6")
    exactly(dfen, *last, "e5d6 a1b3", "e5d6 a1c2", "e5e6 a1b3", "e5e6 a1c2")
    for (turn in turns(dfen).filter { "e5d6" in it }) {
      assertTrue(after(dfen, turn).toString().startsWith("4k3/8/3P4/8/8/"))
    }
    val report = turns("r2q2r1/ppp1nk1p/2B2p2/3p3b/1P1Pp2P/4P2N/PP3P2/RNB4K b - d3 0 7", 1, 5, 5)
    assertTrue("d8d6 d6c6 e4d3" in report)
    assertEquals(1066, report.size)
    val other = turns("1rNk2nr/1ppp1ppp/4q3/2b5/1n1Pp3/5N2/PPPQPPPP/1RBK1B1R b - d3 2 4", 1, 2, 4)
    assertTrue("b8c8 e4d3 g8f6" in other)
    assertEquals(1943, other.size)
  }

  @Test
  fun rul03SeveralEnPassantSquaresAtOnce() {
    val ended = JvmApi.endTurn(after("$start PPP", "e2e4 a2a4 c2c4"))
    assertEquals("rnbqkbnr/pppppppp/8/8/P1P1P3/8/1P1P1PPP/RNBQKBNR b KQkq a3c3e3 0 1", "$ended")
    val dfen = "4k3/8/8/8/PpPpP3/8/8/4K3 b - a3c3e3 0 1"
    exactly("$dfen p", "b4a3", "b4b3", "b4c3", "d4c3", "d4d3", "d4e3")
    val two = JvmApi.legalTurns(state("$dfen pp"))
    assertEquals(22, two.size)
    val boards =
      two.map { turn -> "${turn.finalState}".split(" ").let { listOf(it[0], it[4]) } }.toSet()
    assertEquals(14, boards.size)
  }

  @Test
  fun rul05OwnPawnIsNotCapturedEnPassant() {
    exactly(
      "4k3/8/8/8/8/8/4PP2/4K3 w - - 0 1 PP",
      *arrayOf("e2e3 e3e4", "e2e3 f2f3", "e2e3 f2f4", "e2e4 e4e5", "e2e4 f2f3", "e2e4 f2f4"),
      *arrayOf("f2f3 e2e3", "f2f3 e2e4", "f2f3 f3f4", "f2f4 e2e3", "f2f4 e2e4", "f2f4 f4f5"),
    )
  }

  @Test
  fun rul07CastlingIsNotThrownAwayByAMoveCountMaximum() =
    exactly("4k3/8/8/8/8/8/3PPP1P/3QK2R w K - 0 1 RK", "e1g1", "e1f1 h1g1", "h1g1 e1f1")

  @Test
  fun rul09NoCastlingWithoutTheRookDie() {
    val dfen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    exactly("$dfen K", "e1d1", "e1d2", "e1e2", "e1f1", "e1f2")
    assertFalse(turns("$dfen KKK").any { "e1g1" in it || "e1c1" in it })
    val rooks = turns("$dfen R")
    assertEquals(19, rooks.size)
    assertTrue(rooks.all { it.startsWith("a1") || it.startsWith("h1") })
  }

  @ParameterizedTest
  @CsvSource(
    "4r1k1/8/8/8/8/8/8/4K2R w K - 0 1 RK, e1g1, 4r1k1/8/8/8/8/8/8/5RK1 w - - 1 1",
    "5rk1/8/8/8/8/8/8/4K2R w K - 0 1 RK, e1g1, 5rk1/8/8/8/8/8/8/5RK1 w - - 1 1",
    "1r4k1/8/8/8/8/8/8/R3K3 w Q - 0 1 RK, e1c1, 1r4k1/8/8/8/8/8/8/2KR4 w - - 1 1",
  )
  fun rul10CastlingWhileAttacked(dfen: String, turn: String, result: String) =
    assertEquals(result, "${after(dfen, turn)}")

  @Test
  fun rul12RightsOfACapturedKingAreGone() {
    val dfen = "4k2r/8/8/8/8/8/4R3/4K3 w k - 0 1 R"
    val result = after(dfen, "e2e8")
    assertEquals("4R2r/8/8/8/8/8/8/4K3 w - - 0 1", "$result")
    assertTrue(JvmApi.isGameOver(result))
    assertEquals(0, JvmApi.winner(result))
    assertEquals(13, turns(dfen).size)
  }

  @Test
  fun rul14EveryDieThatCanBeSpentIsSpent() {
    val twice = arrayOf("a2a3 a1a2", "a2a4 a1a2", "a2a4 a1a3")
    exactly("$start PR", *twice, "h2h3 h1h2", "h2h4 h1h2", "h2h4 h1h3")
    val three = JvmApi.legalTurns(state("$start PNR"))
    assertEquals(234, three.size)
    assertTrue(three.all { it.uci.size == 3 })
  }

  @Test
  fun rul16KingCaptureDoesNotShortenOtherTurns() =
    exactly(
      "8/8/P7/8/2k3K1/8/1P4P1/8 w - - 0 1 PPN",
      *arrayOf("a6a7 a7a8n a8b6", "a6a7 a7a8n a8c7", "b2b3 b3c4"),
    )

  @Test
  fun rul18ForcedPassIsNeitherALossNorAnError() {
    assertEquals(setOf("b1a3", "b1c3", "g1f3", "g1h3"), turns(start, 2, 3, 5).toSet())
    val passes = listOf(intArrayOf(3, 3, 5), intArrayOf(4, 5, 6))
    for (rolled in passes.map { state(start, *it) }) {
      assertEquals(listOf<JvmApi.Turn>(), JvmApi.legalTurns(rolled))
      assertEquals(Optional.empty<JvmApi.ScoredTurn>(), JvmApi.bestTurn(rolled, "expectimax"))
      assertFalse(JvmApi.isGameOver(rolled))
      assertEquals(-1, JvmApi.winner(rolled))
    }
    val last = state("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1 qqq")
    assertEquals(listOf<JvmApi.Turn>(), JvmApi.legalTurns(last))
    assertEquals("4k3/8/8/8/4P3/8/8/4K3 w - - 0 2", "${JvmApi.endTurn(last)}")
    val rolls = (1..6).flatMap { a -> (1..6).flatMap { b -> (1..6).map { intArrayOf(a, b, it) } } }
    assertEquals(64, rolls.count { turns(start, *it).isEmpty() })
  }

  @Test
  fun rul21HalfMoveClockStopsAt127() {
    val dfen = "4k3/8/8/8/8/8/8/4K2R w - - 126 200 RRR"
    val result = after(dfen, "h1h2 h2h3 h3h4")
    assertEquals("4k3/8/8/8/7R/8/8/4K3 w - - 127 200", "$result")
    for (turn in JvmApi.legalTurns(state(dfen))) {
      val expected = if (JvmApi.isGameOver(turn.finalState)) 0 else 127
      assertEquals(expected, JvmApi.halfMoveClock(turn.finalState), turn.text())
    }
  }

  private fun refused(dfen: String, vararg named: String) {
    val error = assertThrows(IllegalArgumentException::class.java, { JvmApi.parseDfen(dfen) }, dfen)
    val message = error.message.orEmpty()
    assertTrue(named.any { it in message }, "'$message' for '$dfen'")
  }

  @Test
  fun dfn01TooManyOrUnknownDice() {
    for (dice in listOf("PPPP", "PPPPPPPPPP", "PNX", "P!B")) refused("$start $dice", "dice")
    for (dice in listOf("P", "PN", "PNB")) assertEquals("$start $dice", "${state("$start $dice")}")
    assertEquals(listOf<Int>(), JvmApi.dicePool(state(start)))
    assertEquals(listOf<Int>(), JvmApi.dicePool(state("$start -")))
  }

  @Test
  fun dfn03CountersOutOfRange() {
    val board = "4k3/8/8/8/8/8/8/4K3 w - -"
    for (clock in listOf("128", "200", "-1", "4294967296", "99999999999", "1e2", "")) {
      refused("$board $clock 1", "half-move", "fields")
    }
    for (number in listOf("0", "-5", "2147483648", "99999999999999999999")) {
      refused("$board 0 $number", "full-move")
    }
    assertEquals("$board 127 1", "${state("$board 127 1")}")
    assertEquals("$board 0 2147483647", "${state("$board 0 2147483647")}")
  }

  @Test fun dfn05EighthField() = refused("$start PNB junk", "fields")

  @Test
  fun dfn07RepeatedCastlingLetters() {
    for (rights in listOf("KKqq", "KQkqK", "KQxq", "")) {
      refused(start.replace("KQkq", rights), "castling", "fields")
    }
    assertEquals(start, "${state(start.replace("KQkq", "qkQK"))}")
  }

  @Test
  fun dfn09RankWidthAndPieceLetters() {
    for (rank in listOf("9", "7", "44p", "ppppppppp", "8p", "pppp5", "x7")) {
      refused("4k3/8/8/$rank/8/8/8/4K3 w - - 0 1", "placement")
    }
    refused("4k3/8/8/8/8/8/4K3 w - - 0 1", "placement")
    refused("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "placement")
  }

  @Test
  fun dfn11MalformedEnPassantField() {
    for (field in listOf("d", "d6e", "d6d6", "i6", "d9", "D6", "--", "d6,e6")) {
      refused("4k3/8/8/3pP3/8/8/8/4K3 w - $field 0 1", "en-passant")
    }
  }

  @Test
  fun dfn13RightsThatTheBoardContradicts() {
    val turns = turns("4k3/8/8/8/8/8/8/3K3R w K - 0 1 RK")
    assertEquals(111, turns.size)
    assertTrue(turns.none { it == "d1g1" || it == "d1f1" || it == "e1g1" })
    val king = arrayOf("e1d1", "e1d2", "e1e2", "e1f1", "e1f2")
    exactly("4k3/8/8/8/8/8/8/4K2r w K - 0 1 RK", *king)
    exactly("4k3/8/8/8/8/8/8/4K2B w K - 0 1 RK", *king)
    assertEquals("4k3/8/8/8/8/8/8/3K3R w K - 0 1", "${state("4k3/8/8/8/8/8/8/3K3R w K - 0 1")}")
  }

  @ParameterizedTest
  @CsvSource(
    "8/8/8/8/8/8/8/4K3 w - - 0 1 K, 0, 5",
    "4k3/8/8/8/8/8/8/8 w - - 0 1 PPP, 1, 0",
    "8/8/8/8/8/8/8/8 w - - 0 1, -1, 0",
  )
  fun dfn15NoKingOrOneKing(dfen: String, winner: Int, turns: Int) {
    assertTrue(JvmApi.isGameOver(state(dfen)))
    assertEquals(winner, JvmApi.winner(state(dfen)))
    assertEquals(turns, turns(dfen).size)
  }

  @Test
  fun dfn17PawnsOnTheFirstAndTheLastRank() {
    val white = turns("P3k3/8/8/8/8/8/8/P3K3 w - - 0 1 PPP")
    assertTrue(white.isNotEmpty() && white.all { it.startsWith("a1a2 ") })
    assertTrue("a1a2 a2a4 a4a5" in white)
    val black = turns("p3k3/8/8/8/8/8/8/p3K3 b - - 0 1 ppp")
    assertTrue(black.isNotEmpty() && black.all { it.startsWith("a8a7 ") })
    assertTrue("a8a7 a7a5 a5a4" in black)
  }

  @Test
  fun dfn20TextIsStableOnTenThousandStatesOfPlay() {
    val random = Random(20)
    var seen = 0
    var state = state(start)
    while (seen < 10_000) {
      val rolled = JvmApi.withDice(state, List(3) { 1 + random.nextInt(6) })
      val turns = JvmApi.legalTurns(rolled)
      for (some in turns.map { it.finalState }.filter { random.nextInt(20) == 0 } + rolled) {
        val text = JvmApi.toDfen(some)
        assertEquals(text, JvmApi.toDfen(JvmApi.parseDfen(text)))
        assertEquals(if (JvmApi.dicePool(some).isEmpty()) 6 else 7, text.split(" ").size)
        seen++
      }
      val next = if (turns.isEmpty()) rolled else turns[random.nextInt(turns.size)].finalState
      state = if (JvmApi.isGameOver(next)) state(start) else JvmApi.endTurn(next)
    }
  }
}
