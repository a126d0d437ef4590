package dicechess.engine.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Jvm;
import dicechess.engine.domain.GameState;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DuplicateClassesTest {
  @TempDir Path temp;

  @Test
  void classesOfTheSameNameAreReportedWithBothPlaces() throws Exception {
    String name = "dicechess/engine/domain/GameState.class";
    Path other = temp.resolve(name);
    Files.createDirectories(other.getParent());
    try (InputStream in = GameState.class.getResourceAsStream("/" + name)) {
      Files.copy(in, other);
    }
    Jvm.Run run = new Jvm().withFirstOnClassPath(temp).run(LoadOnce.class);
    assertEquals(0, run.exitCode());
    String message =
        "dicechess.engine.domain.GameState is on the class path more than once, and only"
            + " the first is used: ["
            + other.toUri().toURL()
            + ", "
            + GameState.class.getResource("/" + name)
            + "]; dicechess-native replaces the Scala engine's jar, keep one of the two";
    assertTrue(run.err().contains(message), run.err());
  }

  @Test
  void nothingIsSaidWhenThereIsOne() throws Exception {
    assertEquals("", new Jvm().run(LoadOnce.class).err());
  }
}
