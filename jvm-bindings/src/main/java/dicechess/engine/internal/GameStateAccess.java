package dicechess.engine.internal;

import dicechess.engine.domain.GameState;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/** Lets this package make positions from words, which the public API does not offer. */
public final class GameStateAccess {
  private static volatile @Nullable Factory factory;

  private GameStateAccess() {}

  /** Makes a position from native words. */
  @FunctionalInterface
  public interface Factory {
    /**
     * Makes a position.
     *
     * @param words holds the words of a position
     * @param offset index of the first
     * @return the position
     */
    GameState create(long[] words, int offset);
  }

  /**
   * Called once by {@link GameState} when it is initialised.
   *
   * @param f its private constructor
   */
  public static void register(Factory f) {
    factory = f;
  }

  static GameState create(long[] words, int offset) {
    Factory f = factory;
    if (f == null) {
      try {
        MethodHandles.lookup().ensureInitialized(GameState.class);
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
      f = factory;
      if (f == null) {
        throw new AssertionError("GameState did not register");
      }
    }
    return f.create(words, offset);
  }
}
