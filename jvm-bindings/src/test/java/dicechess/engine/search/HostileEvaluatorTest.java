package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Fixtures;
import dicechess.engine.NativeEngineException;
import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the host's code does in the midst of a search, the search and the JVM survive it. */
class HostileEvaluatorTest {
  private static final GameState ROOT = GameState.parse(Fixtures.F10);
  private static final GameState ENDING = GameState.parse("k7/8/8/8/8/8/8/R3K3 w - - 0 1 NBK");
  private static final GameState BEFORE_ROLL = JvmApi.endTurn(ROOT);
  private static final BatchEvaluator MATERIAL = new HostMaterial();
  private static final SearchResult EXPECTED = search(LeafEvaluator.MATERIAL);

  /** Does something before it scores; scores as material does. */
  private static final class Mischief implements BatchEvaluator {
    private Runnable act = () -> {};

    @Override
    public void evaluate(ByteBuffer positions, int count, int perspective, DoubleBuffer scores) {
      act.run();
      MATERIAL.evaluate(positions, count, perspective, scores);
    }

    @Override
    public boolean readsClocks() {
      return false;
    }
  }

  private static SearchResult search(Evaluator leaf) {
    try (var search = ExpectimaxSearch.builder(leaf).build()) {
      return search.findBestMove(ROOT);
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  private static void assertSameTurn(SearchResult result) {
    assertEquals(EXPECTED.best(), result.best());
  }

  /** The places where a host's evaluator is called, each as a search with that evaluator. */
  static Stream<Function<BatchEvaluator, ExpectimaxSearch>> places() {
    return Stream.of(
        host -> ExpectimaxSearch.builder(host).build(),
        host -> ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).preRanker(host).build(),
        host ->
            ExpectimaxSearch.builder(LeafEvaluator.MATERIAL)
                .rootRescore(new RootRescore(host, 0.5))
                .build());
  }

  @Test
  void hostsMaterialAgreesWithTheEngines() {
    assertSameTurn(search(MATERIAL));
  }

  @ParameterizedTest
  @MethodSource("places")
  void whatItThrowsComesOutUnchanged(Function<BatchEvaluator, ExpectimaxSearch> place) {
    Mischief host = new Mischief();
    try (ExpectimaxSearch search = place.apply(host)) {
      SearchResult before = search.findBestMove(ROOT);
      for (Throwable thrown :
          List.of(
              new IllegalArgumentException("of the host"),
              new IOException("checked, but not declared"),
              new AssertionError("an error"),
              new OutOfMemoryError("made up"),
              new StackOverflowError("made up"),
              new NativeEngineException("made up"))) {
        host.act = () -> HostileEvaluatorTest.<RuntimeException>sneak(thrown);
        assertSame(thrown, assertThrows(Throwable.class, () -> search.findBestMove(ROOT)));
        host.act = () -> {};
        assertEquals(before, search.findBestMove(ROOT));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 20, 80})
  void exceptionEndsTheSearchAtAnyBatch(int batch) {
    Mischief host = new Mischief();
    AtomicInteger calls = new AtomicInteger();
    host.act =
        () -> {
          if (calls.incrementAndGet() >= batch) {
            throw new IllegalStateException("batch " + batch);
          }
        };
    try (var search = ExpectimaxSearch.builder(host).build()) {
      var thrown = assertThrows(IllegalStateException.class, () -> search.findBestMove(ROOT));
      assertEquals("batch " + batch, thrown.getMessage());
      assertEquals(batch, calls.get(), "the host is not called after it has failed");
    }
  }

  @Test
  void exceptionComesOutOfTheValueOfAChanceNode() {
    RuntimeException thrown = new RuntimeException("of the host");
    BatchEvaluator host =
        (positions, count, perspective, scores) -> {
          throw thrown;
        };
    Budget budget = new Budget(1_000_000);
    SearchControl control = SearchControl.withBudget(budget);
    assertSame(
        thrown,
        assertThrows(
            RuntimeException.class, () -> ChanceNode.value(BEFORE_ROLL, 0, host, control)));
    assertTrue(budget.used() > 0, "the work done until then is charged");
    assertTrue(ChanceNode.value(BEFORE_ROLL, 0, MATERIAL, control).outcome().isExact());
  }

  @Test
  void memoryErrorOfTheJvmComesOut() {
    Mischief host = new Mischief();
    host.act = () -> assertEquals(0, new long[Integer.MAX_VALUE].length);
    assertThrows(OutOfMemoryError.class, () -> search(host));
    host.act = () -> {};
    assertSameTurn(search(host));
  }

  private static int sink(int depth) {
    return depth + sink(depth + 1);
  }

  @Test
  void stackOverflowOfTheHostComesOut() {
    Mischief host = new Mischief();
    host.act = () -> sink(0);
    assertThrows(StackOverflowError.class, () -> search(host));
    host.act = () -> {};
    assertSameTurn(search(host));
  }

  @Test
  void endlessRecursionIntoTheSameSearchIsAStackOverflow() throws Exception {
    Mischief host = new Mischief();
    try (var search = ExpectimaxSearch.builder(host).build()) {
      host.act = () -> search.findBestMove(ROOT);
      onThread(() -> assertThrows(StackOverflowError.class, () -> search.findBestMove(ROOT)));
      host.act = () -> {};
      assertSameTurn(search.findBestMove(ROOT));
    }
  }

  /** Searches with what is left of the stack, at every depth, until there is nothing left. */
  private static void searchAtEveryDepth(ExpectimaxSearch search, int depth) {
    assertFalse(search.findBestMove(ENDING).isForcedPass());
    searchAtEveryDepth(search, depth + 1);
  }

  @Test
  void searchAtTheVeryEndOfTheStackIsAStackOverflow() throws Exception {
    ExpectimaxConfig quick = ExpectimaxConfig.defaults().withCandidateLimit(1);
    for (Evaluator leaf : List.of(LeafEvaluator.MATERIAL, MATERIAL)) {
      try (var search = ExpectimaxSearch.builder(leaf).config(quick).build()) {
        onThread(() -> assertThrows(StackOverflowError.class, () -> searchAtEveryDepth(search, 0)));
        assertFalse(search.findBestMove(ROOT).isForcedPass());
      }
    }
  }

  /** On a thread with a small stack. */
  private static void onThread(Runnable task) throws InterruptedException {
    Throwable[] failed = new Throwable[1];
    Thread thread = new Thread(null, task, "small stack", 256 << 10);
    thread.setUncaughtExceptionHandler((t, e) -> failed[0] = e);
    thread.start();
    thread.join();
    if (failed[0] != null) {
      throw new AssertionError(failed[0]);
    }
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {
        Double.NaN,
        Double.NEGATIVE_INFINITY,
        Double.POSITIVE_INFINITY,
        -10_000.000001,
        10_000.000001,
        -1e9
      })
  void scoreOutOfRangeIsNamedTogetherWithTheEvaluator(double score) {
    BatchEvaluator host =
        new BatchEvaluator() {
          @Override
          public void evaluate(ByteBuffer positions, int count, int side, DoubleBuffer scores) {
            MATERIAL.evaluate(positions, count, side, scores);
            scores.put(count - 1, score);
          }

          @Override
          public String name() {
            return "net\0of \uD83C\uDFB2";
          }
        };
    var refused = assertThrows(NativeEngineException.class, () -> search(host));
    String number = Double.isNaN(score) ? "NaN" : Double.isInfinite(score) ? "inf" : "10000";
    assertTrue(refused.getMessage().contains("'net\0of \uD83C\uDFB2'"), refused.getMessage());
    String value = score == -1e9 ? "-1000000000" : number;
    assertTrue(refused.getMessage().contains(value), refused.getMessage());
  }

  @Test
  void scoresThatAreNotWrittenEndTheSearch() {
    BatchEvaluator all = (positions, count, perspective, scores) -> {};
    BatchEvaluator last =
        (positions, count, perspective, scores) -> {
          for (int i = 0; i < count - 1; i++) {
            scores.put(i, 0);
          }
        };
    for (BatchEvaluator host : List.of(all, last)) {
      var refused = assertThrows(NativeEngineException.class, () -> search(host));
      assertTrue(refused.getMessage().contains("NaN"), refused.getMessage());
    }
  }

  @Test
  void viewsOfTheBuffersAreRestoredForEveryBatch() {
    BatchEvaluator host =
        (positions, count, perspective, scores) -> {
          assertEquals(0, positions.position());
          assertEquals(count * BatchEvaluator.POSITION_BYTES, positions.limit());
          assertEquals(ByteOrder.nativeOrder(), positions.order());
          assertEquals(count, scores.remaining());
          MATERIAL.evaluate(positions, count, perspective, scores);
          positions.order(
              ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
                  ? ByteOrder.BIG_ENDIAN
                  : ByteOrder.LITTLE_ENDIAN);
          positions.position(1).mark().limit(2);
          scores.position(count);
        };
    assertSameTurn(search(host));
  }

  @Test
  void buffersAreKeptBetweenTheCallsOfASearch() {
    Set<ByteBuffer> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    BatchEvaluator host =
        (positions, count, perspective, scores) -> {
          seen.add(positions);
          MATERIAL.evaluate(positions, count, perspective, scores);
        };
    try (var search = ExpectimaxSearch.builder(host).build()) {
      search.findBestMove(ROOT);
      int afterTheFirst = seen.size();
      for (int i = 0; i < 10; i++) {
        search.findBestMove(ROOT);
      }
      assertEquals(afterTheFirst, seen.size());
    }
  }

  @Test
  void buffersThatTheHostKeepsAndWritesToDoNoHarmToLaterSearches() throws Exception {
    List<ByteBuffer> positionsKept = new ArrayList<>();
    List<DoubleBuffer> scoresKept = new ArrayList<>();
    BatchEvaluator keeper =
        (positions, count, perspective, scores) -> {
          synchronized (positionsKept) {
            positionsKept.add(positions);
            scoresKept.add(scores);
          }
          MATERIAL.evaluate(positions, count, perspective, scores);
        };
    AtomicBoolean done = new AtomicBoolean();
    Thread scribbler =
        new Thread(
            () -> {
              while (!done.get()) {
                synchronized (positionsKept) {
                  positionsKept.forEach(buffer -> buffer.putLong(0, -1));
                  scoresKept.forEach(buffer -> buffer.put(0, Double.MAX_VALUE));
                }
              }
            });
    scribbler.start();
    int spoilt = 0;
    for (int i = 0; i < 20; i++) {
      try {
        search(keeper);
      } catch (NativeEngineException e) {
        spoilt++;
      }
      synchronized (positionsKept) {
        positionsKept.subList(0, Math.max(0, positionsKept.size() - 50)).clear();
        scoresKept.subList(0, Math.max(0, scoresKept.size() - 50)).clear();
      }
    }
    done.set(true);
    scribbler.join();
    assertTrue(spoilt <= 20);
    assertSameTurn(search(MATERIAL));
    for (int i = 0; i < positionsKept.size(); i++) {
      positionsKept.get(i).putLong(0, -1);
      scoresKept.get(i).put(0, Double.NaN);
    }
    assertSameTurn(search(MATERIAL));
  }

  /** What an evaluator may ask of the engine while it evaluates, and the answer. */
  static Stream<Supplier<Object>> questions() {
    ExpectimaxSearch other = ExpectimaxSearch.builder(new HostMaterial()).table(1024).build();
    return Stream.of(
        () -> other.findBestMove(ROOT).best(),
        () -> search(LeafEvaluator.STANDARD),
        () -> NativeSearch.findBestMove(Fixtures.F10, SearchLimits.defaults()),
        () -> JvmApi.legalTurns(ROOT),
        () -> JvmApi.bestTurn(ROOT, "greedy-v2", Long.MAX_VALUE, 1),
        () -> ChanceNode.value(BEFORE_ROLL, 1, new HostMaterial(), SearchControl.unbounded()),
        () -> KingCapture.rolls(ROOT, 1, new Budget(1_000_000)),
        () ->
            assertThrows(IllegalArgumentException.class, () -> GameState.parse("?")).getMessage());
  }

  @ParameterizedTest
  @MethodSource("questions")
  void evaluatorMayAskTheEngine(Supplier<Object> question) {
    Object answer = question.get();
    Mischief host = new Mischief();
    host.act = () -> assertEquals(answer, question.get());
    assertSameTurn(search(host));
  }

  @Test
  void evaluatorMaySearchWithTheSameSearch() {
    Mischief host = new Mischief();
    try (var search = ExpectimaxSearch.builder(host).table(1024).build()) {
      AtomicInteger depth = new AtomicInteger();
      host.act =
          () -> {
            if (depth.incrementAndGet() <= 3) {
              assertSameTurn(search.findBestMove(ROOT));
            }
            depth.decrementAndGet();
          };
      SearchControl control = SearchControl.withBudget(new Budget(3_000));
      search.findBestMove(ROOT, control, 0);
      host.act = () -> {};
      assertSameTurn(search.findBestMove(ROOT));
    }
  }

  @Test
  void budgetOfTheSearchCannotBeUsedInside() {
    Mischief host = new Mischief();
    Budget budget = new Budget(1_000_000);
    SearchControl control = SearchControl.withBudget(budget);
    try (var search = ExpectimaxSearch.builder(host).build()) {
      host.act = () -> search.findBestMove(ROOT, control, 0);
      var refused =
          assertThrows(IllegalStateException.class, () -> search.findBestMove(ROOT, control, 0));
      assertTrue(refused.getMessage().contains("in use"), refused.getMessage());
      host.act = () -> KingCapture.rolls(ROOT, 0, budget);
      assertThrows(IllegalStateException.class, () -> search.findBestMove(ROOT, control, 0));
      host.act = () -> {};
      SearchResult after = search.findBestMove(ROOT, control, 0);
      assertEquals(EXPECTED.best().orElseThrow().uci(), after.best().orElseThrow().uci());
    }
  }

  @Test
  void searchThatIsClosedInsideEndsNormally() {
    Mischief host = new Mischief();
    var search = ExpectimaxSearch.builder(host).table(1024).build();
    host.act = search::close;
    assertSameTurn(search.findBestMove(ROOT));
    assertThrows(IllegalStateException.class, () -> search.findBestMove(ROOT));
  }

  @Test
  void cancelInsideEndsTheSearchWithALegalTurn() {
    Mischief host = new Mischief();
    SearchControl control = SearchControl.unbounded();
    host.act = control::cancel;
    try (var search = ExpectimaxSearch.builder(host).build()) {
      SearchResult result = search.findBestMove(ROOT, control, 0);
      assertTrue(result.stats().deadlineTruncated());
      assertTrue(result.best().isPresent());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10})
  void whatAClockThrowsComesOutUnchanged(int read) {
    AssertionError thrown = new AssertionError("of the clock");
    for (Evaluator leaf : List.of(LeafEvaluator.MATERIAL, MATERIAL)) {
      AtomicInteger reads = new AtomicInteger();
      LongSupplier clock =
          () -> {
            if (reads.incrementAndGet() == read) {
              throw thrown;
            }
            return 0;
          };
      try (var search = ExpectimaxSearch.builder(leaf).build()) {
        SearchControl control = SearchControl.untilDeadline(1, clock);
        assertSame(
            thrown,
            assertThrows(AssertionError.class, () -> search.findBestMove(ROOT, control, 0)));
        assertEquals(read, reads.get(), "the clock is not read after it has failed");
        assertSameTurn(search.findBestMove(ROOT));
      }
    }
  }

  @Test
  void clockMaySearch() {
    AtomicInteger reads = new AtomicInteger();
    LongSupplier clock =
        () -> {
          if (reads.incrementAndGet() % 100 == 1) {
            assertSameTurn(search(MATERIAL));
          }
          return 0;
        };
    SearchControl control = SearchControl.untilDeadline(1, clock);
    try (var search = ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).build()) {
      assertSameTurn(search.findBestMove(ROOT, control, 0));
    }
  }

  @Test
  void interruptNeitherDisturbsASearchNorIsLost() {
    Thread.currentThread().interrupt();
    assertSameTurn(search(LeafEvaluator.MATERIAL));
    assertSameTurn(search(MATERIAL));
    assertTrue(Thread.interrupted(), "an interrupt before the call is still there after it");
    Mischief host = new Mischief();
    host.act = () -> Thread.currentThread().interrupt();
    assertSameTurn(search(host));
    assertTrue(Thread.interrupted(), "an interrupt by the evaluator is still there after the call");
    assertFalse(Thread.currentThread().isInterrupted());
  }

  @Test
  void evaluatorWithoutANameIsRefused() {
    BatchEvaluator nameless =
        new BatchEvaluator() {
          @Override
          public void evaluate(ByteBuffer positions, int count, int side, DoubleBuffer scores) {}

          @Override
          public String name() {
            return null;
          }
        };
    var builder = ExpectimaxSearch.builder(nameless);
    var refused = assertThrows(IllegalArgumentException.class, builder::build);
    assertEquals("the name of an evaluator must not be null", refused.getMessage());
  }
}
