package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Fixtures;
import dicechess.engine.Layout;
import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An evaluator of the host sees positions in the layout documented, and counts as a built-in. */
class BatchEvaluatorTest {
  static Stream<String> roots() {
    return Stream.concat(
            Stream.of(Fixtures.F10, "4k3/8/8/8/PpPpP3/8/8/4K3 b - a3c3e3 5 9 pp"),
            entries("root.json").filter(entry -> entry.contains(" ")))
        .filter(dfen -> isSearched(JvmApi.parseDfen(dfen)));
  }

  private static Stream<String> entries(String file) {
    return Fixtures.read(file).getAsJsonArray("entries").asList().stream()
        .map(entry -> entry.getAsJsonObject().get("dfen").getAsString());
  }

  /** Neither over, nor a pass, nor a king capture. */
  private static boolean isSearched(GameState state) {
    List<JvmApi.Turn> turns = JvmApi.legalTurns(state);
    return !JvmApi.isGameOver(state)
        && !turns.isEmpty()
        && !JvmApi.isGameOver(turns.get(0).finalState());
  }

  private static RankedResult rank(ExpectimaxSearch.Builder builder, GameState state) {
    try (ExpectimaxSearch search = builder.build()) {
      return search.rankMoves(state, SearchControl.unbounded(), 5);
    }
  }

  /**
   * How soon an inferior candidate is cut, and so its bound, depends on what the engine may assume
   * of an evaluator; exact values, and with them the answer, do not.
   */
  private static void assertSameAnswer(RankedResult expected, RankedResult found) {
    assertEquals(expected.result().best(), found.result().best());
    assertEquals(expected.candidates().size(), found.candidates().size());
    for (int i = 0; i < expected.candidates().size(); i++) {
      RankedTurn ours = expected.candidates().get(i);
      RankedTurn theirs = found.candidates().get(i);
      assertEquals(ours.uci(), theirs.uci());
      assertEquals(ours.preRank(), theirs.preRank());
      assertAgree(ours.outcome(), theirs.outcome());
      assertAgree(theirs.outcome(), ours.outcome());
    }
  }

  private static void assertAgree(SearchOutcome outcome, SearchOutcome other) {
    double value = outcome.valueOption().orElseThrow();
    if (outcome.isExact() && other instanceof SearchOutcome.UpperBound bound) {
      assertTrue(value <= bound.value(), () -> value + " is above " + bound);
    } else if (outcome.isExact()) {
      assertEquals(outcome, other);
    }
  }

  @ParameterizedTest
  @MethodSource("roots")
  void hostsLeavesGiveTheResultsOfTheBuiltInOnes(String dfen) {
    GameState state = JvmApi.parseDfen(dfen);
    for (boolean clocks : new boolean[] {true, false}) {
      assertSameAnswer(
          rank(ExpectimaxSearch.builder(LeafEvaluator.MATERIAL), state),
          rank(ExpectimaxSearch.builder(HostEvaluators.material(clocks)), state));
      assertSameAnswer(
          rank(ExpectimaxSearch.builder(LeafEvaluator.STANDARD), state),
          rank(ExpectimaxSearch.builder(HostEvaluators.standard(clocks)), state));
    }
  }

  @ParameterizedTest
  @MethodSource("roots")
  void hostsPreRankerSelectsAsTheBuiltInOnes(String dfen) {
    GameState state = JvmApi.parseDfen(dfen);
    ExpectimaxSearch.Builder builder = ExpectimaxSearch.builder(LeafEvaluator.MATERIAL);
    assertEquals(
        rank(builder.preRanker(LeafEvaluator.MATERIAL), state),
        rank(builder.preRanker(HostEvaluators.material(true)), state));
    assertEquals(
        rank(builder.preRanker(LeafEvaluator.STANDARD), state),
        rank(builder.preRanker(HostEvaluators.standard(false)), state));
  }

  @ParameterizedTest
  @MethodSource("roots")
  void hostsRescoreBlendsAsTheBuiltInOnes(String dfen) {
    GameState state = JvmApi.parseDfen(dfen);
    ExpectimaxSearch.Builder builder = ExpectimaxSearch.builder(LeafEvaluator.MATERIAL);
    for (double weight : new double[] {0.3, 1}) {
      RankedResult builtIn =
          rank(builder.rootRescore(new RootRescore(LeafEvaluator.STANDARD, weight)), state);
      RootRescore blind = new RootRescore(HostEvaluators.standard(false), weight);
      assertEquals(builtIn, rank(builder.rootRescore(blind), state));
      // To one that reads clocks, turns in another order lead elsewhere, to be searched again.
      RootRescore clocked = new RootRescore(HostEvaluators.standard(true), weight);
      assertSameAnswer(builtIn, rank(builder.rootRescore(clocked), state));
    }
  }

