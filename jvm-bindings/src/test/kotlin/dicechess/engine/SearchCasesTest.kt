package dicechess.engine

import dicechess.engine.domain.GameState
import dicechess.engine.jvmapi.JvmApi
import dicechess.engine.oracle.Mailbox
import dicechess.engine.oracle.Turns
import dicechess.engine.oracle.Values
import dicechess.engine.search.BatchEvaluator
import dicechess.engine.search.BestTurn
import dicechess.engine.search.Budget
import dicechess.engine.search.ChanceNode
import dicechess.engine.search.ExpectimaxSearch
import dicechess.engine.search.KingCapture
import dicechess.engine.search.LeafEvaluator
import dicechess.engine.search.NativeSearch
import dicechess.engine.search.RootSearchStats
import dicechess.engine.search.RulesOutcome
import dicechess.engine.search.ScoreSource
import dicechess.engine.search.SearchControl
import dicechess.engine.search.SearchLimits
import dicechess.engine.search.SearchOutcome
import dicechess.engine.search.SearchResult
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

/** What went wrong in other programs, by the numbers of the case collection: the search. */
class SearchCasesTest {
  private val sea01 = "7k/8/8/8/8/2n5/8/1K6 w - - 0 1 K"
  private val passes =
    listOf(
      "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 BBQ",
      "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 RQK",
      "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1 qqq",
    )

  /** Every position that is not terminal is worth 0. */
  private val lossOnly = Layout.watching(false) { _, _ -> }

  private fun search(table: Boolean = false): ExpectimaxSearch =
    ExpectimaxSearch.builder(lossOnly).apply { if (table) table(1024) }.build()

  private fun state(dfen: String) = JvmApi.parseDfen(dfen)

  private fun free() = SearchControl.unbounded()

  private fun BestTurn.text() = uci.joinToString(" ")

  private fun losing(rolls: Int) = (0.0 - rolls * 1e9) / 216

  private fun assertLosingRolls(dfen: String, vararg expected: Pair<String, Int>) {
    val turns = JvmApi.legalTurns(state(dfen)).associateBy { it.text() }
    assertEquals(expected.map { it.first }.toSet(), turns.keys)
    for ((turn, rolls) in expected) {
      val after = JvmApi.endTurn(turns.getValue(turn).finalState)
      val value = ChanceNode.value(after, JvmApi.activeColor(state(dfen)), lossOnly, free())
      assertExactly(losing(rolls), value.outcome, turn)
      assertEquals(rolls > 0, value.lossTainted, turn)
    }
  }

  @Test
  fun sea01ChanceNodeHasExactWeights() {
    val rolls = arrayOf("b1a1" to 0, "b1c2" to 1, "b1c1" to 16, "b1b2" to 16, "b1a2" to 91)
    assertLosingRolls(sea01, *rolls)
    search().use {
      val best = it.findBestMove(state(sea01)).best.orElseThrow()
      assertEquals("b1a1", best.text())
      assertExactly(0.0, best.outcome)
    }
    val node = state("7k/8/8/8/8/2n5/8/1K6 b - - 0 1")
    assertEquals(10, ChanceNode.value(node, 0, lossOnly, free()).classes)
  }

  @Test
  fun sea03TiesSurvivePruningAndEachIsChosenBySomeSeed() {
    val dfen = "3rk3/8/8/8/8/8/8/3K4 w - - 0 1 K"
    val ties = listOf("d1c1", "d1c2", "d1e1", "d1e2")
    assertLosingRolls(dfen, *ties.map { it to 16 }.toTypedArray(), "d1d2" to 91)
    search().use { search ->
      val best =
        (0L until 200).map { search.findBestMove(state(dfen), free(), it).best.orElseThrow() }
      assertEquals(ties.toSet(), best.map { it.text() }.toSet())
      best.forEach { assertExactly(losing(16), it.outcome) }
    }
  }

