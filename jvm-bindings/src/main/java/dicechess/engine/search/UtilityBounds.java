package dicechess.engine.search;

/**
 * The scale of a search's values, all from one side's view: {@code terminalLoss < minNonTerminal <=
 * maxNonTerminal < terminalWin}, all finite.
 *
 * @param perspective whose view: 0 White, 1 Black
 * @param terminalLoss the value of a lost king
 * @param minNonTerminal the least value of any other position
 * @param maxNonTerminal the greatest value of any other position
 * @param terminalWin the value of a captured king
 */
public record UtilityBounds(
    int perspective,
    double terminalLoss,
    double minNonTerminal,
    double maxNonTerminal,
    double terminalWin) {

  /**
   * Makes a scale.
   *
   * @param perspective 0 or 1
   * @param terminalLoss less than the next
   * @param minNonTerminal at most the next
   * @param maxNonTerminal less than the next
   * @param terminalWin the greatest
   * @throws IllegalArgumentException if the perspective is no side, or the values are not finite or
   *     not in order
   */
  public UtilityBounds {
    if (perspective != 0 && perspective != 1) {
      throw new IllegalArgumentException("perspective must be 0 or 1: " + perspective);
    }
    if (!(Double.NEGATIVE_INFINITY < terminalLoss
        && terminalLoss < minNonTerminal
        && minNonTerminal <= maxNonTerminal
        && maxNonTerminal < terminalWin
        && terminalWin < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "utility scale must be finite with loss < min <= max < win: "
              + terminalLoss
              + ", "
              + minNonTerminal
              + ", "
              + maxNonTerminal
              + ", "
              + terminalWin);
    }
  }

  /**
   * The scale of the expectimax search: −1e9, −10000 to 10000, 10001.
   *
   * @param perspective 0 White, 1 Black
   * @return the scale
   * @throws IllegalArgumentException if the perspective is another
   */
  public static UtilityBounds expectimax(int perspective) {
    return new UtilityBounds(perspective, -1e9, -10_000, 10_000, 10_001);
  }

  /**
   * Whether a side chooses the greatest value.
   *
   * @param mover 0 White, 1 Black
   * @return true for the perspective
   */
  public boolean isMaximizing(int mover) {
    return mover == perspective;
  }
}
