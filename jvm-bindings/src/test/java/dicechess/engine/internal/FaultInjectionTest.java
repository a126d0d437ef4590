package dicechess.engine.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.ChildJvm;
import dicechess.engine.Fixtures;
import dicechess.engine.NativeEngineException;
import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import dicechess.engine.search.ExpectimaxSearch;
import dicechess.engine.search.LeafEvaluator;
import dicechess.engine.search.NativeSearch;
import dicechess.engine.search.SearchLimits;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A panic in native code is an exception with its text, and nothing else breaks. In a JVM of its
 * own, with a debug build of the library that has methods which panic.
 */
class FaultInjectionTest {
  private static final String LIBRARY =
      "-D"
          + NativeLibrary.PATH_PROPERTY
          + "="
          + Path.of(
              System.getProperty("dicechess.test.faultInjection"),
              System.mapLibraryName("dicechess_native"));

  @Test
  void panicIsAnExceptionWithItsTextAndTheEngineGoesOn() throws Exception {
    var run = ChildJvm.run(Program.class, List.of(LIBRARY));
    assertEquals(0, run.exitCode(), run.output());
    assertTrue(run.output().contains("panicked at"), "the place of a panic is on the error stream");
    assertTrue(run.output().endsWith("all faults survived\n"), run.output());
  }

  /** What {@code .ci/check-jni} looks for is what the JVM says of a fault. */
  @Test
  void checkedJvmReportsABrokenRule() throws Exception {
    var aloud =
        List.of(
            LIBRARY,
            "-Xcheck:jni",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:+DisplayVMOutput",
            "-XX:-LogVMOutput");
    var run = ChildJvm.run(BrokenRule.class, aloud);
    assertTrue(run.output().contains("WARNING in native method: "), run.output());
  }

  static final class BrokenRule {
    public static void main(String[] args) {
      NativeBridge.requireLoaded();
      FaultInjection.neglectExceptions();
    }
  }

  static final class Program {
    private static final List<String> TEXTS =
        List.of(
            "a fixed text",
            "a text with the number 1",
            "index out of bounds: the len is 2 but the index is 2",
            "attempt to add with overflow",
            "panic without a message",
            "a result: TryFromIntError(())");

    public static void main(String[] args) {
      NativeBridge.requireLoaded();
      try (var search = ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).table(1024).build()) {
        GameState root = GameState.parse(Fixtures.F10);
        var expected = search.findBestMove(root).best();
        for (int kind = 0; kind < TEXTS.size(); kind++) {
          int fault = kind;
          refused(TEXTS.get(kind), () -> FaultInjection.panic(fault));
          assertEquals(expected, search.findBestMove(root).best());
        }
        for (int batch : new int[] {1, 2, 50}) {
          long[] words = words(Fixtures.F10);
          refused("the evaluator panicked", () -> FaultInjection.panicInEvaluator(words, batch));
          assertEquals(
              expected, NativeSearch.findBestMove(Fixtures.F10, SearchLimits.defaults()).best());
          assertEquals(4654, JvmApi.legalTurns(root).size());
        }
      }
      System.out.println("all faults survived");
    }

    private static long[] words(String dfen) {
      long[] words = new long[NativeBridge.STATE_WORDS];
      NativeBridge.parse(dfen.getBytes(StandardCharsets.UTF_8), words);
      return words;
    }

    private static void refused(String message, Runnable fault) {
      assertEquals(message, assertThrows(NativeEngineException.class, fault::run).getMessage());
    }
  }
}