  @Test
  fun sea05ForcedPassesKeepTheirMass() {
    val dfen = "4k3/8/8/8/8/8/8/4K3 b - - 0 1"
    // Tells positions apart, so that a class that is lost or renormalised shows.
    val leaf = { state: Mailbox, _: Int -> (state.withoutDice().hashCode() % 1000).toDouble() }
    val worth = { kings: Int ->
      val rolled = Mailbox.parse(dfen).withDice(List(kings) { 6 })
      val after = Turns.of(rolled).finals().values.ifEmpty { listOf(rolled.endTurn()) }
      after.minOf { leaf(it, 0) }
    }
    val expected = (125 * worth(0) + 75 * worth(1) + 15 * worth(2) + worth(3)) / 216
    val found = ChanceNode.value(state(dfen), 0, Layout.evaluator(true, leaf), free())
    assertEquals(4, found.classes)
    assertExactly(expected, found.outcome)
  }

  @Test
  fun sea07TableTellsApartWhatEnPassantMakesDifferent() {
    val queries = listOf("d6" to 16, "-" to 0)
    for (order in listOf(queries, queries.reversed())) {
      search(table = true).use { search ->
        for ((target, rolls) in order + order) {
          val node = state("8/2k5/8/3pP3/8/8/8/4K3 w - $target 0 1")
          assertExactly(losing(rolls), search.chanceValue(node, 1, free()).outcome, target)
        }
      }
    }
  }

  @Test
  fun sea07TableTellsApartWhatCastlingMakesDifferent() {
    val queries = listOf("K" to 105L, "-" to 104L)
    for (order in listOf(queries, queries.reversed())) {
      search(table = true).use { search ->
        for ((rights, turns) in order + order) {
          val root = state("4k3/8/8/8/8/8/8/4K2R w $rights - 0 1 RK")
          assertEquals(turns, search.findBestMove(root).stats.legalTurns)
        }
      }
    }
  }

  /** Calls with a growing budget until one is not exhausted. */
  private fun forEachBudget(from: Long = 0, step: Long = 1, check: (Budget) -> Unit) {
    var limit = from
    do {
      val budget = Budget(limit)
      check(budget)
      limit += step
    } while (budget.isExhausted)
  }

  @Test
  fun sea09NothingFromACancelledSearchStaysInTheTable() {
    val root = state(sea01)
    val fresh = search().use { it.findBestMove(root, free(), 5).best }
    forEachBudget(step = 7) { budget ->
      search(table = true).use { search ->
        search.findBestMove(root, SearchControl.withBudget(budget), 5)
        assertEquals(fresh, search.findBestMove(root, free(), 5).best, "$budget")
      }
    }
  }

  @Test
  fun sea13AnswerIsTheBestOfTheCandidatesThatWereSettled() {
    val rolls = mapOf("b1a1" to 0, "b1c2" to 1, "b1c1" to 16, "b1b2" to 16, "b1a2" to 91)
    val builder = ExpectimaxSearch.builder(lossOnly).preRanker(worstFirst(rolls))
    val settledCounts = mutableSetOf<Int>()
    builder.build().use { search ->
      forEachBudget { budget ->
        val ranked = search.rankMoves(state(sea01), SearchControl.withBudget(budget), 9)
        val turns = ranked.candidates.map { it.uci.single() }
        assertEquals(listOf(91, 16, 16, 1, 0), turns.map { rolls.getValue(it) })
        val stats = ranked.result.stats
        val settled = (stats.candidatesCompleted + stats.cutoffs).toInt()
        settledCounts += settled
        val best = ranked.result.best.orElseThrow()
        if (settled == 0) {
          assertEquals(turns[0] to ScoreSource.PRE_RANK, best.text() to best.source)
          assertInstanceOf(SearchOutcome.Incomplete::class.java, best.outcome)
        } else {
          val fewest = turns.take(settled).minOf { rolls.getValue(it) }
          assertEquals(fewest, rolls[best.text()], "$settled of $turns")
          assertEquals(losing(fewest), best.outcome.valueOption().asDouble)
        }
        assertTrue(ranked.candidates.drop(settled).all { it.outcome.valueOption().isEmpty })
      }
    }
    assertEquals((0..5).toSet(), settledCounts)
  }

