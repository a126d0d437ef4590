package dicechess.engine.internal;

import dicechess.engine.NativeEngineException;
import dicechess.engine.search.SearchLimits;
import org.jspecify.annotations.Nullable;

/**
 * The native functions, one to one. Text crosses as UTF-8 bytes, a position as {@value
 * #STATE_WORDS} opaque words, a result as one array of longs.
 *
 * <p>Call {@link #requireLoaded()} before the first native function of an operation: it is what
 * turns a library that could not be loaded into a readable error.
 */
public final class NativeBridge {
  /** The version of this boundary. The library answers the same number or is refused. */
  public static final int ABI_VERSION = 1;

  /** Number of longs that hold a position. */
  public static final int STATE_WORDS = 6;

  // Loading must not fail with ExceptionInInitializerError, which says little the first time and
  // nothing later, so the failure is kept and thrown by requireLoaded().
  private static final @Nullable String FAILURE = load();

  private NativeBridge() {}

  /**
   * Returns if the library is loaded and fits this jar.
   *
   * @throws NativeEngineException if it is not, with what was tried
   */
  public static void requireLoaded() {
    if (FAILURE != null) {
      throw new NativeEngineException(FAILURE);
    }
  }

  private static @Nullable String load() {
    String origin;
    try {
      origin = NativeLibrary.load();
    } catch (NativeEngineException e) {
      return e.getMessage();
    }
    try {
      int found = abiVersion();
      return found == ABI_VERSION ? null : abiMismatch(found, origin);
    } catch (UnsatisfiedLinkError e) {
      return "the library loaded from " + origin + " is not that of this jar: " + e.getMessage();
    }
  }

  static String abiMismatch(int found, String origin) {
    return "the native library has ABI version "
        + found
        + ", this jar needs "
        + ABI_VERSION
        + " (loaded from "
        + origin
        + ")";
  }

  /**
   * The version of the boundary that the library was built for.
   *
   * @return the number to compare with {@link #ABI_VERSION}
   */
  public static native int abiVersion();

  /**
   * The version of the library.
   *
   * @return a semantic version such as {@code 0.1.0}
   */
  public static native String version();

  /**
   * Reads a position.
   *
   * @param dfenUtf8 the DFEN as UTF-8 bytes
   * @param words receives the position, at least {@value #STATE_WORDS} long
   * @throws IllegalArgumentException if the text is not a DFEN, naming the field and the text at
   *     fault
   */
  public static native void parse(byte[] dfenUtf8, long[] words);

  /**
   * Writes a position.
   *
   * @param words a position as {@link #parse} fills it
   * @return its canonical DFEN as ASCII bytes
   */
  public static native byte[] format(long[] words);

  /**
   * Searches a position with its dice.
   *
   * @param dfenUtf8 the DFEN as UTF-8 bytes
   * @param limits read for its work budget, candidate limit, search depth and seed
   * @param evaluator the ordinal of the leaf evaluator
   * @param remainingNanos time left from now on, in nanoseconds; zero or less has run out, {@link
   *     Long#MAX_VALUE} is no limit
   * @return the result, laid out as {@link ResultDecoder} reads it
   * @throws IllegalArgumentException if the text is not a DFEN, the position cannot be searched, or
   *     a limit is not supported
   * @throws NativeEngineException if the search failed
   */
  public static native long[] search(
      byte[] dfenUtf8, SearchLimits limits, int evaluator, long remainingNanos);
}
