package dicechess.engine.domain;

import dicechess.engine.NativeEngineException;
import dicechess.engine.internal.GameStateAccess;
import dicechess.engine.internal.NativeBridge;
import java.io.InvalidObjectException;
import java.io.Serial;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A position: board, side to move, castling rights, en-passant targets, clocks and the pool of dice
 * still to be spent. Immutable, equal by value (the order of the dice included), safe to share
 * between threads, and nothing to close: it holds plain numbers and no native handle.
 *
 * <p>The serialised form is these numbers. It is meant for passing positions between processes that
 * run the same version; to store one, store its DFEN.
 *
 * @serial exclude
 */
public final class GameState implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  static {
    GameStateAccess.register(
        new GameStateAccess() {
          @Override
          protected GameState create(long[] words, int offset) {
            return new GameState(words, offset);
          }

          @Override
          protected long[] words(GameState state) {
            return state.words();
          }
        });
  }

  // What each word means, PositionWords tells.
  private final long w0;
  private final long w1;
  private final long w2;
  private final long w3;
  private final long w4;
  private final long w5;

  private GameState(long[] words, int offset) {
    w0 = words[offset];
    w1 = words[offset + 1];
    w2 = words[offset + 2];
    w3 = words[offset + 3];
    w4 = words[offset + 4];
    w5 = words[offset + 5];
  }

  private long[] words() {
    return new long[] {w0, w1, w2, w3, w4, w5};
  }

  /** What was serialised may be anything: it is let in only if it is a position. */
  @Serial
  private Object readResolve() throws InvalidObjectException {
    NativeBridge.requireLoaded();
    try {
      NativeBridge.format(words());
    } catch (IllegalArgumentException e) {
      throw new InvalidObjectException(e.getMessage());
    }
    return this;
  }

  /**
   * Reads a DFEN: FEN with a set of en-passant targets and, as its seventh field, the dice.
   *
   * @param dfen the text, such as {@code 4k3/8/8/8/8/8/8/4K3 w - - 0 1 NBP}; at most 512 bytes
   * @return the position, its dice sorted
   * @throws IllegalArgumentException if the text is not a DFEN, with the name of the field and the
   *     text at fault; or if it is null
   * @throws NativeEngineException if the native library is not available
   */
  public static GameState parse(@Nullable String dfen) {
    if (dfen == null) {
      throw new IllegalArgumentException("dfen must not be null");
    }
    NativeBridge.requireLoaded();
    long[] words = new long[NativeBridge.STATE_WORDS];
    NativeBridge.parse(dfen.getBytes(StandardCharsets.UTF_8), words);
    return new GameState(words, 0);
  }

  /**
   * The canonical DFEN.
   *
   * @return six fields, and a seventh when there are dice in the pool, which it lists sorted
   * @throws NativeEngineException if the native library is not available
   */
  @Override
  public String toString() {
    NativeBridge.requireLoaded();
    byte[] dfen = NativeBridge.format(words());
    return new String(dfen, StandardCharsets.US_ASCII);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof GameState that
        && w0 == that.w0
        && w1 == that.w1
        && w2 == that.w2
        && w3 == that.w3
        && w4 == that.w4
        && w5 == that.w5;
  }

  @Override
  public int hashCode() {
    int h = Long.hashCode(w0);
    h = 31 * h + Long.hashCode(w1);
    h = 31 * h + Long.hashCode(w2);
    h = 31 * h + Long.hashCode(w3);
    h = 31 * h + Long.hashCode(w4);
    return 31 * h + Long.hashCode(w5);
  }
}
