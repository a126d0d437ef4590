package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.ChildJvm;
import dicechess.engine.Fixtures;
import dicechess.engine.ResidentMemory;
import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Eight threads that mix facade calls, searches with own and shared tables, cancellations and
 * closings, in a JVM of their own: no crash, no leak, every answer legal, sound and, where no limit
 * and no shared table makes them differ, that of one thread.
 *
 * <p>A few seconds by default; {@code -Ddicechess.test.load.seconds=600} is ten minutes.
 */
@EnabledOnOs(OS.LINUX)
class LoadTest {
  private static final int SECONDS = Integer.getInteger("dicechess.test.load.seconds", 4);
  private static final long TOLERANCE = 8L << 20;

  private static final List<String> OPTIONS =
      List.of(
          "-Xms96m",
          "-Xmx96m",
          "-XX:+AlwaysPreTouch",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:ReservedCodeCacheSize=16m");

  private static final Pattern REPORT =
      Pattern.compile(
          "(\\d+) calls, heap (\\d+), resident (\\d+), then (\\d+) calls, heap (\\d+), resident"
              + " (\\d+)\\s*");

  @Test
  void eightThreadsAreAnsweredAsOneIsAndLeaveNothingBehind() throws Exception {
    var run = ChildJvm.run(Program.class, OPTIONS, "" + SECONDS);
    assertEquals(0, run.exitCode(), run.output());
    Matcher report = REPORT.matcher(run.output());
    assertTrue(report.matches(), run.output());
    System.out.print("load: " + run.output());
    for (int measured : new int[] {2, 3}) {
      long before = Long.parseLong(report.group(measured));
      long after = Long.parseLong(report.group(measured + 3));
      assertTrue(after - before < TOLERANCE, run.output());
    }
  }

  /** Calls for a third of the time, measures, calls for the rest, measures again. */
  static final class Program {
    private static final int THREADS = 8;

    public static void main(String[] args) throws Exception {
      long nanos = Long.parseLong(args[0]) * 1_000_000_000L;
      ExecutorService pool = Executors.newFixedThreadPool(THREADS);
      Mix mix = new Mix();
      meet(pool, mix);
      String warm = run(pool, mix, 1, nanos / 3) + measure();
      String rest = run(pool, mix, 1_000, nanos - nanos / 3) + measure();
      System.out.println(warm + ", then " + rest);
      pool.shutdown();
    }

    /** Brings all threads into the same call at once: as much is then set aside as ever will be. */
    private static void meet(ExecutorService pool, Mix mix) throws Exception {
      CyclicBarrier inside = new CyclicBarrier(THREADS);
      List<Future<?>> workers = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        workers.add(pool.submit(() -> mix.meet(inside)));
      }
      for (Future<?> worker : workers) {
        worker.get();
      }
    }

    private static String run(ExecutorService pool, Mix mix, long seed, long nanos)
        throws Exception {
      long end = System.nanoTime() + nanos;
      List<Future<Long>> workers = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        SplittableRandom random = new SplittableRandom(seed + thread);
        workers.add(
            pool.submit(
                () -> {
                  long calls = 0;
                  for (; System.nanoTime() < end; calls++) {
                    mix.call(random);
                  }
                  return calls;
                }));
      }
      long calls = 0;
      for (Future<Long> worker : workers) {
        calls += worker.get();
      }
      return calls + " calls, ";
    }

