package dicechess.engine.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Fixtures;
import dicechess.engine.search.LeafEvaluator;
import dicechess.engine.search.SearchLimits;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoTest {
  private record Run(int code, String out, String err) {}

  private static Run run(String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    int code;
    try (var outPrinter = new PrintStream(out, true, StandardCharsets.UTF_8);
        var errPrinter = new PrintStream(err, true, StandardCharsets.UTF_8)) {
      code = Demo.run(args, outPrinter, errPrinter);
    }
    return new Run(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private static void refused(String message, String... args) {
    assertEquals(new Run(2, "", "error: " + message + System.lineSeparator()), run(args));
  }

  @Test
  void withoutArgumentsItAsksForF10UnderALargeBudget() {
    var expected = SearchLimits.defaults().withWorkBudget(1_000_000_000);
    assertEquals(new DemoOptions(false, Fixtures.F10, expected), DemoOptions.parse(new String[0]));
  }

  @Test
  void everyOptionReachesItsLimit() {
    String[] args = {
      "--depth",
      "3",
      "--limit",
      "4",
      "--budget",
      "none",
      "--time-ms",
      "5",
      "--seed",
      "-6",
      "--evaluator",
      "standard",
      "8/8/8/8/8/8/8/8",
      "w",
      "-",
      "-",
      "0",
      "1"
    };
    var expected =
        SearchLimits.defaults()
            .withSearchDepth(3)
            .withCandidateLimit(4)
            .withTimeBudgetNanos(5_000_000)
            .withSeed(-6)
            .withEvaluator(LeafEvaluator.STANDARD);
    assertEquals(
        new DemoOptions(false, "8/8/8/8/8/8/8/8 w - - 0 1", expected), DemoOptions.parse(args));
  }

  @Test
  void wrongOptionsAreOneLineOnTheErrorStreamAndExitCode2() {
    refused("unknown option --colour, see --help", "--colour", "red");
    refused("option --depth needs a value, see --help", "--depth");
    refused("option --limit needs a number: many", "--limit", "many");
    refused("option --limit is out of range: 4294967297", "--limit", "4294967297");
    refused(
        "option --time-ms is out of range: 9223372036854775807",
        "--time-ms",
        "9223372036854775807");
    refused(
        "option --evaluator needs one of material, standard, aggressive: nnue",
        "--evaluator",
        "nnue");
    refused("candidateLimit must be more than 0: 0", "--limit", "0");
  }

  @Test
  void helpListsTheOptionsAndTheEvaluators() {
    assertEquals(new Run(0, DemoOptions.USAGE, ""), run("--help"));
    assertTrue(DemoOptions.USAGE.contains("one of material, standard, aggressive (default"));
  }

  @Test
  void f10IsPrintedWithItsExactValueAndBothBoards() {
    Run run = run();
    assertEquals(0, run.code(), run.err());
    assertEquals("", run.err());
    for (String part :
        new String[] {
          "Before: r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3 PNB",
          "= -3000030300 / 216",
          "Exact",
          "source SEARCH",
          "4654 legal turns; candidates: 8 selected",
          "White to move, dice: P N B",
          "White to move, dice: none",
        }) {
      assertTrue(run.out().contains(part), part + " in:\n" + run.out());
    }
  }

  @Test
  void forcedPassIsPrinted() {
    Run run = run(Fixtures.F4);
    assertEquals(0, run.code(), run.err());
    assertTrue(run.out().contains("forced pass"), run.out());
  }

  @Test
  void kingCaptureIsPrinted() {
    Run run = run(Fixtures.F7);
    assertEquals(0, run.code(), run.err());
    assertTrue(run.out().contains("captures the king"), run.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"8/8/8/8/8/8/8/8 x - - 0 1", "half a dfen"})
  void badDfenIsOneLineOnTheErrorStreamAndExitCode2(String dfen) {
    Run run = run(dfen);
    assertEquals(2, run.code());
    assertEquals("", run.out());
    assertTrue(run.err().startsWith("error: "), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }
}
