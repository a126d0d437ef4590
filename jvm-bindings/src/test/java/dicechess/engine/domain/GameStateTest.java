package dicechess.engine.domain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dicechess.engine.Fixtures;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.Test;

class GameStateTest {
  @Test
  void equalTextGivesEqualStates() {
    GameState state = GameState.parse(Fixtures.F10);
    assertEquals(state, GameState.parse(state.toString()));
    assertEquals(state.hashCode(), GameState.parse(state.toString()).hashCode());
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
  void serialisedStateComesBackEqual() throws Exception {
    GameState state = GameState.parse(Fixtures.F10);
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(state);
    }
    try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertEquals(state, in.readObject());
    }
  }
}
