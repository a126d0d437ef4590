package dicechess.engine.internal;

import dicechess.engine.NativeEngineException;
import dicechess.engine.search.SearchLimits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The native functions, one to one. Text crosses as UTF-8 bytes, a position as the {@value
 * #STATE_WORDS} words that {@link PositionWords} describes, a result as one array of longs.
 *
 * <p>Call {@link #requireLoaded()} before the first native function of an operation: it is what
 * turns a library that could not be loaded into a readable error.
 */
public final class NativeBridge {
  /** The version of this boundary. The library answers the same number or is refused. */
  public static final int ABI_VERSION = 2;

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
    } catch (IllegalCallerException e) {
      return "this JVM denies native access: " + e.getMessage() + "; start it with " + accessFlag();
    }
    try {
      int found = abiVersion();
      if (found != ABI_VERSION) {
        return abiMismatch(found, origin);
      }
      linkClasses();
      ServingDefaults.check(
          ServingDefaults.ofThisJar(), new String(defaults(), StandardCharsets.US_ASCII));
      return null;
    } catch (NativeEngineException e) {
      return e.getMessage() + " (loaded from " + origin + ")";
    } catch (UnsatisfiedLinkError e) {
      return "the library loaded from " + origin + " is not that of this jar: " + e.getMessage();
    }
  }

  private static String accessFlag() {
    Module ours = NativeBridge.class.getModule();
    return "--enable-native-access=" + (ours.isNamed() ? ours.getName() : "ALL-UNNAMED");
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
   * Makes native code look up the Java classes it uses, through the class loader of this class.
   * Called once, before any other function but {@link #abiVersion}.
   */
  private static native void linkClasses();

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
   * @param limits read for its work budget, candidate limit, search depth, threads and seed
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

  /**
   * What processors the library was built for.
   *
   * @return the architecture and the instruction set it relies on
   */
  public static native String cpuPath();

  /**
   * What the library does when it is not told otherwise.
   *
   * @return lines of {@code name=value} as ASCII bytes
   */
  public static native byte[] defaults();

  /**
   * Ends the turn of a position.
   *
   * @param words a position, replaced by the one after the end of its turn
   */
  public static native void endTurn(long[] words);

  /**
   * Lists the legal turns of a position with its dice, in canonical order.
   *
   * @param words a position
   * @return for each turn its packed micro-moves, then the {@value #STATE_WORDS} words of the
   *     position after it
   */
  public static native long[] legalTurns(long[] words);

  /**
   * Evaluates a position.
   *
   * @param words a position
   * @param evaluator the ordinal of a built-in evaluator
   * @param color whose view: 0 White, 1 Black
   * @return centipawns
   * @throws IllegalArgumentException if the colour is another
   */
  public static native int evaluate(long[] words, int evaluator, int color);

  /**
   * Describes a position by numbers.
   *
   * @param words a position
   * @param color whose view: 0 White, 1 Black
   * @param rich whether to add mobility and king safety
   * @return 7 or, when rich, 9 features
   * @throws IllegalArgumentException if the colour is another
   */
  public static native float[] features(long[] words, int color, boolean rich);

  /**
   * Lets a bot choose a turn.
   *
   * @param words a position with its dice
   * @param bot its place among the bots, weakest first
   * @param remainingNanos time left from now on; {@link Long#MAX_VALUE} is no limit
   * @param seed decides whatever is left to chance
   * @return the packed micro-moves, the score and the {@value #STATE_WORDS} words of the position
   *     after the turn; empty when there is no legal turn
   */
  public static native long[] bestTurn(long[] words, int bot, long remainingNanos, long seed);

  /**
   * Counts the rolls on which a king can be captured.
   *
   * @param words a position
   * @param defender whose king: 0 White, 1 Black
   * @param budget limit, used, exhausted; the last two are written back
   * @return 0 to 216, or -1 when the budget ran out
   */
  public static native int kingCaptureRolls(long[] words, int defender, long[] budget);

  /**
   * Finds the first turn that captures the king.
   *
   * @param words a position with its dice
   * @param budget limit, used, exhausted; the last two are written back
   * @return its packed micro-moves, 0 when no turn does, or -1 when the budget ran out
   */
  public static native long kingCapturePath(long[] words, long[] budget);

  /**
   * Makes a search that is kept until it is closed.
   *
   * @param config candidate limit, exact only, depth, distinct candidates, reply probes, leaf
   *     evaluator, pre-ranker, rescore evaluator, bits of its weight, table capacity (0 for none),
   *     threads. An evaluator is an ordinal, or -1 for the host's; -2 is no pre-ranker
   * @return its number
   * @throws IllegalArgumentException if a part of the configuration is out of its range
   */
  public static native long createSearch(long[] config);

  /**
   * Closes a search. Calls that are running end as if it were not closed.
   *
   * @param search its number; one that is closed already is left alone
   */
  public static native void closeSearch(long search);

  /**
   * Empties the transposition table of a search.
   *
   * @param search its number
   * @throws IllegalStateException if it is closed
   */
  public static native void clearTable(long search);

  /**
   * Searches with a search that is kept.
   *
   * @param search its number
   * @param words a position with its dice
   * @param seed decides between turns of equal value
   * @param ranked whether to tell of every candidate
   * @param control budget limit, used, exhausted, deadline, latch; used, exhausted and latch are
   *     written back
   * @param cancelFlag a direct buffer whose first byte is 0, or 1 to cancel; or null
   * @param clock what the deadline is compared with; null for the native clock, then the deadline
   *     is in nanoseconds from now
   * @param leaf the host's leaf evaluator, if the configuration names one
   * @param preRanker the host's pre-ranker, likewise
   * @param rescore the host's root rescore, likewise
   * @return the result, laid out as {@link ResultDecoder} reads it
   * @throws IllegalStateException if the search is closed
   * @throws IllegalArgumentException if the position cannot be searched
   */
  public static native long[] findBestMove(
      long search,
      long[] words,
      long seed,
      boolean ranked,
      long[] control,
      @Nullable ByteBuffer cancelFlag,
      @Nullable LongSupplier clock,
      @Nullable BatchUpcall leaf,
      @Nullable BatchUpcall preRanker,
      @Nullable BatchUpcall rescore);

  /**
   * Values a position before the roll with a search that is kept.
   *
   * @param search its number
   * @param words a position without dice
   * @param perspective whose value: 0 White, 1 Black
   * @param control as for {@link #findBestMove}
   * @param cancelFlag as for {@link #findBestMove}
   * @param clock as for {@link #findBestMove}
   * @param leaf as for {@link #findBestMove}
   * @return the value, laid out as {@link ResultDecoder} reads it
   * @throws IllegalStateException if the search is closed
   * @throws IllegalArgumentException if the position cannot be searched
   */
  public static native long[] chanceValue(
      long search,
      long[] words,
      int perspective,
      long[] control,
      @Nullable ByteBuffer cancelFlag,
      @Nullable LongSupplier clock,
      @Nullable BatchUpcall leaf);

  /**
   * Searches for a turn that is proven best.
   *
   * @param words a position with its dice
   * @param maxHorizon turns to look ahead at most
   * @param seed decides between turns with the same bracket
   * @param control as for {@link #findBestMove}
   * @param cancelFlag as for {@link #findBestMove}
   * @param clock as for {@link #findBestMove}
   * @return the result, laid out as {@link ProofDecoder} reads it
   * @throws IllegalArgumentException if the position cannot be searched
   */
  public static native long[] proveTurn(
      long[] words,
      int maxHorizon,
      long seed,
      long[] control,
      @Nullable ByteBuffer cancelFlag,
      @Nullable LongSupplier clock);

  /**
   * Encloses the win probability of a position before the roll.
   *
   * @param words a position without dice
   * @param perspective whose probability: 0 White, 1 Black
   * @param horizon turns to look ahead
   * @param control as for {@link #findBestMove}
   * @param cancelFlag as for {@link #findBestMove}
   * @param clock as for {@link #findBestMove}
   * @return bits of the lower and upper bound, horizon
   * @throws IllegalArgumentException if the position cannot be searched
   */
  public static native long[] winBracket(
      long[] words,
      int perspective,
      int horizon,
      long[] control,
      @Nullable ByteBuffer cancelFlag,
      @Nullable LongSupplier clock);
}
