package dicechess.engine.client

import dicechess.engine.jvmapi.JvmApi
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** PKG-11: a Kotlin program that uses every member of the facade. */
class KotlinClientTest {
  @Test
  fun pkg11ThousandSeededGamesComeToAnEnd() {
    val games = (1000L until 2000).map { KotlinClient.play(it) }
    games.forEach { assertEquals(it.over, it.winner != JvmApi.NO_WINNER) }
    assertTrue(games.count { it.over } > 900)
  }

  @Test
  fun pkg11GamesAreThoseOfTheJavaProgram() {
    for (seed in 0L until 50) {
      val java = FacadeClient.play(seed)
      val game = KotlinClient.Game(java.turns, java.end, java.winner, java.over)
      assertEquals(game, KotlinClient.play(seed))
    }
  }

  @Test
  fun pkg11RestOfTheFacadeAnswers() {
    val state = JvmApi.parseDfen("4k3/8/8/3q4/2P5/8/8/4K3 w - - 0 1 P")
    assertEquals(FacadeClient.about(state), KotlinClient.about(state))
  }
}
