package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dicechess.engine.ChildJvm;
import dicechess.engine.Fixtures;
import dicechess.engine.domain.GameState;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that ends while it searches, or searches while it ends, ends as it was told to. */
class ProcessExitTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"searchInAHook", "returnWhileADaemonSearches", "exitWhileADaemonSearches"})
  void processEndsWithTheExitCodeItWasGiven(String ending) throws Exception {
    var run = ChildJvm.run(Program.class, List.of(), ending);
    assertEquals(ending.startsWith("exit") ? 7 : 0, run.exitCode(), run.output());
    assertEquals(ending.equals("searchInAHook") ? "found" : "", run.output().strip());
  }

  /** Ends in the way of its argument. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws Exception {
      switch (args[0]) {
        case "searchInAHook" ->
            Runtime.getRuntime()
                .addShutdownHook(
                    new Thread(
                        () -> {
                          var limits = SearchLimits.defaults().withWorkBudget(50_000);
                          var result = NativeSearch.findBestMove(Fixtures.F10, limits);
                          System.out.println(result.best().isPresent() ? "found" : "nothing");
                        }));
        case "returnWhileADaemonSearches" -> searchOnADaemon();
        default -> {
          searchOnADaemon();
          System.exit(7);
        }
      }
    }

    /** Returns once a search of many minutes is under way. */
    private static void searchOnADaemon() throws InterruptedException {
      CountDownLatch entered = new CountDownLatch(1);
      SearchControl control =
          SearchControl.untilDeadline(
              Long.MAX_VALUE - 1,
              () -> {
                entered.countDown();
                return 0;
              });
      Thread daemon =
          new Thread(
              () -> {
                var config = ExpectimaxConfig.defaults().withSearchDepth(5);
                var builder = ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).config(config);
                try (var search = builder.build()) {
                  search.findBestMove(GameState.parse(Fixtures.F10), control, 1);
                }
              });
      daemon.setDaemon(true);
      daemon.start();
      entered.await();
    }
  }
}