  /** An evaluator that likes best the turn on which the king is lost most often. */
  private fun worstFirst(rolls: Map<String, Int>): BatchEvaluator {
    val boards =
      JvmApi.legalTurns(state(sea01)).associate { turn ->
        "${turn.finalState}".substringBefore(' ') to rolls.getValue(turn.text()).toDouble()
      }
    return Layout.evaluator(true) { after, _ -> boards.getValue("$after".substringBefore(' ')) }
  }

  @Test
  fun sea15SameSeedSameAnswerFromEightThreadsAtOnce() {
    val roots =
      Fixtures.read("turns.json")
        .getAsJsonArray("entries")
        .map { it.asJsonObject }
        .filter { it["turns"].asInt in 1..300 && "k" in it.dfen && "K" in it.dfen.split(" ")[0] }
        .map { it.state }
        .filter { !JvmApi.isGameOver(it) }
    assertTrue(roots.size >= 40)
    ExpectimaxSearch.builder(LeafEvaluator.STANDARD).build().use { search ->
      val all = {
        roots.flatMap { root ->
          (1L..3L).map { search.findBestMove(root, SearchControl.withBudget(Budget(5_000)), it) }
        }
      }
      val alone: List<SearchResult> = all()
      val pool = Executors.newFixedThreadPool(8)
      try {
        pool.invokeAll(List(8) { Callable { all() } }).forEach { assertEquals(alone, it.get()) }
      } finally {
        pool.shutdown()
      }
    }
  }

  private fun mirrored(dfen: String): String {
    val fields = dfen.split(" ").toMutableList()
    val swap = { text: String ->
      text.map { if (it.isUpperCase()) it.lowercaseChar() else it.uppercaseChar() }.joinToString("")
    }
    fields[0] = swap(fields[0].split("/").reversed().joinToString("/"))
    fields[1] = if (fields[1] == "w") "b" else "w"
    if (fields[2] != "-") fields[2] = swap(fields[2])
    fields[3] = fields[3].replace('3', '#').replace('6', '3').replace('#', '6')
    return fields.joinToString(" ")
  }

  @Test
  fun sea18MirroredPositionHasTheSameValueForTheMirroredSide() {
    for (entry in Fixtures.read("chance.json").getAsJsonArray("entries").map { it.asJsonObject }) {
      val here = entry.state
      val there = state(mirrored(entry.dfen))
      for (color in 0..1) {
        assertEquals(JvmApi.evaluate(here, color), JvmApi.evaluate(there, 1 - color))
        for (leaf in LeafEvaluator.entries) {
          val value = ChanceNode.value(here, color, leaf, free())
          assertEquals(value, ChanceNode.value(there, 1 - color, leaf, free()), entry.dfen)
        }
      }
    }
  }

  @Test
  fun sea18MirroredRootHasTheSameBestValue() {
    val roots = Fixtures.read("root.json").getAsJsonArray("entries").map { it.asJsonObject }
    val limits = SearchLimits.defaults().withCandidateLimit(1000)
    for (entry in roots.filter { it["kind"].asString == "search" }) {
      val here = NativeSearch.findBestMove(entry.dfen, limits).best.orElseThrow()
      val there = NativeSearch.findBestMove(mirrored(entry.dfen), limits).best.orElseThrow()
      assertEquals(here.outcome, there.outcome, entry.dfen)
    }
  }

