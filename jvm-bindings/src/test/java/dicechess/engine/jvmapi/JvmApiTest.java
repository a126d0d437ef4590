package dicechess.engine.jvmapi;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Fixtures;
import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi.ScoredTurn;
import dicechess.engine.jvmapi.JvmApi.Turn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The facade, member by member. */
class JvmApiTest {
  private static final String START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  private static final GameState STATE = JvmApi.parseDfen(START);
  private static final GameState KNIGHTS = JvmApi.withDice(STATE, List.of(2, 3, 5));
  private static final GameState PASS = JvmApi.withDice(STATE, List.of(3, 3, 5));
  private static final List<String> SEARCHING = List.of("monte-carlo", "expectimax");
  private static final GameState CAPTURE = JvmApi.parseDfen(Fixtures.F7);

  private static void refused(String message, Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
  }

  @Test
  void constantsAreTheirMethods() {
    assertEquals(-1, JvmApi.NoWinner());
    assertEquals(JvmApi.NO_WINNER, JvmApi.NoWinner());
    assertEquals(1000, JvmApi.DefaultTimeBudgetMs());
    assertEquals(JvmApi.DEFAULT_TIME_BUDGET_MS, JvmApi.DefaultTimeBudgetMs());
  }

  @Test
  void parseDfenRefusesNullAndWrongTextWithTheParsersMessage() {
    refused("dfen must not be null", () -> JvmApi.parseDfen(null));
    String wrong = START.replace(" w ", " x ");
    Executable parse = () -> JvmApi.parseDfen(wrong);
    String message = assertThrows(IllegalArgumentException.class, parse).getMessage();
    refused(message, () -> GameState.parse(wrong));
    assertTrue(message.contains("side") && message.contains("x"), message);
  }

  @Test
  void toDfenIsCanonical() {
    String untidy = "  44/8/8/8/8/8/8/R3K2R w qkQK a6 00 01 rPn  ";
    assertEquals("8/8/8/8/8/8/8/R3K2R w KQkq a6 0 1 PNR", JvmApi.toDfen(JvmApi.parseDfen(untidy)));
    assertEquals(START, JvmApi.toDfen(STATE));
  }

  static Stream<Function<GameState, Object>> queries() {
    return Stream.of(
        JvmApi::toDfen,
        JvmApi::activeColor,
        JvmApi::dicePool,
        JvmApi::halfMoveClock,
        state -> JvmApi.withDice(state, List.of()),
        JvmApi::endTurn,
        JvmApi::isGameOver,
        JvmApi::winner,
        JvmApi::legalTurns,
        state -> JvmApi.evaluate(state, 0),
        state -> JvmApi.bestTurn(state, "greedy"),
        state -> JvmApi.bestTurn(state, "greedy", 1),
        state -> JvmApi.bestTurn(state, "greedy", 1, 1));
  }

  @ParameterizedTest
  @MethodSource("queries")
  void everyMemberThatTakesAStateRefusesNull(Function<GameState, Object> query) {
    refused("state must not be null", () -> query.apply(null));
  }

  @ParameterizedTest
  @MethodSource("queries")
  void noMemberChangesTheStateItIsGiven(Function<GameState, Object> query) {
    GameState state = JvmApi.withDice(STATE, List.of(2, 1, 1));
    query.apply(state);
    assertEquals(JvmApi.withDice(STATE, List.of(2, 1, 1)), state);
  }

