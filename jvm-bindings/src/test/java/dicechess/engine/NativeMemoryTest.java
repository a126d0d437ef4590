package dicechess.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.domain.GameState;
import dicechess.engine.internal.NativeBridge;
import dicechess.engine.jvmapi.JvmApi;
import dicechess.engine.search.BatchEvaluator;
import dicechess.engine.search.Budget;
import dicechess.engine.search.ExpectimaxSearch;
import dicechess.engine.search.KingCapture;
import dicechess.engine.search.LeafEvaluator;
import dicechess.engine.search.NativeSearch;
import dicechess.engine.search.SearchControl;
import dicechess.engine.search.SearchLimits;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Calls leave nothing behind: neither memory nor references. Each kind of call has a JVM of its
 * own, whose heap is in RAM from the start, so that what grows is native.
 *
 * <p>A slice by default; {@code -Ddicechess.test.calls=1000000} makes a million calls, of which the
 * more expensive kinds take a tenth or a hundredth.
 */
@EnabledOnOs(OS.LINUX)
class NativeMemoryTest {
  private static final int CALLS = Integer.getInteger("dicechess.test.calls", 20_000);
  private static final long TOLERANCE = 5L << 20;

  private static final List<String> OPTIONS =
      List.of(
          "-Xms48m",
          "-Xmx48m",
          "-XX:+AlwaysPreTouch",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:ReservedCodeCacheSize=16m");

  /** A kind of call. */
  enum Kind {
    /** Positions made and dropped, turns listed, questions about the rules. */
    FACADE(1) {
      @Override
      void call(int i, ExpectimaxSearch kept) {
        GameState state = GameState.parse(ENDING);
        switch (i % 4) {
          case 0 ->
              assertEquals(6, JvmApi.toDfen(JvmApi.withDice(state, List.of())).split(" ").length);
          case 1 -> assertTrue(JvmApi.legalTurns(state).size() > 5);
          case 2 -> JvmApi.endTurn(state);
          default -> KingCapture.rolls(state, 0, new Budget(10));
        }
      }
    },

    /** Bots, and searches with a DFEN and limits. */
    DIRECT(10) {
      @Override
      void call(int i, ExpectimaxSearch kept) {
        if (i % 2 == 0) {
          NativeSearch.findBestMove(Fixtures.F10, SearchLimits.defaults().withWorkBudget(200));
        } else {
          JvmApi.bestTurn(GameState.parse(ENDING), "greedy-v2", Long.MAX_VALUE, i);
        }
      }
    },

    /** Searches that are kept, made, forgotten, called with an evaluator of the host. */
    KEPT(10) {
      @Override
      ExpectimaxSearch search() {
        return ExpectimaxSearch.builder(ZERO).table(1 << 10).build();
      }

      @Override
      void call(int i, ExpectimaxSearch kept) {
        GameState state = GameState.parse(ENDING);
        SearchControl control = SearchControl.withBudget(new Budget(500));
        switch (i % 3) {
          case 0 -> kept.findBestMove(state, control, i);
          case 1 -> kept.chanceValue(JvmApi.endTurn(state), 0, control);
          default -> {
            try (var search = ExpectimaxSearch.builder(ZERO).table(1 << 8).build()) {
              search.rankMoves(state, SearchControl.untilDeadline(1, () -> 0), i);
            }
          }
        }
      }
    },

    /** Calls that are refused, also in the midst of the search. */
    FAILING(10) {
      @Override
      ExpectimaxSearch search() {
        BatchEvaluator thrower =
            (positions, count, perspective, scores) -> {
              throw new UnsupportedOperationException();
            };
        return ExpectimaxSearch.builder(thrower).build();
      }

      private final long[] badConfig = {8, 0, 99, 0, 0, 0, 0, 0, 0, 0, 1};

      @Override
      void call(int i, ExpectimaxSearch kept) {
        switch (i % 4) {
          case 0 -> refused(IllegalArgumentException.class, () -> GameState.parse(ENDING + "x"));
          case 1 ->
              refused(
                  IllegalArgumentException.class,
                  () -> ExpectimaxSearch.builder(ZERO).table(Integer.MAX_VALUE).build());
          case 2 ->
              refused(IllegalArgumentException.class, () -> NativeBridge.createSearch(badConfig));
          default ->
              refused(
                  UnsupportedOperationException.class,
                  () -> kept.findBestMove(GameState.parse(ENDING)));
        }
      }
    },

    /** Short searches with a table of 100 MB, which is there before and is not set up anew. */
    LARGE_TABLE(100) {
      @Override
      ExpectimaxSearch search() {
        return ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).table(1 << 22).build();
      }

      @Override
      void call(int i, ExpectimaxSearch kept) {
        kept.findBestMove(
            GameState.parse(Fixtures.F10), SearchControl.withBudget(new Budget(2_000)), i);
      }
    };

    private final int share;

    Kind(int share) {
      this.share = share;
    }

    /** The search that is kept for all calls; only the JVM of the kind makes it. */
    ExpectimaxSearch search() {
      return ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).build();
    }

