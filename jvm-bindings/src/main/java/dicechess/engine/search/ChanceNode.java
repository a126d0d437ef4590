package dicechess.engine.search;

import dicechess.engine.domain.GameState;

/** The value of a position before the roll. */
public final class ChanceNode {
  private ChanceNode() {}

  /**
   * The expected value over all rolls, each followed by the best reply to it. For deeper values, or
   * many, keep an {@link ExpectimaxSearch} and call {@link ExpectimaxSearch#chanceValue}.
   *
   * @param state a position without dice, both kings on the board; its side to move is about to
   *     roll
   * @param perspective whose value: 0 White, 1 Black
   * @param evaluator scores the positions after the replies
   * @param control when to give up
   * @return the value
   * @throws IllegalArgumentException if an argument is null, dice are left, a king is missing or
   *     the perspective is no side
   * @throws dicechess.engine.NativeEngineException if the evaluator leaves its range, or memory
   *     does not hold the replies
   */
  public static ChanceValue value(
      GameState state, int perspective, Evaluator evaluator, SearchControl control) {
    try (ExpectimaxSearch search = ExpectimaxSearch.builder(evaluator).build()) {
      return search.chanceValue(state, perspective, control);
    }
  }
}
