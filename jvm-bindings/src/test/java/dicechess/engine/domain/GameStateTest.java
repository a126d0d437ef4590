package dicechess.engine.domain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Fixtures;
import dicechess.engine.jvmapi.JvmApi;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GameStateTest {
  private static final int WORDS = 6;

  private static byte[] serialised(GameState state) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(state);
    }
    return bytes.toByteArray();
  }

  private static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
    try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    }
  }

  @Test
  void equalTextGivesEqualStates() {
    GameState state = GameState.parse(Fixtures.F10);
    assertEquals(state, GameState.parse(state.toString()));
    assertEquals(state.hashCode(), GameState.parse(state.toString()).hashCode());
    assertNotEquals(state, null);
    assertNotEquals(state, state.toString());
  }

  @Test
  void everyFieldCounts() {
    GameState state = GameState.parse("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 N");
    for (String other :
        new String[] {
          "4k3/8/8/8/8/8/8/4K3 w Q - 0 1 N",
          "4k3/8/8/8/8/8/8/R3K3 b Q - 0 1 N",
          "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 N",
          "4k3/8/8/8/8/8/8/R3K3 w Q e6 0 1 N",
          "4k3/8/8/8/8/8/8/R3K3 w Q - 1 1 N",
          "4k3/8/8/8/8/8/8/R3K3 w Q - 0 2 N",
          "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 B",
          "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        }) {
      assertNotEquals(state, GameState.parse(other), other);
    }
  }

  @Test
  void orderOfTheDiceCountsThoughTheTextIsTheSame() {
    GameState state = GameState.parse(Fixtures.F10);
    GameState turned = JvmApi.withDice(state, List.of(3, 2, 1));
    assertEquals(state.toString(), turned.toString());
    assertNotEquals(state, turned);
    assertEquals(state, JvmApi.withDice(turned, List.of(1, 2, 3)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        Fixtures.F10,
        "4k3/8/8/8/PpPpP3/8/8/4K3 b - a3c3e3 0 1 p",
        "R3K2r/8/8/8/8/8/8/r3k2R w KQkq - 127 2147483647 KKK",
        "8/8/8/8/8/8/8/8 b - - 0 1",
      })
  void serialisedStateComesBackEqual(String dfen) throws Exception {
    GameState state = GameState.parse(dfen);
    assertEquals(state, read(serialised(state)));
    GameState turned = JvmApi.withDice(state, List.of(6, 1));
    assertEquals(List.of(6, 1), JvmApi.dicePool((GameState) read(serialised(turned))));
  }

  /** The words are the last 48 bytes of the stream. */
  @Test
  void streamWithAnyWordReplacedIsRefusedOrAnotherPosition() throws Exception {
    GameState state = GameState.parse(Fixtures.F10);
    int refused = 0;
    for (int word = 0; word < WORDS; word++) {
      byte[] bytes = serialised(state);
      int start = bytes.length - Long.BYTES * (WORDS - word);
      Arrays.fill(bytes, start, start + Long.BYTES, (byte) 0xff);
      try {
        Object other = read(bytes);
        assertNotEquals(state, other);
        assertEquals(other, GameState.parse(other.toString()));
      } catch (InvalidObjectException e) {
        assertEquals("the words are no position", e.getMessage());
        refused++;
      }
    }
    assertTrue(refused > 0);
  }

  @Test
  void streamWithAnImpossiblePoolIsRefused() throws Exception {
    byte[] bytes = serialised(GameState.parse(Fixtures.F10));
    // Bits 32 to 47 of the last word, of which 9 are the dice.
    bytes[bytes.length - 6] = (byte) 0xff;
    bytes[bytes.length - 5] = (byte) 0xff;
    String message = assertThrows(InvalidObjectException.class, () -> read(bytes)).getMessage();
    assertEquals("the words are no position", message);
  }

  @Test
  void holdsNothingButPlainNumbersThatNeverChange() {
    for (var field : GameState.class.getDeclaredFields()) {
      if (!field.isSynthetic() && !Modifier.isStatic(field.getModifiers())) {
        assertEquals(long.class, field.getType());
        assertTrue(Modifier.isFinal(field.getModifiers()));
      }
    }
    assertTrue(Modifier.isFinal(GameState.class.getModifiers()));
  }
}