    abstract void call(int i, ExpectimaxSearch kept);

    int calls() {
      return CALLS / share;
    }
  }

  private static final String ENDING = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 RN";

  private static final BatchEvaluator ZERO =
      (positions, count, perspective, scores) -> {
        for (int i = 0; i < count; i++) {
          scores.put(i, 0);
        }
      };

  private static void refused(Class<? extends Throwable> expected, Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      assertTrue(expected.isInstance(e), e::toString);
      return;
    }
    throw new AssertionError("no exception, but " + expected);
  }

  private static final Pattern REPORT =
      Pattern.compile("(\\d+) bytes, (\\d+) references, then (\\d+) bytes, (\\d+) references\\s*");

  @ParameterizedTest
  @EnumSource
  void callsLeaveNeitherMemoryNorReferencesBehind(Kind kind) throws Exception {
    var run = ChildJvm.run(Program.class, OPTIONS, kind.name(), "" + kind.calls());
    assertEquals(0, run.exitCode(), run.output());
    Matcher report = REPORT.matcher(run.output());
    assertTrue(report.matches(), run.output());
    long grown = Long.parseLong(report.group(3)) - Long.parseLong(report.group(1));
    assertTrue(grown < TOLERANCE, run.output());
    assertEquals(report.group(2), report.group(4), run.output());
  }

  /** Calls for a while, measures, calls as often as it was told, measures again. */
  static final class Program {
    public static void main(String[] args) throws Exception {
      Kind kind = Kind.valueOf(args[0]);
      int calls = Integer.parseInt(args[1]);
      ExpectimaxSearch kept = kind.search();
      call(kind, Math.max(3_000, Math.min(calls, 50_000)), kept);
      measure(); // once for the classes it loads
      settle();
      String before = measure();
      call(kind, calls, kept);
      settle();
      System.out.println(before + ", then " + measure());
    }

    private static void call(Kind kind, int calls, ExpectimaxSearch kept) {
      for (int i = 0; i < calls; i++) {
        kind.call(i, kept);
      }
    }

    private static void settle() throws InterruptedException {
      for (int i = 0; i < 3; i++) {
        System.gc();
        Thread.sleep(50);
      }
    }

    private static String measure() throws Exception {
      return ResidentMemory.bytes() + " bytes, " + globalReferences() + " references";
    }

    /** Counted by the JVM; searches that are still held in Rust would show too. */
    private static int globalReferences() throws Exception {
      String threads =
          (String)
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      new ObjectName("com.sun.management:type=DiagnosticCommand"),
                      "threadPrint",
                      new Object[] {new String[0]},
                      new String[] {String[].class.getName()});
      Matcher count = Pattern.compile("JNI global refs: (\\d+)").matcher(threads);
      assertTrue(count.find(), threads);
      return Integer.parseInt(count.group(1));
    }
  }
}
