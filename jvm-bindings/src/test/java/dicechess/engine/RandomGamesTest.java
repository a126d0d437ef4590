package dicechess.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import dicechess.engine.oracle.Mailbox;
import dicechess.engine.oracle.Turns;
import dicechess.engine.oracle.Values;
import dicechess.engine.search.Budget;
import dicechess.engine.search.ChanceNode;
import dicechess.engine.search.ChanceValue;
import dicechess.engine.search.ExpectimaxConfig;
import dicechess.engine.search.ExpectimaxSearch;
import dicechess.engine.search.KingCapture;
import dicechess.engine.search.LeafEvaluator;
import dicechess.engine.search.RankedResult;
import dicechess.engine.search.RankedTurn;
import dicechess.engine.search.RichFeatures;
import dicechess.engine.search.RulesOutcome;
import dicechess.engine.search.SearchControl;
import dicechess.engine.search.SearchOutcome;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;

/**
 * Every answer on random games and random positions is the oracle's. How many are tried is in
 * {@code junit-platform.properties}.
 */
class RandomGamesTest {
  private static final List<String> STARTS =
      List.of(
          "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
          "r3k2r/pp1p2pp/8/2p2p2/2P2P2/8/PP1P2PP/R3K2R w KQkq - 124 9",
          "4k3/pPpPpPpP/8/8/8/8/PpPpPpPp/4K3 b - - 0 2147483647",
          "4k3/2p1p1p1/8/1P1P1P2/1p1p1p2/8/P1P1P1P1/4K3 w - - 3 7",
          "rn2k1nr/8/8/3bb3/3BB3/8/8/RN2K1NR b KQkq - 40 60",
          "4k3/8/8/8/PpPpP3/8/8/4K3 b - a3c3e3 0 1");

  /** Numbers that a game or a position is read from. */
  private static Arbitrary<Integer> choice() {
    return Arbitraries.integers()
        .between(0, Integer.MAX_VALUE)
        .withDistribution(RandomDistribution.uniform())
        .withoutEdgeCases();
  }

  @Provide
  Arbitrary<List<Integer>> plies() {
    return choice().list().ofMinSize(1).ofMaxSize(12);
  }

  @Provide
  Arbitrary<List<Integer>> pieces() {
    return choice().list().ofMinSize(1).ofMaxSize(5);
  }

  private static List<Integer> dice(int roll) {
    return List.of(roll / 36 % 6 + 1, roll / 6 % 6 + 1, roll % 6 + 1);
  }

  @Property
  void everyAnswerOfTheFacadeIsTheOraclesThroughoutAGame(@ForAll("plies") List<Integer> plies) {
    String start = STARTS.get(plies.get(0) / 216 % STARTS.size());
    GameState state = JvmApi.parseDfen(start);
    Mailbox oracle = Mailbox.parse(start);
    for (int ply : plies) {
      List<Integer> dice = dice(ply);
      GameState rolled = JvmApi.withDice(state, dice);
      Mailbox rolledOracle = oracle.withDice(dice);
      assertSame(rolledOracle, rolled);
      List<Turns.Turn> expected = Turns.of(rolledOracle).all();
      List<JvmApi.Turn> turns = JvmApi.legalTurns(rolled);
      assertEquals(
          expected.stream().map(Turns.Turn::uci).toList(),
          turns.stream().map(JvmApi.Turn::uci).toList());
      for (int i = 0; i < turns.size(); i++) {
        assertSamePosition(expected.get(i).after(), turns.get(i).finalState());
      }
      assertBestByMaterial(rolledOracle, expected, rolled);
      int chosen = turns.isEmpty() ? -1 : ply / 216 % turns.size();
      GameState played = chosen < 0 ? rolled : turns.get(chosen).finalState();
      Mailbox playedOracle = chosen < 0 ? rolledOracle : expected.get(chosen).after();
      assertSame(playedOracle, played);
      state = JvmApi.endTurn(played);
      oracle = playedOracle.endTurn();
      assertSame(oracle, state);
    }
  }

  private static void assertSamePosition(Mailbox expected, GameState found) {
    assertEquals(expected.toString(), JvmApi.toDfen(found));
    assertEquals(expected.dice(), JvmApi.dicePool(found));
  }

  private static void assertSame(Mailbox expected, GameState found) {
    assertSamePosition(expected, found);
    assertEquals(JvmApi.withDice(found, List.of()), JvmApi.parseDfen(expected.withoutDice()));
    assertEquals(expected.mover(), JvmApi.activeColor(found));
    assertEquals(expected.halfMove(), JvmApi.halfMoveClock(found));
    assertEquals(expected.isGameOver(), JvmApi.isGameOver(found));
    assertEquals(expected.winner(), JvmApi.winner(found));
    for (int color = 0; color < 2; color++) {
      assertEquals(Values.standard(expected, color), JvmApi.evaluate(found, color));
      assertArrayEquals(
          Values.features(expected, color),
          RichFeatures.extract(found, color),
          expected.toString());
    }
  }

  /** The greedy bot takes the most material, or the king by the shortest turn. */
  private static void assertBestByMaterial(
      Mailbox rolled, List<Turns.Turn> turns, GameState state) {
    Optional<JvmApi.ScoredTurn> best = JvmApi.bestTurn(state, "greedy");
    assertEquals(turns.isEmpty(), best.isEmpty());
    if (best.isEmpty() || rolled.isGameOver()) {
      return;
    }
    Turns.Turn first = turns.get(0);
    if (first.after().isGameOver()) {
      assertEquals(Integer.MAX_VALUE, best.get().score());
      assertEquals(rolled.mover(), JvmApi.winner(best.get().finalState()));
      return;
    }
    int expected =
        turns.stream()
            .mapToInt(turn -> Values.material(turn.after(), rolled.mover()))
            .max()
            .orElseThrow();
    assertEquals(expected, best.get().score());
  }