  @Test
  void weightOfNoughtNeverCallsTheEvaluator() {
    BatchEvaluator silent =
        (positions, count, perspective, scores) -> {
          throw new AssertionError("called");
        };
    GameState state = JvmApi.parseDfen(Fixtures.F10);
    ExpectimaxSearch.Builder builder = ExpectimaxSearch.builder(LeafEvaluator.MATERIAL);
    RankedResult plain = rank(builder, state);
    assertEquals(plain, rank(builder.rootRescore(new RootRescore(silent, 0)), state));
  }

  @Test
  void hostsLeavesGiveTheSameChanceValues() {
    entries("chance.json")
        .map(JvmApi::parseDfen)
        .forEach(
            node -> {
              for (int color = 0; color < 2; color++) {
                SearchControl control = SearchControl.unbounded();
                assertEquals(
                    ChanceNode.value(node, color, LeafEvaluator.STANDARD, control),
                    ChanceNode.value(node, color, HostEvaluators.standard(false), control));
                assertEquals(
                    ChanceNode.value(node, color, LeafEvaluator.MATERIAL, control),
                    ChanceNode.value(node, color, HostEvaluators.material(true), control));
              }
            });
  }

  static Stream<String> rolled() {
    return entries("turns.json").filter(dfen -> isSearched(JvmApi.parseDfen(dfen)));
  }

  @ParameterizedTest
  @MethodSource("rolled")
  void layoutHoldsThePositionAfterEachTurn(String dfen) {
    GameState state = JvmApi.parseDfen(dfen);
    List<String> seen = new ArrayList<>();
    BatchEvaluator watcher =
        Layout.watching(
            true,
            (positions, count) -> {
              for (int i = 0; i < count; i++) {
                seen.add(Layout.dfen(positions, i));
              }
            });
    try (var search = ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).preRanker(watcher).build()) {
      search.findBestMove(state, SearchControl.withBudget(new Budget(0)), 0);
    }
    List<String> expected =
        JvmApi.legalTurns(state).stream()
            .map(turn -> JvmApi.endTurn(turn.finalState()).toString())
            .toList();
    assertEquals(expected, seen);
  }

  @Test
  void batchThatIsTooLargeTakesSeveralCalls() {
    List<Integer> counts = new ArrayList<>();
    BatchEvaluator watcher = Layout.watching(true, (positions, count) -> counts.add(count));
    GameState state = JvmApi.parseDfen("7k/8/2B3B1/8/8/1B5B/4B3/K7 w - - 0 1 BBB");
    try (var search = ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).preRanker(watcher).build()) {
      SearchControl control = SearchControl.withBudget(new Budget(0));
      long turns = search.findBestMove(state, control, 0).stats().legalTurns();
      assertEquals(
          List.of(BatchEvaluator.MAX_BATCH, (int) turns - BatchEvaluator.MAX_BATCH), counts);
    }
  }

  @Test
  void buffersAreDirectInNativeOrderAndLimitedToTheBatch() {
    GameState state = JvmApi.parseDfen(Fixtures.F10);
    int[] calls = {0};
    BatchEvaluator looking =
        (positions, count, perspective, scores) -> {
          calls[0]++;
          assertTrue(positions.isDirect() && scores.isDirect());
          assertEquals(ByteOrder.nativeOrder(), positions.order());
          assertEquals(ByteOrder.nativeOrder(), scores.order());
          assertEquals(0, positions.position());
          assertEquals(count * BatchEvaluator.POSITION_BYTES, positions.limit());
          assertEquals(count, scores.limit());
          assertEquals(0, perspective);
          readAll(positions);
          for (int i = 0; i < count; i++) {
            scores.put(0);
          }
        };
    rank(ExpectimaxSearch.builder(looking).preRanker(looking), state);
    assertTrue(calls[0] > 8);
  }

  /** Relative reads leave the next call as it should be. */
  private static void readAll(ByteBuffer positions) {
    while (positions.hasRemaining()) {
      positions.getLong();
    }
  }

  @Test
  void nameAndClocksAreAsUsualUnlessOverridden() {
    BatchEvaluator plain = (positions, count, perspective, scores) -> {};
    assertEquals(plain.getClass().getName(), plain.name());
    assertTrue(plain.readsClocks());
  }
}
