package dicechess.engine.search;

import dicechess.engine.domain.GameState;
import dicechess.engine.internal.GameStateAccess;
import dicechess.engine.internal.NativeBridge;

/** Nine features of a position, for small models. */
public final class RichFeatures {
  private RichFeatures() {}

  /**
   * The seven of {@link OnnxFeatures}; then, own minus enemy, the number of pseudo-legal
   * micro-moves of all six types, castling counted as if its dice were there, each side as the
   * mover; then the king-safety term of the standard evaluator, own minus enemy, each −2000 for an
   * attacked king and else 0.
   *
   * @param state the position
   * @param color whose view: 0 White, 1 Black
   * @return nine numbers, new
   * @throws IllegalArgumentException if the state is null or the colour is no side
   */
  public static float[] extract(GameState state, int color) {
    return NativeBridge.features(GameStateAccess.wordsOf(state), color, true);
  }
}
