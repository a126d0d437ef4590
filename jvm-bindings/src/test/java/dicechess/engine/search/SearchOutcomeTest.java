package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.search.SearchOutcome.Exact;
import dicechess.engine.search.SearchOutcome.Incomplete;
import dicechess.engine.search.SearchOutcome.LowerBound;
import dicechess.engine.search.SearchOutcome.UpperBound;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What the value types hand out, and what they do not. */
class SearchOutcomeTest {
  private static final OptionalDouble NONE = OptionalDouble.empty();
  private static final OptionalDouble VALUE = OptionalDouble.of(-1.5);

  @Test
  void outcomeIsOneOfFour() {
    assertTrue(SearchOutcome.class.isSealed());
    assertEquals(
        Set.of(Exact.class, LowerBound.class, UpperBound.class, Incomplete.class),
        Set.of(SearchOutcome.class.getPermittedSubclasses()));
  }

  @Test
  void onlyAnExactOutcomeHasAnExactValue() {
    List<SearchOutcome> outcomes =
        List.of(
            new Exact(-1.5, 7),
            new LowerBound(-1.5, 7),
            new UpperBound(-1.5, 7),
            new Incomplete(7));
    assertEquals(
        List.of(VALUE, VALUE, VALUE, NONE),
        outcomes.stream().map(SearchOutcome::valueOption).toList());
    assertEquals(
        List.of(VALUE, NONE, NONE, NONE),
        outcomes.stream().map(SearchOutcome::exactOption).toList());
    assertEquals(
        List.of(true, false, false, false), outcomes.stream().map(SearchOutcome::isExact).toList());
    outcomes.forEach(outcome -> assertEquals(7, outcome.workUsed()));
  }

  @Test
  void mapKeepsTheKindAndMapReversingExchangesTheBounds() {
    List<SearchOutcome> outcomes =
        List.of(new Exact(2, 7), new LowerBound(2, 7), new UpperBound(2, 7), new Incomplete(7));
    assertEquals(
        List.of(new Exact(4, 7), new LowerBound(4, 7), new UpperBound(4, 7), new Incomplete(7)),
        outcomes.stream().map(outcome -> outcome.map(value -> 2 * value)).toList());
    assertEquals(
        List.of(new Exact(-2, 7), new UpperBound(-2, 7), new LowerBound(-2, 7), new Incomplete(7)),
        outcomes.stream().map(outcome -> outcome.mapReversing(value -> -value)).toList());
    for (SearchOutcome outcome : outcomes) {
      refused("change must not be null", () -> outcome.map(null));
      refused("change must not be null", () -> outcome.mapReversing(null));
    }
  }

  @Test
  void outcomeOfTheRulesIsExactOrIncomplete() {
    assertEquals(
        new Exact(91, 7), SearchOutcome.fromRules(new RulesOutcome.Complete<Integer>(91, 7)));
    assertEquals(
        new Incomplete(3), SearchOutcome.fromRules(new RulesOutcome.Incomplete<Integer>(3)));
    refused("outcome must not be null", () -> SearchOutcome.fromRules(null));
  }

  private static void refused(String message, Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
  }

  @Test
  void incompleteOutcomeHasNoNumberToReadButItsWork() {
    Set<String> numbers =
        Arrays.stream(Incomplete.class.getMethods())
            .filter(method -> method.getReturnType().isPrimitive())
            .filter(method -> method.getDeclaringClass() != Object.class)
            .map(Method::getName)
            .collect(Collectors.toSet());
    assertEquals(Set.of("workUsed", "isExact", "equals", "hashCode"), numbers);
  }

  @Test
  void valuesAreComparedToTheLastBit() {
    assertEquals(new Exact(Double.NaN, 1), new Exact(Double.NaN, 1));
    assertFalse(new Exact(0.0, 1).equals(new Exact(-0.0, 1)));
    assertFalse(new Exact(1, 1).equals(new Exact(Math.nextUp(1.0), 1)));
  }

  @Test
  void listsInResultsAreUnmodifiableCopies() {
    List<String> moves = new ArrayList<>(List.of("e2e4"));
    RankedTurn turn = new RankedTurn(moves, 0, new Incomplete(0), false);
    BestTurn best = new BestTurn(moves, null, 0, ScoreSource.SEARCH, new Exact(0, 0));
    List<RankedTurn> turns = new ArrayList<>(List.of(turn));
    RankedResult ranked =
        new RankedResult(new SearchResult(Optional.of(best), RootSearchStats.ZERO), turns);
    moves.clear();
    turns.clear();
    assertEquals(List.of("e2e4"), turn.uci());
    assertEquals(List.of("e2e4"), best.uci());
    assertEquals(List.of(turn), ranked.candidates());
    assertThrows(UnsupportedOperationException.class, () -> turn.uci().clear());
    assertThrows(UnsupportedOperationException.class, () -> best.uci().clear());
    assertThrows(UnsupportedOperationException.class, () -> ranked.candidates().clear());
  }

  @Test
  void scaleIsThatOfTheExpectimax() {
    for (int side = 0; side < 2; side++) {
      UtilityBounds scale = UtilityBounds.expectimax(side);
      assertEquals(new UtilityBounds(side, -1e9, -10_000, 10_000, 10_001), scale);
      assertTrue(scale.isMaximizing(side));
      assertFalse(scale.isMaximizing(1 - side));
    }
    assertEquals(Integer.MAX_VALUE, SearchScoring.TerminalWinScore);
    assertEquals(Long.MAX_VALUE, SearchControl.NO_DEADLINE);
  }
}