    private static String measure() throws InterruptedException {
      for (int i = 0; i < 3; i++) {
        System.gc();
        Thread.sleep(100);
      }
      Runtime runtime = Runtime.getRuntime();
      long heap = runtime.totalMemory() - runtime.freeMemory();
      return "heap " + heap + ", resident " + ResidentMemory.bytes();
    }
  }

  /** A position with its dice, and what one thread says of it alone. */
  private static final class Root {
    static final int SEED = 5;
    static final int WORK = 3_000;

    final GameState state;
    final Map<List<String>, GameState> legal;
    final SearchResult found;
    final SearchResult limited;
    final SearchResult hosts;
    final ProofResult proof;
    final Map<String, Object> bots = new LinkedHashMap<>();

    /** The value of each candidate. */
    final Map<List<String>, Double> values = new LinkedHashMap<>();

    Root(String dfen) {
      state = GameState.parse(dfen);
      legal =
          JvmApi.legalTurns(state).stream()
              .collect(Collectors.toMap(JvmApi.Turn::uci, JvmApi.Turn::finalState));
      try (var search = material().build();
          var host = ExpectimaxSearch.builder(new HostMaterial()).build()) {
        found = search.findBestMove(state, SearchControl.unbounded(), SEED);
        hosts = host.findBestMove(state, SearchControl.unbounded(), SEED);
        limited = search.findBestMove(state, work(), SEED);
        for (RankedTurn turn :
            search.rankMoves(state, SearchControl.unbounded(), SEED).candidates()) {
          GameState after = JvmApi.endTurn(legal.get(turn.uci()));
          ChanceValue value =
              search.chanceValue(after, JvmApi.activeColor(state), SearchControl.unbounded());
          values.put(turn.uci(), value.outcome().exactOption().orElseThrow());
        }
      }
      proof = WinProof.find(state, 2, work(), SEED);
      for (String bot : JvmApi.algorithms()) {
        if (!bot.equals("monte-carlo")) {
          bots.put(bot, JvmApi.bestTurn(state, bot, Long.MAX_VALUE, SEED));
        }
      }
    }

    static ExpectimaxSearch.Builder material() {
      return ExpectimaxSearch.builder(LeafEvaluator.MATERIAL);
    }

    static SearchControl work() {
      return SearchControl.withBudget(new Budget(WORK));
    }

    void assertLegal(SearchResult result) {
      assertEquals(legal.isEmpty(), result.best().isEmpty());
      result.best().ifPresent(best -> assertEquals(legal.get(best.uci()), best.finalState()));
    }

    /** Whatever ended a search and whatever its table knew, what it claims holds. */
    void assertSound(RankedResult ranked) {
      assertLegal(ranked.result());
      for (RankedTurn turn : ranked.candidates()) {
        double value = values.get(turn.uci());
        if (turn.outcome() instanceof SearchOutcome.Exact exact) {
          assertEquals(value, exact.value());
        } else if (turn.outcome() instanceof SearchOutcome.LowerBound bound) {
          assertTrue(bound.value() <= value, turn.toString());
        } else if (turn.outcome() instanceof SearchOutcome.UpperBound bound) {
          assertTrue(bound.value() >= value, turn.toString());
        }
      }
    }
  }

  /** All kinds of calls, and what the threads share. */
  private static final class Mix {
    private static final ExpectimaxConfig TWO_THREADS = ExpectimaxConfig.defaults().withThreads(2);

    private final List<Root> roots =
        Fixtures.read("root.json").getAsJsonArray("entries").asList().stream()
            .map(entry -> entry.getAsJsonObject().get("dfen").getAsString())
            .map(Root::new)
            .toList();
    private final ExpectimaxSearch plain = Root.material().build();
    private final ExpectimaxSearch hosts = ExpectimaxSearch.builder(new HostMaterial()).build();
    private final ExpectimaxSearch exactTable =
        Root.material()
            .config(ExpectimaxConfig.defaults().withExactOnly(true))
            .table(1 << 10)
            .build();
    private final AtomicReference<ExpectimaxSearch> closable =
        new AtomicReference<>(Root.material().table(1 << 10).build());
    private final ConcurrentLinkedQueue<SearchControl> running = new ConcurrentLinkedQueue<>();

    /** Searches the largest root with everything that is kept, once all threads do. */
    void meet(CyclicBarrier inside) {
      Root root =
          roots.stream().max(Comparator.comparingInt(some -> some.legal.size())).orElseThrow();
      for (ExpectimaxSearch search : List.of(plain, hosts, exactTable)) {
        root.assertSound(search.rankMoves(root.state, meeting(inside), Root.SEED));
      }
      SearchControl control = meeting(inside).andBudget(new Budget(Root.WORK));
      assertEquals(root.proof, WinProof.find(root.state, 2, control, Root.SEED));
    }

    /** A control whose clock stands still once all threads have read it. */
    private static SearchControl meeting(CyclicBarrier inside) {
      boolean[] met = {false};
      return SearchControl.untilDeadline(
          1,
          () -> {
            if (!met[0]) {
              met[0] = true;
              assertDoesNotThrow(() -> inside.await());
            }
            return 0;
          });
    }

    void call(SplittableRandom random) {
      Root root = roots.get(random.nextInt(roots.size()));
      GameState state = root.state;
      switch (random.nextInt(14)) {
        case 0 -> assertEquals(state, GameState.parse(JvmApi.toDfen(state)));
        case 1 -> assertEquals(root.legal.size(), JvmApi.legalTurns(state).size());
        case 2 ->
            root.bots.forEach(
                (bot, turn) ->
                    assertEquals(turn, JvmApi.bestTurn(state, bot, Long.MAX_VALUE, Root.SEED)));
        case 3 ->
            assertEquals(
                root.found, plain.findBestMove(state, SearchControl.unbounded(), Root.SEED));
        case 4 -> assertEquals(root.limited, plain.findBestMove(state, Root.work(), Root.SEED));
        case 5 ->
            assertEquals(
                root.hosts, hosts.findBestMove(state, SearchControl.unbounded(), Root.SEED));
        case 6 ->
            assertEquals(
                root.found.best(),
                exactTable.findBestMove(state, SearchControl.unbounded(), Root.SEED).best());
        case 7 -> searchWithOwnTable(root);
        case 8 -> assertEquals(root.proof, WinProof.find(state, 2, Root.work(), Root.SEED));
        case 9 -> root.assertSound(plain.rankMoves(state, brief(random), Root.SEED));
        case 10 -> fail(root);
        case 11 -> searchCancelled(root);
        case 12 -> searchClosed(root, random);
        default -> {
          SearchControl control = running.poll();
          if (control != null) {
            control.cancel();
          }
        }
      }
    }

    private static SearchControl brief(SplittableRandom random) {
      return SearchControl.untilDeadline(System.nanoTime() + random.nextInt(200_000));
    }

    private static void searchWithOwnTable(Root root) {
      try (var search = Root.material().config(TWO_THREADS).table(1 << 8).build()) {
        for (int i = 0; i < 2; i++) {
          assertEquals(
              root.found.best(),
              search.findBestMove(root.state, SearchControl.unbounded(), Root.SEED).best());
          search.clearTable();
        }
      }
    }

    /** Another thread may cancel it at any time. */
    private void searchCancelled(Root root) {
      SearchControl control = SearchControl.unbounded();
      running.add(control);
      root.assertSound(plain.rankMoves(root.state, control, Root.SEED));
      running.remove(control);
    }

    /** Another thread may close it at any time; sometimes this one does, or forgets it. */
    private void searchClosed(Root root, SplittableRandom random) {
      ExpectimaxSearch search = closable.get();
      try {
        root.assertSound(search.rankMoves(root.state, SearchControl.unbounded(), Root.SEED));
      } catch (IllegalStateException e) {
        assertEquals("the search is closed", e.getMessage());
      }
      if (random.nextInt(8) == 0) {
        ExpectimaxSearch old = closable.getAndSet(Root.material().table(1 << 10).build());
        if (random.nextBoolean()) {
          old.close();
        }
      }
    }

    private static void fail(Root root) {
      RuntimeException failure = new UnsupportedOperationException("no score");
      BatchEvaluator failing =
          (positions, count, perspective, scores) -> {
            throw failure;
          };
      String wrong = root.state + "x";
      assertThrows(IllegalArgumentException.class, () -> GameState.parse(wrong));
      if (root.values.isEmpty()) {
        return; // Nothing is evaluated before a capture or a pass.
      }
      try (var search = ExpectimaxSearch.builder(failing).build()) {
        assertSame(
            failure, assertThrows(RuntimeException.class, () -> search.findBestMove(root.state)));
      }
    }
  }
}
