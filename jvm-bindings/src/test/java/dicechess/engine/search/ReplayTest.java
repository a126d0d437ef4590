package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Fixtures;
import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A line tells all that a search depends on, and repeats it bit for bit. */
class ReplayTest {
  private static final GameState STATE =
      JvmApi.parseDfen("r3k2r/pp3ppp/2n5/3q4/3P4/2N5/PP3PPP/R2QK2R w KQkq - 3 12 NQK");
  private static final String VERSION = System.getProperty("project.version");
  private static final String LINE =
      "dicechess-native "
          + VERSION
          + " dfen=\"r3k2r/pp3ppp/2n5/3q4/3P4/2N5/PP3PPP/R2QK2R w KQkq - 3 12 NQK\" dice=256"
          + " work=none nanos=none seed=0 candidates=8 depth=2 exactOnly=false distinct=false"
          + " probes=false threads=1 evaluator=material preRanker=material rescore=none table=none";

  /** Counts queens, under a name of its choice. */
  private record Queens(String name) implements BatchEvaluator {
    @Override
    public void evaluate(ByteBuffer positions, int count, int perspective, DoubleBuffer scores) {
      for (int i = 0; i < count; i++) {
        int start = i * POSITION_BYTES;
        long queens = positions.getLong(start + 48);
        int difference =
            Long.bitCount(queens & positions.getLong(start))
                - Long.bitCount(queens & positions.getLong(start + 8));
        scores.put(i, perspective == 0 ? difference : -difference);
      }
    }
  }

  private static final Queens HOST = new Queens("queens 1.0 (net/42)");

