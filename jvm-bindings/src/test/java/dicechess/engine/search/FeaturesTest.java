package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dicechess.engine.Fixtures;
import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import dicechess.engine.oracle.Mailbox;
import dicechess.engine.oracle.Values;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Feature vectors are own minus enemy from either side's view. */
class FeaturesTest {
  @ParameterizedTest
  @CsvSource({
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1, 0 0 0 0 0 0 78 0 0",
    // The queen has 17 moves, her king four, the other king five.
    "4k3/8/8/8/8/8/8/3QK3 w - - 0 1, 0 0 0 0 1 9 9 16 0",
    // Both castle, whoever is to move and whatever the dice.
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1 P, 0 0 0 0 0 0 20 0 0",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1, 0 0 0 2 0 10 10 21 0",
    // The rook has eleven moves, one of which captures the king.
    "4k3/8/8/8/8/8/8/r3K3 b - - 0 1, 0 0 0 -1 0 -5 5 -11 -2000",
    // The capture en passant is White's alone.
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1, 0 0 0 0 0 0 2 1 0",
    // Four promotions a square.
    "4k3/P7/8/8/8/8/8/4K3 w - - 0 1, 1 0 0 0 0 1 1 4 0",
  })
  void examples(String dfen, String numbers) {
    GameState state = JvmApi.parseDfen(dfen);
    String[] parts = numbers.split(" ");
    float[] expected = new float[parts.length];
    for (int i = 0; i < parts.length; i++) {
      expected[i] = Float.parseFloat(parts[i]);
    }
    assertArrayEquals(expected, RichFeatures.extract(state, 0));
    assertArrayEquals(Arrays.copyOf(expected, 7), OnnxFeatures.extract(state, 0));
    for (int i = 0; i < expected.length; i++) {
      // Not the total.
      expected[i] = i == 6 ? expected[i] : 0 - expected[i];
    }
    assertArrayEquals(expected, RichFeatures.extract(state, 1));
  }

  static Stream<String> positions() {
    return Stream.of("turns.json", "chance.json", "captures.json", "perft.json", "classes.json")
        .flatMap(file -> Fixtures.read(file).getAsJsonArray("entries").asList().stream())
        .map(entry -> entry.getAsJsonObject().get("dfen").getAsString())
        .distinct();
  }

  @ParameterizedTest
  @MethodSource("positions")
  void agreeWithTheOracle(String dfen) {
    for (int color = 0; color < 2; color++) {
      float[] expected = Values.features(Mailbox.parse(dfen), color);
      assertArrayEquals(expected, RichFeatures.extract(JvmApi.parseDfen(dfen), color));
      assertArrayEquals(
          Arrays.copyOf(expected, 7), OnnxFeatures.extract(JvmApi.parseDfen(dfen), color));
    }
  }

  private static void refused(String message, Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
  }

  @Test
  void wrongArgumentsAreRefused() {
    GameState state = JvmApi.parseDfen(Fixtures.F10);
    refused("state must not be null", () -> OnnxFeatures.extract(null, 0));
    refused("state must not be null", () -> RichFeatures.extract(null, 0));
    String color = "color must be 0 for White or 1 for Black: ";
    refused(color + "2", () -> OnnxFeatures.extract(state, 2));
    refused(color + "-1", () -> RichFeatures.extract(state, -1));
  }

  @Test
  void everyCallAnswersANewArray() {
    GameState state = JvmApi.parseDfen(Fixtures.F10);
    assertNotSame(OnnxFeatures.extract(state, 0), OnnxFeatures.extract(state, 0));
    assertNotSame(RichFeatures.extract(state, 0), RichFeatures.extract(state, 0));
  }
}