  /** Two kings and a piece for each number, on squares of their own. */
  private static Mailbox position(List<Integer> numbers, String rest) {
    char[] board = ".".repeat(64).toCharArray();
    int first = numbers.get(0);
    board[first % 64] = 'K';
    place(board, first / 64, 'k');
    for (int number : numbers.subList(1, numbers.size())) {
      place(board, number, "PpNnBbRrQq".charAt(number / 64 % 10));
    }
    StringBuilder placement = new StringBuilder();
    for (int rank = 7; rank >= 0; rank--) {
      placement.append(new String(board, 8 * rank, 8)).append(rank == 0 ? "" : "/");
    }
    String text = placement.toString();
    for (int gap = 8; gap > 0; gap--) {
      text = text.replace(".".repeat(gap), "" + gap);
    }
    return Mailbox.parse(text + (first / 4096 % 2 == 0 ? " w " : " b ") + rest);
  }

  private static void place(char[] board, int square, char piece) {
    int free = square % 64;
    while (board[free] != '.') {
      free = (free + 1) % 64;
    }
    board[free] = piece;
  }

  @Property
  void valueBeforeTheRollIsTheOracles(@ForAll("pieces") List<Integer> pieces) {
    Mailbox node = position(pieces, "- - 5 5");
    GameState state = JvmApi.parseDfen(node.toString());
    for (int color = 0; color < 2; color++) {
      assertChanceValue(
          Values.chance(node, color, (leaf, side) -> saturated(Values.material(leaf, side))),
          node,
          ChanceNode.value(state, color, LeafEvaluator.MATERIAL, SearchControl.unbounded()));
      assertChanceValue(
          Values.chance(node, color, (leaf, side) -> saturated(Values.standard(leaf, side))),
          node,
          ChanceNode.value(state, color, LeafEvaluator.STANDARD, SearchControl.unbounded()));
    }
  }

  private static double saturated(int value) {
    return Math.max(-10_000, Math.min(10_000, value));
  }

  private static void assertChanceValue(double expected, Mailbox node, ChanceValue found) {
    assertEquals(new SearchOutcome.Exact(expected, 0), found.outcome(), node.toString());
    assertEquals(Values.classes(node).size(), found.classes(), node.toString());
  }

  @Property
  void kingIsCapturedOnTheRollsAndByThePathOfTheOracle(@ForAll("pieces") List<Integer> pieces) {
    Mailbox node = position(pieces, "- - 5 5");
    GameState state = JvmApi.parseDfen(node.toString());
    Budget budget = new Budget(Long.MAX_VALUE);
    int rolls = 0;
    for (Values.RollClass roll : Values.classes(node)) {
      List<Turns.Turn> captures = Turns.of(node.withDice(roll.dice())).captures();
      rolls += captures.isEmpty() ? 0 : roll.weight();
      Optional<List<String>> first = captures.stream().map(Turns.Turn::uci).findFirst();
      GameState rolled = JvmApi.withDice(state, roll.dice());
      assertEquals(first, complete(KingCapture.path(rolled, budget)), rolled.toString());
    }
    int found = complete(KingCapture.rolls(state, 1 - node.mover(), budget));
    assertEquals(rolls, found, node.toString());
  }

  private static <T> T complete(RulesOutcome<T> outcome) {
    return ((RulesOutcome.Complete<T>) outcome).value();
  }

  @Provide
  Arbitrary<List<Integer>> fewPieces() {
    return choice().list().ofMinSize(2).ofMaxSize(3);
  }

  @Property
  void sea11CandidatesHaveTheOraclesValueOrAStrictBoundOnIt(
      @ForAll("fewPieces") List<Integer> pieces, @ForAll("plies") List<Integer> plies) {
    List<Integer> die = dice(plies.get(0)).subList(0, 1);
    Mailbox root = position(pieces, "- - 0 1").withDice(die);
    Turns turns = Turns.of(root);
    RankedResult ranked = rankAll(root, plies.size());
    var best = ranked.result().best();
    assertEquals(turns.all().isEmpty(), best.isEmpty());
    if (best.isEmpty() || !turns.captures().isEmpty()) {
      best.ifPresent(turn -> assertEquals(Integer.MAX_VALUE, turn.score()));
      return;
    }
    Map<List<String>, Double> truth = new HashMap<>();
    for (Turns.Turn turn : turns.quiet()) {
      Mailbox node = turn.after().endTurn();
      truth.put(turn.uci(), Values.chance(node, root.mover(), Values::material));
    }
    double greatest = Collections.max(truth.values());
    assertEquals(new SearchOutcome.Exact(greatest, 0), best.get().outcome(), root.toString());
    assertEquals((int) greatest, best.get().score());
    assertEquals(greatest, truth.get(best.get().uci()));
    assertEquals(turns.quiet().size(), ranked.candidates().size());
    for (RankedTurn candidate : ranked.candidates()) {
      double value = truth.get(candidate.uci());
      if (candidate.outcome() instanceof SearchOutcome.UpperBound bound) {
        assertTrue(value <= bound.value() && bound.value() < greatest, candidate.toString());
      } else {
        assertEquals(new SearchOutcome.Exact(value, 0), candidate.outcome(), root.toString());
      }
    }
  }

  private static RankedResult rankAll(Mailbox root, long seed) {
    ExpectimaxConfig config = ExpectimaxConfig.defaults().withCandidateLimit(1000);
    try (var search = ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).config(config).build()) {
      GameState state = JvmApi.parseDfen(root.toString());
      return search.rankMoves(state, SearchControl.unbounded(), seed);
    }
  }
}
