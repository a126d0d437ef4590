package dicechess.engine.internal;

import dicechess.engine.domain.GameState;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/** Turns positions into words and back, which the public API does not offer. */
public abstract class GameStateAccess {
  private static volatile @Nullable GameStateAccess instance;

  /** Made once, by {@link GameState}. */
  protected GameStateAccess() {}

  /**
   * Called by {@link GameState} when it is initialised.
   *
   * @param access what it allows
   */
  public static void register(GameStateAccess access) {
    instance = access;
  }

  /**
   * Makes a position.
   *
   * @param words holds the words of a position
   * @param offset index of the first
   * @return the position
   */
  protected abstract GameState create(long[] words, int offset);

  /**
   * Takes a position apart.
   *
   * @param state the position
   * @return its words, new
   */
  protected abstract long[] words(GameState state);

  /**
   * The position of words.
   *
   * @param words holds the words of a position
   * @param offset index of the first
   * @return the position
   */
  public static GameState stateOf(long[] words, int offset) {
    return instance().create(words, offset);
  }

  /**
   * The words of a position.
   *
   * @param state the position
   * @return its words, new
   * @throws IllegalArgumentException if it is null
   */
  public static long[] wordsOf(@Nullable GameState state) {
    return instance().words(require(state));
  }

  /**
   * Refuses null.
   *
   * @param state the position
   * @return the same
   * @throws IllegalArgumentException if it is null
   */
  public static GameState require(@Nullable GameState state) {
    if (state == null) {
      throw new IllegalArgumentException("state must not be null");
    }
    return state;
  }

  private static GameStateAccess instance() {
    GameStateAccess access = instance;
    if (access == null) {
      try {
        MethodHandles.lookup().ensureInitialized(GameState.class);
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
      access = instance;
      if (access == null) {
        throw new AssertionError("GameState did not register");
      }
    }
    return access;
  }
}