  @Test
  void activeColorAndClockAreThoseOfTheText() {
    GameState black = JvmApi.parseDfen("4k3/8/8/8/8/8/8/4K3 b - - 127 9 q");
    assertEquals(0, JvmApi.activeColor(STATE));
    assertEquals(1, JvmApi.activeColor(black));
    assertEquals(0, JvmApi.halfMoveClock(STATE));
    assertEquals(127, JvmApi.halfMoveClock(black));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "6", "6,1", "6,1,4", "2,2,2", "6,5,4"})
  void dicePoolIsWhatWithDiceWasGiven(String text) {
    List<Integer> dice =
        text.isEmpty() ? List.of() : Arrays.stream(text.split(",")).map(Integer::valueOf).toList();
    List<Integer> pool = JvmApi.dicePool(JvmApi.withDice(KNIGHTS, dice));
    assertEquals(dice, pool);
    assertThrows(UnsupportedOperationException.class, () -> pool.add(1));
  }

  @Test
  void withDiceSortsInTextOnly() {
    GameState state = JvmApi.withDice(STATE, List.of(6, 1, 4));
    assertEquals(START + " PRK", JvmApi.toDfen(state));
    assertEquals(List.of(1, 4, 6), JvmApi.dicePool(JvmApi.parseDfen(JvmApi.toDfen(state))));
    assertEquals(START, JvmApi.toDfen(JvmApi.withDice(state, List.of())));
  }

  @Test
  void withDiceCopiesTheList() {
    List<Integer> dice = new ArrayList<>(List.of(1, 2));
    GameState state = JvmApi.withDice(STATE, dice);
    dice.set(0, 6);
    assertEquals(List.of(1, 2), JvmApi.dicePool(state));
  }

  @Test
  void withDiceRefusesWhatIsNoRoll() {
    refused("dice must not be null", () -> JvmApi.withDice(STATE, null));
    refused(
        "dice must be at most three: [1, 1, 1, 1]",
        () -> JvmApi.withDice(STATE, List.of(1, 1, 1, 1)));
    refused(
        "dice must be at most three: 2147483647 dice",
        () -> JvmApi.withDice(STATE, Collections.nCopies(Integer.MAX_VALUE, 1)));
    refused("dice must be 1 to 6 each: [0]", () -> JvmApi.withDice(STATE, List.of(0)));
    refused("dice must be 1 to 6 each: [1, 7]", () -> JvmApi.withDice(STATE, List.of(1, 7)));
    refused(
        "dice must be 1 to 6 each: [1, null]",
        () -> JvmApi.withDice(STATE, Arrays.asList(1, null)));
  }

  @Test
  void endTurnPassesTheMoveAndEmptiesThePool() {
    GameState played = JvmApi.legalTurns(JvmApi.withDice(STATE, List.of(1))).get(1).finalState();
    GameState ended = JvmApi.endTurn(played);
    assertEquals("rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR b KQkq a3 0 1", ended.toString());
    assertEquals(
        "rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR w KQkq - 0 2",
        JvmApi.endTurn(ended).toString());
  }

  @ParameterizedTest
  @CsvSource({
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1, false, -1",
    "8/8/8/8/8/8/8/4K3 w - - 0 1, true, 0",
    "4k3/8/8/8/8/8/8/8 w - - 0 1, true, 1",
    "8/8/8/8/8/8/8/8 w - - 0 1, true, -1",
    "4k2k/8/8/8/8/8/8/4K3 w - - 0 1, false, -1",
  })
  void gameIsOverWhenAKingIsMissing(String dfen, boolean over, int winner) {
    assertEquals(over, JvmApi.isGameOver(JvmApi.parseDfen(dfen)));
    assertEquals(winner, JvmApi.winner(JvmApi.parseDfen(dfen)));
  }

  @Test
  void turnHasItsMovesAndThePositionBeforeItsEnd() {
    List<Turn> turns = JvmApi.legalTurns(KNIGHTS);
    GameState after =
        JvmApi.withDice(
            JvmApi.parseDfen("rnbqkbnr/pppppppp/8/8/8/N7/PPPPPPPP/R1BQKBNR w KQkq - 1 1"),
            List.of(3, 5));
    assertEquals(new Turn(List.of("b1a3"), after), turns.get(0));
    assertEquals(List.of(3, 5), JvmApi.dicePool(turns.get(0).finalState()));
    assertEquals(4, turns.size());
  }

  @Test
  void orderOfTheDiceDecidesTheOrderOfTurns() {
    Function<List<Integer>, String> first =
        dice -> JvmApi.legalTurns(JvmApi.withDice(STATE, dice)).get(0).uci().get(0);
    assertEquals("a2a3", first.apply(List.of(1, 2)));
    assertEquals("b1a3", first.apply(List.of(2, 1)));
  }

  @Test
  void listsOfTurnsAndOfMovesAreUnmodifiable() {
    List<Turn> turns = JvmApi.legalTurns(KNIGHTS);
    assertThrows(UnsupportedOperationException.class, () -> turns.remove(0));
    assertThrows(UnsupportedOperationException.class, () -> turns.get(0).uci().clear());
    ScoredTurn best = JvmApi.bestTurn(KNIGHTS, "greedy").orElseThrow();
    assertThrows(UnsupportedOperationException.class, () -> best.uci().clear());
    assertThrows(UnsupportedOperationException.class, () -> JvmApi.algorithms().clear());
  }

  @Test
  void recordsAreValuesThatCopyTheirMoves() {
    List<String> moves = new ArrayList<>(List.of("e2e4"));
    Turn turn = new Turn(moves, STATE);
    ScoredTurn scored = new ScoredTurn(moves, STATE, 7);
    moves.clear();
    assertEquals(new Turn(List.of("e2e4"), JvmApi.parseDfen(START)), turn);
    assertEquals(new Turn(List.of("e2e4"), JvmApi.parseDfen(START)).hashCode(), turn.hashCode());
    assertNotEquals(new Turn(List.of("e2e4"), KNIGHTS), turn);
    assertEquals(new ScoredTurn(List.of("e2e4"), JvmApi.parseDfen(START), 7), scored);
    assertNotEquals(new ScoredTurn(List.of("e2e4"), STATE, 8), scored);
    assertEquals("Turn[uci=[e2e4], finalState=" + START + "]", turn.toString());
  }

  @Test
  void evaluateIsMaterialLess2000ForAnAttackedKing() {
    GameState state = JvmApi.parseDfen("4k3/8/8/8/8/8/4P3/r3K3 w - - 0 1");
    assertEquals(-400 - 2000, JvmApi.evaluate(state, 0));
    assertEquals(400, JvmApi.evaluate(state, 1));
    refused("color must be 0 for White or 1 for Black: 2", () -> JvmApi.evaluate(state, 2));
    refused("color must be 0 for White or 1 for Black: -1", () -> JvmApi.evaluate(state, -1));
  }

  @Test
  void algorithmsAreListedWeakestFirst() {
    assertEquals(
        List.of(
            "random",
            "checkmate-aware",
            "greedy",
            "greedy-v2",
            "aggressive",
            "monte-carlo",
            "expectimax"),
        JvmApi.algorithms());
  }

  static List<String> bots() {
    return JvmApi.algorithms();
  }

  @ParameterizedTest
  @MethodSource("bots")
  void everyBotPlaysALegalTurnByItsIdInEitherCase(String id) {
    List<Turn> legal = JvmApi.legalTurns(KNIGHTS);
    for (String name : List.of(id, id.toUpperCase(Locale.ROOT))) {
      ScoredTurn best = JvmApi.bestTurn(KNIGHTS, name, 20).orElseThrow();
      assertTrue(legal.contains(new Turn(best.uci(), best.finalState())), best.toString());
      assertNotEquals(Integer.MAX_VALUE, best.score());
    }
  }

  @ParameterizedTest
  @MethodSource("bots")
  void everyBotPassesWhenItMustAndHasNoTurnWithoutDice(String id) {
    assertAll(
        () -> assertEquals(Optional.empty(), JvmApi.bestTurn(PASS, id)),
        () -> assertEquals(Optional.empty(), JvmApi.bestTurn(PASS, id, 20)),
        () -> assertEquals(Optional.empty(), JvmApi.bestTurn(STATE, id)),
        () -> assertEquals(Optional.empty(), JvmApi.bestTurn(STATE, id, Long.MAX_VALUE)));
    assertFalse(JvmApi.isGameOver(PASS));
  }

  @ParameterizedTest
  @MethodSource("bots")
  void everyBotButTheWeakestCapturesTheKing(String id) {
    ScoredTurn best = JvmApi.bestTurn(CAPTURE, id, 20, 3).orElseThrow();
    if (!id.equals("random")) {
      assertEquals(List.of("b3c5"), best.uci());
      assertEquals(0, JvmApi.winner(best.finalState()));
      assertEquals(id.equals("checkmate-aware") ? best.score() : Integer.MAX_VALUE, best.score());
    }
  }

  @ParameterizedTest
  @MethodSource("bots")
  void sameSeedPlaysTheSameTurnWhenTimeDoesNotRunOut(String id) {
    GameState state = JvmApi.parseDfen("4k3/8/8/3q4/8/8/P7/R3K3 w - - 0 1 P");
    var first = JvmApi.bestTurn(state, id, Long.MAX_VALUE, -5);
    assertEquals(first, JvmApi.bestTurn(state, id, Long.MAX_VALUE, -5));
  }

  @Test
  void bestTurnRefusesUnknownBotsWithTheIds() {
    String known =
        "[random, checkmate-aware, greedy, greedy-v2, aggressive, monte-carlo, expectimax]";
    refused("no bot is called best, there are " + known, () -> JvmApi.bestTurn(STATE, "best"));
    refused("no bot is called , there are " + known, () -> JvmApi.bestTurn(STATE, "", 5));
    refused("no bot is called null, there are " + known, () -> JvmApi.bestTurn(STATE, null));
    refused("no bot is called null, there are " + known, () -> JvmApi.bestTurn(STATE, null, 5));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void can05TimeMustBeMoreThanNothing(long time) {
    for (GameState state : List.of(KNIGHTS, PASS, CAPTURE)) {
      refused(
          "timeBudgetMs must be more than 0: " + time,
          () -> JvmApi.bestTurn(state, "greedy", time));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"8/8/8/8/8/8/8/4K3 w - - 0 1 K", "4k3/8/8/8/8/8/P7/8 w - - 0 1 PPP"})
  void everyMemberAnswersOnBoardsWithoutAKing(String dfen) {
    GameState state = JvmApi.parseDfen(dfen);
    assertEquals(dfen, JvmApi.toDfen(state));
    assertTrue(JvmApi.isGameOver(state));
    assertFalse(JvmApi.legalTurns(state).isEmpty());
    assertEquals(JvmApi.evaluate(state, 0), -JvmApi.evaluate(state, 1));
    List<Turn> legal = JvmApi.legalTurns(state);
    for (String id : JvmApi.algorithms()) {
      Optional<ScoredTurn> best = JvmApi.bestTurn(state, id, 20);
      assertEquals(SEARCHING.contains(id), best.isEmpty(), id);
      best.ifPresent(
          turn -> assertTrue(legal.contains(new Turn(turn.uci(), turn.finalState())), id));
    }
  }

  @Test
  void moreTurnsThanAreListedAreAnErrorAndNotTheEndOfTheProcess() {
    GameState queens = JvmApi.parseDfen("QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQQ w - - 0 1 QQQ");
    var error = assertThrows(OutOfMemoryError.class, () -> JvmApi.legalTurns(queens));
    assertTrue(error.getMessage().contains("the limit is 16777216"), error.getMessage());
    for (String id : JvmApi.algorithms()) {
      if (!SEARCHING.contains(id)) {
        assertThrows(OutOfMemoryError.class, () -> JvmApi.bestTurn(queens, id, 1), id);
      }
    }
    assertEquals(
        2, JvmApi.legalTurns(JvmApi.parseDfen("4k3/8/8/8/8/8/P7/K7 w - - 0 1 PPP")).size());
  }
}
