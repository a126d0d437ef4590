package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Fixtures;
import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import dicechess.engine.oracle.Mailbox;
import dicechess.engine.oracle.Values;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every candidate comes out with what was proved of it. */
class RankedMovesTest {
  private static final GameState F10 = JvmApi.parseDfen(Fixtures.F10);
  private static final String KNIGHT = "7k/8/8/8/8/2n5/8/1K6 w - - 0 1 K";

  private static RankedResult rank(ExpectimaxSearch.Builder builder, GameState state, long seed) {
    try (ExpectimaxSearch search = builder.build()) {
      RankedResult ranked = search.rankMoves(state, SearchControl.unbounded(), seed);
      assertEquals(search.findBestMove(state, SearchControl.unbounded(), seed), ranked.result());
      return ranked;
    }
  }

  private static ExpectimaxSearch.Builder limit(int candidates) {
    return ExpectimaxSearch.builder(LeafEvaluator.MATERIAL)
        .config(ExpectimaxConfig.defaults().withCandidateLimit(candidates));
  }

  private static double material(JvmApi.Turn turn, int side) {
    String board = JvmApi.endTurn(turn.finalState()).toString();
    return Values.material(Mailbox.parse(board), side);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 40, 1000})
  void candidatesAreTheBestTurnsByMaterialEqualOnesInCanonicalOrder(int candidates) {
    List<JvmApi.Turn> expected =
        JvmApi.legalTurns(F10).stream()
            .sorted(Comparator.comparingDouble(turn -> -material(turn, 0)))
            .limit(candidates)
            .toList();
    RankedResult ranked = rank(limit(candidates), F10, 1);
    assertEquals(
        expected.stream().map(JvmApi.Turn::uci).toList(),
        ranked.candidates().stream().map(RankedTurn::uci).toList());
    assertEquals(
        expected.stream().map(turn -> material(turn, 0)).toList(),
        ranked.candidates().stream().map(RankedTurn::preRank).toList());
  }

  @Test
  void withoutAPreRankerCandidatesAreTheFirstTurns() {
    RankedResult ranked = rank(limit(5).noPreRanker(), F10, 1);
    assertEquals(
        JvmApi.legalTurns(F10).stream().limit(5).map(JvmApi.Turn::uci).toList(),
        ranked.candidates().stream().map(RankedTurn::uci).toList());
    assertTrue(ranked.candidates().stream().allMatch(turn -> turn.preRank() == 0));
  }

  @Test
  void turnsToOnePositionShareWhatWasProvedOfIt() {
    GameState state = JvmApi.parseDfen("6k1/8/8/8/8/8/8/R3K3 w - - 0 1 KR");
    Map<List<String>, GameState> after = new HashMap<>();
    JvmApi.legalTurns(state).forEach(turn -> after.put(turn.uci(), turn.finalState()));
    Map<GameState, RankedTurn> first = new HashMap<>();
    int twins = 0;
    for (RankedTurn turn : rank(limit(1000), state, 1).candidates()) {
      RankedTurn sibling = first.putIfAbsent(after.get(turn.uci()), turn);
      if (sibling != null) {
        twins++;
        assertEquals(sibling.outcome(), turn.outcome());
        assertEquals(sibling.lossTainted(), turn.lossTainted());
      }
    }
    assertTrue(twins > 10, "twins: " + twins);
    RankedResult distinct =
        rank(
            ExpectimaxSearch.builder(LeafEvaluator.MATERIAL)
                .config(
                    ExpectimaxConfig.defaults()
                        .withCandidateLimit(1000)
                        .withDistinctCandidates(true)),
            state,
            1);
    assertEquals(first.size(), distinct.candidates().size());
  }

  @Test
  void candidatesNotReachedAreIncomplete() {
    try (var search = limit(8).build()) {
      for (long work : new long[] {0, 1, 2_000, 20_000}) {
        SearchControl control = SearchControl.withBudget(new Budget(work));
        RankedResult ranked = search.rankMoves(F10, control, 1);
        long proved =
            ranked.candidates().stream()
                .filter(turn -> turn.outcome().valueOption().isPresent())
                .count();
        RootSearchStats stats = ranked.result().stats();
        assertEquals(stats.candidatesCompleted() + stats.cutoffs(), proved);
        assertEquals(stats.candidatesSelected(), ranked.candidates().size());
      }
    }
  }

  @Test
  void lostKingTaintsACandidate() {
    RankedResult ranked = rank(limit(8), JvmApi.parseDfen(KNIGHT), 1);
    for (RankedTurn turn : ranked.candidates()) {
      boolean safe = turn.uci().equals(List.of("b1a1"));
      assertEquals(!safe, turn.lossTainted(), turn.toString());
    }
  }

  @Test
  void rescoreIsBlendedIntoCandidatesThatDoNotLoseTheKing() {
    GameState state = JvmApi.parseDfen("7k/8/8/8/8/2n5/8/1K6 w - - 0 1 K");
    RankedResult plain = rank(limit(8), state, 1);
    RankedResult blended =
        rank(limit(8).rootRescore(new RootRescore(LeafEvaluator.STANDARD, 0.25)), state, 1);
    for (int i = 0; i < plain.candidates().size(); i++) {
      RankedTurn turn = plain.candidates().get(i);
      if (turn.outcome().isExact() && !turn.lossTainted()) {
        // The king on a1 is not attacked: material decides, a knight less.
        double search = turn.outcome().valueOption().orElseThrow();
        double expected = (1 - 0.25) * search + 0.25 * -300;
        assertEquals(new SearchOutcome.Exact(expected, 0), blended.candidates().get(i).outcome());
      } else {
        assertTrue(turn.lossTainted());
      }
    }
  }

  @Test
  void passAndCaptureHaveNoCandidates() {
    RankedResult pass = rank(limit(8), JvmApi.parseDfen(Fixtures.F4), 1);
    assertTrue(pass.result().isForcedPass());
    assertEquals(RootSearchStats.ZERO, pass.result().stats());
    assertEquals(List.of(), pass.candidates());
    RankedResult capture = rank(limit(8), JvmApi.parseDfen(Fixtures.F7), 1);
    assertFalse(capture.result().isForcedPass());
    assertEquals(List.of(), capture.candidates());
  }
}
