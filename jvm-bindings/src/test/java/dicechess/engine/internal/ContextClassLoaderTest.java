package dicechess.engine.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dicechess.engine.ChildJvm;
import dicechess.engine.Fixtures;
import dicechess.engine.NativeEngineException;
import dicechess.engine.domain.GameState;
import dicechess.engine.search.BatchEvaluator;
import dicechess.engine.search.ExpectimaxSearch;
import dicechess.engine.search.NativeSearch;
import dicechess.engine.search.SearchLimits;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Native code finds the classes of this library, whatever the thread's context class loader knows.
 */
class ContextClassLoaderTest {
  @ParameterizedTest
  @ValueSource(strings = {"none", "stopped", "shadow"})
  void everyKindOfCallWorksUnderAForeignContextClassLoader(String kind) throws Exception {
    var run = ChildJvm.run(Program.class, List.of(), kind);
    assertEquals(new ChildJvm.Run(0, ""), run);
  }

  /** Refuses everything, as the class loader of a stopped web application does. */
  private static final class Stopped extends ClassLoader {
    Stopped() {
      super(null);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) {
      throw new IllegalStateException("stopped, asked for " + name);
    }
  }

  static final class Program {
    public static void main(String[] args) {
      Thread.currentThread().setContextClassLoader(foreign(args[0]));
      NativeBridge.requireLoaded();
      refused(IllegalArgumentException.class, () -> GameState.parse("no DFEN"));
      NativeSearch.findBestMove(Fixtures.F10, SearchLimits.defaults()).best().orElseThrow();
      GameState state = GameState.parse(Fixtures.F10);
      BatchEvaluator unwritten = (positions, count, perspective, scores) -> {};
      try (var search = ExpectimaxSearch.builder(unwritten).build()) {
        refused(NativeEngineException.class, () -> search.findBestMove(state));
      }
      refused(IllegalStateException.class, () -> NativeBridge.clearTable(0));
      refused(NativeEngineException.class, () -> NativeBridge.format(new long[0]));
    }

    private static ClassLoader foreign(String kind) {
      return switch (kind) {
        case "none" -> null;
        case "stopped" -> new Stopped();
        default -> {
          URL classes = NativeBridge.class.getProtectionDomain().getCodeSource().getLocation();
          yield new URLClassLoader(new URL[] {classes}, null);
        }
      };
    }

    private static void refused(Class<? extends RuntimeException> expected, Runnable call) {
      try {
        call.run();
      } catch (RuntimeException e) {
        if (expected.isInstance(e)) {
          return;
        }
        throw new AssertionError("not the right exception, but one of " + e.getClass(), e);
      }
      throw new AssertionError("no exception, but " + expected);
    }
  }
}
