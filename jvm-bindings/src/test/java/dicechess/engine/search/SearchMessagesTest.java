package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dicechess.engine.Fixtures;
import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Wrong arguments are refused in words that name the argument and its value. */
class SearchMessagesTest {
  private static final GameState ROOT = JvmApi.parseDfen(Fixtures.F10);
  private static final GameState NODE = JvmApi.parseDfen("4k3/8/8/8/8/8/8/4K3 b - - 0 1");

  private final ExpectimaxSearch search = ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).build();
  private final SearchControl control = SearchControl.unbounded();

  @AfterEach
  void close() {
    search.close();
  }

  private static void refused(String message, Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
  }

  @Test
  void searchOfWhatIsNoRoot() {
    refused("state must not be null", () -> search.findBestMove(null));
    refused("state must not be null", () -> search.findBestMove(null, 0, 0));
    refused("state must not be null", () -> search.rankMoves(null, control, 0));
    refused("control must not be null", () -> search.findBestMove(ROOT, null, 0));
    refused("control must not be null", () -> search.rankMoves(ROOT, null, 0));
    refused(
        "the dice pool is empty: a root position needs its roll", () -> search.findBestMove(NODE));
    refused(
        "White has no king: there is no game to search",
        () -> search.findBestMove(JvmApi.parseDfen("4k3/8/8/8/8/8/8/8 w - - 0 1 P")));
    refused(
        "Black has no king: there is no game to search",
        () -> search.findBestMove(JvmApi.parseDfen("8/8/8/8/8/8/8/4K3 w - - 0 1 P")));
  }

  @Test
  void valueOfWhatIsNoChanceNode() {
    LeafEvaluator leaf = LeafEvaluator.MATERIAL;
    refused("state must not be null", () -> search.chanceValue(null, 0, control));
    refused("control must not be null", () -> search.chanceValue(NODE, 0, null));
    refused("state must not be null", () -> ChanceNode.value(null, 0, leaf, control));
    refused("control must not be null", () -> ChanceNode.value(NODE, 0, leaf, null));
    refused("evaluator must not be null", () -> ChanceNode.value(NODE, 0, null, control));
    refused(
        "perspective must be 0 for White or 1 for Black: 2",
        () -> search.chanceValue(NODE, 2, control));
    refused(
        "the dice pool of a chance node must be empty, not PNB",
        () -> search.chanceValue(ROOT, 0, control));
    refused(
        "Black has no king: there is no game to search",
        () -> search.chanceValue(JvmApi.parseDfen("8/8/8/8/8/8/8/4K3 w - - 0 1"), 0, control));
  }

  @Test
  void queriesAboutKings() {
    Budget budget = new Budget(5);
    refused("state must not be null", () -> KingCapture.rolls(null, 0, budget));
    refused("state must not be null", () -> KingCapture.path(null, budget));
    refused("budget must not be null", () -> KingCapture.rolls(ROOT, 0, null));
    refused("budget must not be null", () -> KingCapture.path(ROOT, null));
    refused(
        "defender must be 0 for White or 1 for Black: -1",
        () -> KingCapture.rolls(ROOT, -1, budget));
    assertEquals("Budget[limit=5, used=0, exhausted=false]", budget.toString());
  }

  @Test
  void limitsOfACall() {
    refused("limit must be 0 or more: -1", () -> new Budget(-1));
    refused("budget must not be null", () -> SearchControl.withBudget(null));
    refused("budget must not be null", () -> control.andBudget(null));
    refused("clock must not be null", () -> SearchControl.untilDeadline(0, null));
  }

  @Test
  void partsOfASearch() {
    ExpectimaxSearch.Builder builder = ExpectimaxSearch.builder(LeafEvaluator.MATERIAL);
    refused("evaluator must not be null", () -> ExpectimaxSearch.builder(null));
    refused("evaluator must not be null", () -> builder.preRanker(null));
    refused("config must not be null", () -> builder.config(null));
    refused("rootRescore must not be null", () -> builder.rootRescore(null));
    refused("table capacity must be 1 or more: 0", () -> builder.table(0));
    refused("table capacity must be 1 or more: -8", () -> builder.table(-8));
    int tooLarge = (1 << 28) + 1;
    refused(
        "no table of 268435457 entries: the limit is 268435456, and memory must hold 24 bytes for"
            + " each",
        () -> builder.table(tooLarge).build());
    refused("state must not be null", () -> search.replayLine(null, control, 0));
    refused("control must not be null", () -> search.replayLine(ROOT, null, 0));
    SearchControl ownClock = SearchControl.untilDeadline(5, () -> 4);
    refused("control must not have a clock of its own", () -> search.replayLine(ROOT, ownClock, 0));
  }

  @Test
  void numbersOfAConfiguration() {
    ExpectimaxConfig config = ExpectimaxConfig.defaults();
    assertEquals(new ExpectimaxConfig(8, false, 2, false, false, 1), config);
    assertEquals(
        new ExpectimaxConfig(3, true, 4, true, true, 2),
        config
            .withCandidateLimit(3)
            .withExactOnly(true)
            .withSearchDepth(4)
            .withDistinctCandidates(true)
            .withReplyProbes(true)
            .withThreads(2));
    refused("candidateLimit must be 1 or more: 0", () -> config.withCandidateLimit(0));
    refused("searchDepth must be 2 to 8: 1", () -> config.withSearchDepth(1));
    refused("searchDepth must be 2 to 8: 9", () -> config.withSearchDepth(9));
    refused("threads must be 1 to 256: 0", () -> config.withThreads(0));
    refused("threads must be 1 to 256: 257", () -> config.withThreads(257));
  }

  @Test
  void weightOfARescore() {
    LeafEvaluator standard = LeafEvaluator.STANDARD;
    refused("evaluator must not be null", () -> new RootRescore(null, 0.5));
    refused("weight must be 0 to 1: -0.1", () -> new RootRescore(standard, -0.1));
    refused("weight must be 0 to 1: 1.1", () -> new RootRescore(standard, 1.1));
    refused("weight must be 0 to 1: NaN", () -> new RootRescore(standard, Double.NaN));
  }

  @Test
  void scale() {
    refused("perspective must be 0 or 1: 2", () -> UtilityBounds.expectimax(2));
    String order = "utility scale must be finite with loss < min <= max < win: ";
    refused(order + "0.0, 0.0, 1.0, 2.0", () -> new UtilityBounds(0, 0, 0, 1, 2));
    refused(order + "0.0, 2.0, 1.0, 3.0", () -> new UtilityBounds(0, 0, 2, 1, 3));
    refused(order + "0.0, 1.0, 2.0, 2.0", () -> new UtilityBounds(0, 0, 1, 2, 2));
    refused(order + "NaN, 1.0, 2.0, 3.0", () -> new UtilityBounds(0, Double.NaN, 1, 2, 3));
    refused(
        order + "0.0, 1.0, 2.0, Infinity",
        () -> new UtilityBounds(0, 0, 1, 2, Double.POSITIVE_INFINITY));
    refused(
        order + "-Infinity, 1.0, 2.0, 3.0",
        () -> new UtilityBounds(0, Double.NEGATIVE_INFINITY, 1, 2, 3));
    assertEquals(1, new UtilityBounds(0, 0, 1, 1, 2).maxNonTerminal());
  }
}
