package dicechess.engine.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.ChildJvm;
import dicechess.engine.Fixtures;
import dicechess.engine.NativeEngine;
import dicechess.engine.NativeEngineException;
import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import dicechess.engine.search.ExpectimaxConfig;
import dicechess.engine.search.ExpectimaxSearch;
import dicechess.engine.search.LeafEvaluator;
import dicechess.engine.search.NativeSearch;
import dicechess.engine.search.Replay;
import dicechess.engine.search.SearchLimits;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** The first use of the library in a process, each case in a JVM of its own. */
class FirstUseTest {
  @Test
  void threadsThatUseDifferentClassesFirstDoNotWaitForEachOther() throws Exception {
    for (int i = 0; i < 5; i++) {
      assertEquals(new ChildJvm.Run(0, ""), ChildJvm.run(AllAtOnce.class, List.of()));
    }
  }

  /** Initialises every class that has a part in loading, each on a thread of its own. */
  static final class AllAtOnce {
    public static void main(String[] args) throws Exception {
      List<Runnable> firstUses =
          List.of(
              NativeEngine::version,
              JvmApi::algorithms,
              () -> GameState.parse(Fixtures.F10),
              () -> ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).build().close(),
              ExpectimaxConfig::defaults,
              () -> NativeSearch.findBestMove(Fixtures.F10, SearchLimits.defaults()),
              () -> Replay.line(Fixtures.F10, SearchLimits.defaults()),
              () -> MicroMoves.turn(1));
      CyclicBarrier start = new CyclicBarrier(firstUses.size());
      var pool = Executors.newFixedThreadPool(firstUses.size());
      var done =
          firstUses.stream()
              .map(
                  use ->
                      pool.submit(
                          () -> {
                            start.await();
                            use.run();
                            return null;
                          }))
              .toList();
      for (var use : done) {
        use.get();
      }
      pool.shutdown();
    }
  }

  /** JDK 24 and later can deny native access to those who were not given it. */
  @Test
  void deniedNativeAccessIsAReadableError() throws Exception {
    boolean canDeny = Runtime.version().feature() >= 24;
    List<String> options = canDeny ? List.of("--illegal-native-access=deny") : List.of();
    var run = ChildJvm.runWithOnly(Denied.class, options);
    assertEquals(0, run.exitCode(), run.output());
    assertEquals(!canDeny, run.output().contains("available: true"), run.output());
    if (canDeny) {
      assertTrue(run.output().contains("--enable-native-access=ALL-UNNAMED"), run.output());
    }
  }

  static final class Denied {
    public static void main(String[] args) {
      for (int i = 0; i < 2; i++) {
        System.out.println("available: " + NativeEngine.isAvailable());
        try {
          NativeEngine.version();
        } catch (NativeEngineException e) {
          System.out.println(e.getMessage());
        }
      }
    }
  }
}