  @ParameterizedTest
  @ValueSource(longs = [1, 20, 50])
  fun can01TurnIsLegalWheneverTheDeadlineCuts(millis: Long) {
    val dfen = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 6 5 BNQ"
    val legal = JvmApi.legalTurns(state(dfen))
    assertEquals(781, legal.size)
    val limits = SearchLimits.defaults().withSearchDepth(3).withTimeBudgetNanos(millis * 1_000_000)
    val best = NativeSearch.findBestMove(dfen, limits).best.orElseThrow()
    assertTrue(JvmApi.Turn(best.uci, best.finalState) in legal)
  }

  /** Every way of being cancelled before the call. */
  private fun cancelled(): List<SearchControl> =
    listOf(
      SearchControl.untilDeadline(System.nanoTime() - 1_000_000_000),
      SearchControl.untilDeadline(Long.MIN_VALUE),
      SearchControl.withBudget(exhausted()),
      SearchControl.unbounded().apply { cancel() },
    )

  private fun exhausted() = Budget(1).also { KingCapture.path(state(Fixtures.F7), it) }

  @Test
  fun can03AlreadyCancelledFallsBackWhetherTheTableIsColdOrWarm() {
    search(table = true).use { search ->
      repeat(2) {
        for (control in cancelled()) {
          val fallback = search.findBestMove(state(sea01), control, 1)
          val best = fallback.best.orElseThrow()
          assertEquals("b1a1" to ScoreSource.PRE_RANK, best.text() to best.source)
          assertTrue(best.outcome.valueOption().isEmpty)
          assertEquals(0, fallback.stats.ttHits)
          assertTrue(control.isCancelled)
        }
        for (pass in passes) {
          for (control in cancelled()) {
            val result = search.findBestMove(state(pass), control, 1)
            assertTrue(result.isForcedPass)
            assertEquals(RootSearchStats.ZERO, result.stats)
          }
        }
        for (control in cancelled()) {
          val result = search.findBestMove(state(Fixtures.F7), control, 1)
          assertEquals(ScoreSource.CAPTURE, result.best.orElseThrow().source)
        }
        val warm = search.findBestMove(state(sea01)).best.orElseThrow()
        assertEquals(ScoreSource.SEARCH, warm.source)
      }
    }
  }

  @Test
  fun can03BudgetOfNoughtFallsBackPassesAndCaptures() {
    val nothing = SearchLimits.defaults().withWorkBudget(0)
    val best = { dfen: String -> NativeSearch.findBestMove(dfen, nothing).best }
    assertEquals(ScoreSource.PRE_RANK, best(sea01).orElseThrow().source)
    assertEquals(ScoreSource.CAPTURE, best(Fixtures.F7).orElseThrow().source)
    passes.forEach { assertTrue(best(it).isEmpty) }
  }

  @ParameterizedTest
  @ValueSource(longs = [1, 10, 1_000, 50_000, 1_000_000])
  fun can07WorkLimitIsALimitAndIsUsedUpUnlessTheSearchEnds(limit: Long) {
    for (dfen in listOf(Fixtures.F10, sea01, "k7/8/8/8/8/8/8/R3K3 w - - 0 1 NBK")) {
      search().use { search ->
        val budget = Budget(limit)
        val result = search.findBestMove(state(dfen), SearchControl.withBudget(budget), 1)
        assertTrue(budget.used() <= limit)
        assertEquals(budget.used(), result.best.orElseThrow().outcome.workUsed())
        assertEquals(result.stats.deadlineTruncated, budget.isExhausted)
        if (result.stats.deadlineTruncated) assertEquals(limit, budget.used())
      }
    }
  }

  private fun boards(dfen: String, dice: List<Int>): Triple<Int, Set<String>, Set<GameState>> {
    val turns = JvmApi.legalTurns(JvmApi.withDice(state(dfen), dice))
    val after = turns.map { JvmApi.withDice(it.finalState, listOf()) }.toSet()
    return Triple(turns.size, after.map { "$it" }.toSet(), after)
  }

  private fun fields(texts: Set<String>, count: Int) =
    texts.map { it.split(" ").take(count).joinToString(" ") }.toSet().size