  static Stream<ExpectimaxSearch.Builder> builders() {
    List<ExpectimaxSearch.Builder> builders = new ArrayList<>();
    ExpectimaxConfig usual = ExpectimaxConfig.defaults().withCandidateLimit(3);
    for (ExpectimaxConfig config :
        List.of(
            usual,
            usual.withCandidateLimit(1),
            usual.withExactOnly(true),
            usual.withDistinctCandidates(true),
            usual.withReplyProbes(true))) {
      builders.add(ExpectimaxSearch.builder(LeafEvaluator.STANDARD).config(config).table(512));
    }
    for (LeafEvaluator leaf : LeafEvaluator.values()) {
      builders.add(ExpectimaxSearch.builder(leaf).config(usual));
      builders.add(ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).config(usual).preRanker(leaf));
      builders.add(
          ExpectimaxSearch.builder(LeafEvaluator.MATERIAL)
              .config(usual)
              .rootRescore(new RootRescore(leaf, 0.1 + 0.2)));
    }
    builders.add(ExpectimaxSearch.builder(LeafEvaluator.STANDARD).config(usual).noPreRanker());
    builders.add(
        ExpectimaxSearch.builder(HOST)
            .config(usual)
            .preRanker(HOST)
            .rootRescore(new RootRescore(HOST, 1)));
    return builders.stream();
  }

  private static Stream<Supplier<SearchControl>> controls() {
    return Stream.of(
        SearchControl::unbounded,
        () -> SearchControl.withBudget(new Budget(0)),
        () -> SearchControl.withBudget(new Budget(20_000)),
        () -> SearchControl.untilDeadline(Long.MIN_VALUE),
        () -> SearchControl.untilDeadline(Long.MAX_VALUE - 1).andBudget(new Budget(1_000_000)));
  }

  @ParameterizedTest
  @MethodSource("builders")
  void everyConfigurationIsRepeatedBitForBit(ExpectimaxSearch.Builder builder) {
    try (ExpectimaxSearch search = builder.build()) {
      for (Supplier<SearchControl> control : controls().toList()) {
        for (long seed : new long[] {0, -7, Long.MAX_VALUE}) {
          search.clearTable();
          String line = search.replayLine(STATE, control.get(), seed);
          assertFalse(line.contains("\n"));
          SearchResult expected = search.findBestMove(STATE, control.get(), seed);
          assertEquals(expected, Replay.run(line, new Queens("another"), HOST), line);
        }
      }
    }
  }

  @Test
  void depthIsRepeated() {
    GameState small = JvmApi.parseDfen("7k/8/8/8/8/8/8/K7 w - - 0 1 K");
    for (int depth = 2; depth <= 4; depth++) {
      try (var search =
          ExpectimaxSearch.builder(LeafEvaluator.MATERIAL)
              .config(ExpectimaxConfig.defaults().withSearchDepth(depth))
              .build()) {
        String line = search.replayLine(small, SearchControl.unbounded(), 5);
        SearchResult expected = search.findBestMove(small, SearchControl.unbounded(), 5);
        assertEquals(expected, Replay.run(line));
      }
    }
  }

  @Test
  void orderOfTheDiceIsRepeated() {
    try (var search = ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).noPreRanker().build()) {
      for (List<Integer> dice : List.of(List.of(2, 5, 6), List.of(6, 5, 2), List.of(5, 6))) {
        GameState state = JvmApi.withDice(STATE, dice);
        SearchResult expected = search.findBestMove(state, SearchControl.unbounded(), 1);
        String line = search.replayLine(state, SearchControl.unbounded(), 1);
        assertEquals(expected, Replay.run(line), line);
      }
    }
  }

  @Test
  void directSearchIsRepeated() {
    SearchLimits usual = SearchLimits.defaults().withCandidateLimit(3);
    for (SearchLimits limits :
        List.of(
            usual.withSeed(4),
            usual.withEvaluator(LeafEvaluator.AGGRESSIVE).withSeed(-4),
            usual.withWorkBudget(15_000),
            usual.withDeadlineNanos(0),
            usual.withTimeBudgetNanos(Long.MAX_VALUE - 1))) {
      SearchResult expected = NativeSearch.findBestMove(Fixtures.F10, limits);
      assertEquals(expected, Replay.run(Replay.line(Fixtures.F10, limits)));
    }
  }

  @Test
  void lineNamesPositionLimitsSeedConfigurationAndVersion() {
    try (var plain = ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).build();
        var other =
            ExpectimaxSearch.builder(HOST)
                .config(new ExpectimaxConfig(5, true, 4, true, true, 1))
                .noPreRanker()
                .rootRescore(new RootRescore(LeafEvaluator.STANDARD, 0.25))
                .table(1000)
                .build()) {
      assertEquals(LINE, plain.replayLine(STATE, SearchControl.unbounded(), 0));
      Budget budget = new Budget(50);
      KingCapture.rolls(STATE, 0, budget);
      SearchControl control = SearchControl.untilDeadline(Long.MIN_VALUE).andBudget(budget);
      assertEquals(
          LINE.substring(0, LINE.indexOf(" work="))
              + " work="
              + (50 - budget.used())
              + " nanos=0 seed=-3 candidates=5 depth=4 exactOnly=true distinct=true probes=true threads=1"
              + " evaluator=\"host:queens 1.0 (net/42)\" preRanker=none rescore=0.25*standard"
              + " table=1000",
          other.replayLine(STATE, control, -3));
    }
  }

  @Test
  void searchThatIsCancelledIsRepeatedAsOneWithoutTime() {
    for (int threads : new int[] {1, 2}) {
      ExpectimaxConfig config = ExpectimaxConfig.defaults().withThreads(threads);
      SearchControl control = SearchControl.unbounded();
      control.cancel();
      try (var search = ExpectimaxSearch.builder(LeafEvaluator.STANDARD).config(config).build()) {
        String line = search.replayLine(STATE, control, 4);
        assertTrue(line.contains(" work=none nanos=0 "), line);
        SearchResult expected = search.findBestMove(STATE, control, 4);
        assertTrue(expected.stats().fellBackToPreRank());
        assertEquals(expected, Replay.run(line));
        assertEquals(line, search.replayLine(STATE, control, 4), "still cancelled");
      }
    }
  }

  @Test
  void workBudgetOnThreadsIsRefusedWhenItIsRepeatedToo() {
    refused(
        LINE.replace("work=none", "work=5").replace("threads=1", "threads=2"),
        "a search on 2 threads cannot have a work budget");
  }

  @Test
  void lineOfTheDirectSearchIsThatOfItsParts() {
    String dfen = STATE.toString();
    assertEquals(LINE, Replay.line("  " + dfen + " ", SearchLimits.defaults()));
    String message =
        assertThrows(IllegalArgumentException.class, () -> Replay.line(dfen, null)).getMessage();
    assertEquals("limits must not be null", message);
    assertThrows(IllegalArgumentException.class, () -> Replay.line("x", SearchLimits.defaults()));
    assertThrows(IllegalArgumentException.class, () -> Replay.line(null, SearchLimits.defaults()));
  }

  @Test
  void nameThatIsNoPlainTextStillGivesALineThatCanBeRead() {
    for (String name : List.of("say \"hi\"", "two\nlines", "", " ")) {
      Queens host = new Queens(name);
      try (var search = ExpectimaxSearch.builder(host).build()) {
        String line = search.replayLine(STATE, SearchControl.unbounded(), 2);
        assertFalse(line.contains("\n"), line);
        SearchResult expected = search.findBestMove(STATE, SearchControl.unbounded(), 2);
        assertEquals(expected, Replay.run(line, host), line);
      }
    }
  }

  private static void refused(String line, String part) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Replay.run(line), line).getMessage();
    assertTrue(message.contains(part), "'" + message + "' for '" + line + "'");
  }

  @Test
  void lineOfAnotherVersionOrNoneIsRefused() {
    refused(null, "line must not be null");
    refused("", "a replay line must start with 'dicechess-native " + VERSION + " dfen=': ");
    refused(LINE.replace(VERSION, "9.9.9"), "a replay line must start with");
    refused(LINE.replace(" dice=", " x dice="), "not a replay line: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dice",
        "work",
        "nanos",
        "seed",
        "candidates",
        "depth",
        "exactOnly",
        "distinct",
        "probes",
        "evaluator",
        "preRanker",
        "rescore",
        "table"
      })
  void partThatIsMissingDoubledOrWrongIsRefused(String key) {
    String part = LINE.replaceFirst(".*( " + key + "=[^ ]*).*", "$1");
    refused(LINE.replace(part, ""), "not a replay line: ");
    refused(LINE + part, "not a replay line: ");
    refused(LINE.replace(part, " " + key + "=maybe"), "maybe");
  }

  @ParameterizedTest
  @CsvSource({
    "work=-1, not a replay line: ",
    "nanos=-1, not a replay line: ",
    "dice=7, not a replay line: ",
    "dice=2566, not a replay line: ",
    "rescore=0.5, not a replay line: ",
    "candidates=0, candidateLimit must be 1 or more: 0",
    "depth=9, searchDepth must be 2 to 8: 9",
    "rescore=2*material, weight must be 0 to 1: 2.0",
    "rescore=0.5*unknown, no such evaluator among those given: unknown",
    "evaluator=none, no such evaluator among those given: none",
    "evaluator=\"host:elsewhere\", no such evaluator among those given: \"host:elsewhere\"",
    "table=0, table capacity must be 1 or more: 0",
    "seed=99999999999999999999, 99999999999999999999",
  })
  void valueOutOfItsRangeIsRefused(String part, String message) {
    String key = part.substring(0, part.indexOf('=') + 1);
    refused(LINE.replaceFirst(" " + key + "[^ ]*", " " + part), message);
  }
}
