package dicechess.engine.search;

import dicechess.engine.domain.GameState;
import dicechess.engine.internal.GameStateAccess;
import dicechess.engine.internal.NativeBridge;

/** Seven features of a position, for small models. */
public final class OnnxFeatures {
  private OnnxFeatures() {}

  /**
   * The features, from one side's view, own minus enemy: counts of pawns, knights, bishops, rooks,
   * queens; then the material difference and the material total of both sides, with pawn 1, knight
   * and bishop 3, rook 5, queen 9. Kings are not counted.
   *
   * @param state the position
   * @param color whose view: 0 White, 1 Black
   * @return seven numbers, new
   * @throws IllegalArgumentException if the state is null or the colour is no side
   */
  public static float[] extract(GameState state, int color) {
    return NativeBridge.features(GameStateAccess.wordsOf(state), color, false);
  }
}
