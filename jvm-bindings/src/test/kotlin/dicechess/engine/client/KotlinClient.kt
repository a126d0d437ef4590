package dicechess.engine.client

import dicechess.engine.domain.GameState
import dicechess.engine.jvmapi.JvmApi
import dicechess.engine.jvmapi.JvmApi.ScoredTurn
import java.util.Optional
import java.util.Random

/** The host of [FacadeClient] as a Kotlin service would write it. */
internal object KotlinClient {
  private const val START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
  private const val LONGEST_GAME = 400

  // The host's rule for draws, in micro-moves.
  private const val QUIET_MOVES = 100

  /** How a game went. */
  data class Game(val turns: List<String>, val end: String, val winner: Int, val over: Boolean)

  /** Plays a game: bots for both sides, by turns with the host's own choice. */
  fun play(seed: Long): Game {
    val random = Random(seed)
    val played = mutableListOf<String>()
    var state = JvmApi.parseDfen(START)
    while (
      !JvmApi.isGameOver(state) &&
        JvmApi.halfMoveClock(state) < QUIET_MOVES &&
        played.size < LONGEST_GAME
    ) {
      val rolled = JvmApi.withDice(state, List(3) { 1 + random.nextInt(6) })
      val turn: Optional<ScoredTurn> =
        if (random.nextInt(8) == 0) Optional.ofNullable(own(rolled))
        else JvmApi.bestTurn(rolled, bot(rolled), Long.MAX_VALUE, random.nextLong())
      played += turn.map { it.uci().joinToString(" ") }.orElse("pass")
      state = JvmApi.endTurn(turn.map { it.finalState() }.orElse(rolled))
    }
    return Game(played, JvmApi.toDfen(state), JvmApi.winner(state), JvmApi.isGameOver(state))
  }

  private fun bot(state: GameState) =
    JvmApi.algorithms()[if (JvmApi.activeColor(state) == 0) 2 else 1]

  /** The first turn that captures the king, else the first of those with the best evaluation. */
  fun own(state: GameState): ScoredTurn? {
    val side = JvmApi.activeColor(state)
    return JvmApi.legalTurns(state)
      .map { turn ->
        val score =
          if (JvmApi.isGameOver(turn.finalState)) Int.MAX_VALUE
          else JvmApi.evaluate(JvmApi.endTurn(turn.finalState), side)
        ScoredTurn(turn.uci, turn.finalState, score)
      }
      .maxByOrNull { it.score }
  }

  /** What is left of the facade. */
  fun about(state: GameState): String {
    val quick = JvmApi.bestTurn(state, "greedy-v2").orElseThrow()
    val timed = JvmApi.bestTurn(state, "EXPECTIMAX", JvmApi.DefaultTimeBudgetMs()).orElseThrow()
    return listOf(
        JvmApi.dicePool(state),
        JvmApi.NoWinner(),
        JvmApi.NO_WINNER == JvmApi.winner(state),
        JvmApi.DEFAULT_TIME_BUDGET_MS == JvmApi.DefaultTimeBudgetMs(),
        "${quick.uci}${quick.score}",
        "${timed.uci}${timed.score}",
      )
      .joinToString(" ")
  }
}
