package dicechess.engine.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.client.FacadeClient.Game;
import dicechess.engine.jvmapi.JvmApi;
import org.junit.jupiter.api.Test;

/** PKG-11: a Java program that uses every member of the facade. */
class FacadeClientTest {
  @Test
  void pkg11ThousandSeededGamesComeToAnEnd() {
    int won = 0;
    for (long seed = 0; seed < 1000; seed++) {
      Game game = FacadeClient.play(seed);
      assertEquals(game.over(), game.winner() != JvmApi.NO_WINNER);
      won += game.over() ? 1 : 0;
    }
    assertTrue(won > 900, "won: " + won);
  }

  @Test
  void pkg11GameIsRepeatedFromItsSeed() {
    assertEquals(FacadeClient.play(11), FacadeClient.play(11));
  }

  @Test
  void pkg11RestOfTheFacadeAnswers() {
    var state = JvmApi.parseDfen("4k3/8/8/3q4/2P5/8/8/4K3 w - - 0 1 P");
    assertEquals("[1] -1 true true [c4d5]100 [c4d5]99", FacadeClient.about(state));
  }
}
