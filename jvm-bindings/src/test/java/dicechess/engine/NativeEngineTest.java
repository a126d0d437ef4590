package dicechess.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.internal.NativeBridge;
import org.junit.jupiter.api.Test;

class NativeEngineTest {
  @Test
  void versionNamesLibraryBoundaryAndProcessor() {
    assertTrue(NativeEngine.isAvailable());
    String version = NativeEngine.version();
    String start =
        System.getProperty("project.version") + " (ABI " + NativeBridge.ABI_VERSION + ", ";
    assertTrue(version.startsWith(start), version);
    assertTrue(version.substring(start.length()).matches("\\w+ [^()]+\\)"), version);
  }
}