  @Test
  fun prf01ManyTurnsLeadToFewPositions() {
    val start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    val (turns, texts, states) = boards(start, listOf(1, 2, 2))
    assertEquals(
      listOf(1082, 254, 270, 702),
      listOf(turns, fields(texts, 1), fields(texts, 4), states.size),
    )
    val (pawns, pawnTexts) = boards(start, listOf(1, 1, 1))
    assertEquals(listOf(3376, 660, 688), listOf(pawns, fields(pawnTexts, 1), fields(pawnTexts, 4)))
    val (queens, queenTexts) = boards("k7/8/8/3Q4/8/8/8/K7 w - - 0 1", listOf(5, 5, 5))
    assertEquals(listOf(13_613, 63), listOf(queens, fields(queenTexts, 1)))
  }

  /** The positions of each batch, as much of them as the evaluator reads. */
  private fun seen(dfen: String, readsClocks: Boolean): List<List<String>> {
    val batches = mutableListOf<List<String>>()
    val watcher =
      Layout.watching(readsClocks) { positions, count ->
        batches += (0 until count).map { visible(Layout.dfen(positions, it), readsClocks) }.sorted()
      }
    ChanceNode.value(state(dfen), 0, watcher, free())
    return batches
  }

  private fun visible(dfen: String, readsClocks: Boolean) =
    if (readsClocks) dfen else dfen.split(" ").take(4).joinToString(" ")

  @ParameterizedTest
  @ValueSource(
    strings =
      [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/8/p7/P7/R3K3 w - - 0 1",
        "4k3/8/8/8/PpPpP3/8/8/4K3 b - a3c3e3 0 1",
        "k7/4P3/8/8/8/8/8/4K2R w K - 3 1",
      ]
  )
  fun prf01EvaluatorSeesEachPositionOfADecisionOnce(dfen: String) {
    val node = Mailbox.parse(dfen)
    for (readsClocks in listOf(true, false)) {
      val expected =
        Values.classes(node)
          .map { node.withDice(it.dice()) }
          .map { it to Turns.of(it) }
          .filter { (_, turns) -> turns.captures().isEmpty() }
          .map { (rolled, turns) ->
            turns
              .finals()
              .keys
              .ifEmpty { setOf("${rolled.endTurn()}") }
              .map { visible(it, readsClocks) }
              .distinct()
              .sorted()
          }
      val batches = seen(dfen, readsClocks)
      assertEquals(expected.sortedBy { "$it" }, batches.sortedBy { "$it" }, "clocks: $readsClocks")
    }
  }

  @Test
  fun prf01Of3376TurnsAnEvaluatorSees688PositionsAndOf1082ItSees270() {
    val start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    val sizes = { readsClocks: Boolean ->
      val counts = mutableListOf<Int>()
      val watcher = Layout.watching(readsClocks) { _, count -> counts += count }
      ChanceNode.value(state(start), 0, watcher, free())
      counts
    }
    val withoutClocks = sizes(false)
    assertTrue(688 in withoutClocks && 270 in withoutClocks, "$withoutClocks")
    assertTrue(702 in sizes(true))
  }

  @Test
  fun prf03KingCaptureIsFoundCheaply() {
    val root = state("3qk3/8/8/8/8/8/8/Q2QK2Q w - - 0 1 QQQ")
    val turns = JvmApi.legalTurns(root)
    assertEquals(139_299, turns.size)
    val budget = Budget(Long.MAX_VALUE)
    val path = assertInstanceOf(RulesOutcome.Complete::class.java, KingCapture.path(root, budget))
    assertEquals(java.util.Optional.of(turns.first().uci), path.value())
    // Listing turns costs a unit each at the least.
    assertTrue(budget.used() * 100 < turns.size, "$budget")
    val best = JvmApi.bestTurn(root, "expectimax").orElseThrow()
    assertEquals(Int.MAX_VALUE, best.score())
    assertFalse(JvmApi.isGameOver(root))
  }
}
