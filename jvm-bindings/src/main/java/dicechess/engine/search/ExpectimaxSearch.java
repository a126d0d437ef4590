package dicechess.engine.search;

import dicechess.engine.NativeEngineException;
import dicechess.engine.domain.GameState;
import dicechess.engine.internal.BatchUpcall;
import dicechess.engine.internal.GameStateAccess;
import dicechess.engine.internal.NativeBridge;
import dicechess.engine.internal.ResultDecoder;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The expectimax search, built once and used for many positions.
 *
 * <p>Thread-safe: calls at the same time are independent of each other, but share the transposition
 * table if there is one. Close it when it is no longer needed, as its memory is not on the Java
 * heap; a search that is forgotten is closed when it is collected. Calls that are running when it
 * is closed end as if it were not; later ones are refused.
 *
 * <pre>{@code
 * try (var search = ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).build()) {
 *   SearchControl control = SearchControl.withBudget(new Budget(50_000));
 *   SearchResult result = search.findBestMove(state, control, 7);
 * }
 * }</pre>
 */
public final class ExpectimaxSearch implements AutoCloseable {
  /** Entries of a transposition table, unless told otherwise. */
  public static final int DEFAULT_TABLE_CAPACITY = 1 << 18;

  private static final Cleaner CLEANER = Cleaner.create();

  private final Builder settings;
  private final @Nullable BatchUpcall leaf;
  private final @Nullable BatchUpcall preRanker;
  private final @Nullable BatchUpcall rescore;
  private final Handle handle;
  private final Cleaner.Cleanable cleanable;

  /** The number that native code knows the search by. */
  private static final class Handle implements Runnable {
    private final long number;
    private final AtomicBoolean closed = new AtomicBoolean();

    Handle(long number) {
      this.number = number;
    }

    @Override
    public void run() {
      closed.set(true);
      NativeBridge.closeSearch(number);
    }

    long open() {
      if (closed.get()) {
        throw new IllegalStateException("the search is closed");
      }
      return number;
    }
  }

  private ExpectimaxSearch(Builder builder) {
    NativeBridge.requireLoaded();
    settings = new Builder(builder);
    leaf = upcall(settings.leaf);
    preRanker = upcall(settings.preRanker);
    rescore = upcall(settings.rescore.evaluator());
    handle = new Handle(NativeBridge.createSearch(settings.encode()));
    cleanable = CLEANER.register(this, handle);
  }

  private static @Nullable BatchUpcall upcall(@Nullable Evaluator evaluator) {
    return evaluator instanceof BatchEvaluator host ? new BatchUpcall(host) : null;
  }

  /**
   * Starts a search with the usual configuration, candidates selected by material, no root rescore
   * and no transposition table.
   *
   * @param leafEvaluator scores the positions where the search ends
   * @return a builder
   * @throws IllegalArgumentException if it is null
   */
  public static Builder builder(Evaluator leafEvaluator) {
    return new Builder(leafEvaluator);
  }

  /**
   * Finds the best turn without any limit; of equal turns, that of seed 0.
   *
   * @param state a position with its dice, both kings on the board
   * @return the best turn, or none for a forced pass, with statistics
   * @throws IllegalArgumentException if the state is null, has no dice or lacks a king
   * @throws IllegalStateException if the search is closed
   * @throws OutOfMemoryError if there are too many turns to list, as {@code JvmApi.legalTurns}
   *     says, or memory does not hold them and their candidates
   * @throws NativeEngineException if an evaluator leaves its range, or memory does not hold the
   *     turns of a reply
   */
  public SearchResult findBestMove(GameState state) {
    return findBestMove(state, SearchControl.unbounded(), 0);
  }

  /**
   * Finds the best turn before a deadline. Exactly {@link #findBestMove(GameState, SearchControl,
   * long)} with {@link SearchControl#untilDeadline(long)}.
   *
   * @param state a position with its dice, both kings on the board
   * @param deadlineNanos a point on the scale of {@link System#nanoTime()}; {@link
   *     SearchControl#NO_DEADLINE} is none
   * @param seed decides between turns of equal value
   * @return the best turn, or none for a forced pass, with statistics
   * @throws IllegalArgumentException if the state is null, has no dice or lacks a king
   * @throws IllegalStateException if the search is closed
   * @throws OutOfMemoryError if there are too many turns to list, as {@code JvmApi.legalTurns}
   *     says, or memory does not hold them and their candidates
   * @throws NativeEngineException if an evaluator leaves its range, or memory does not hold the
   *     turns of a reply
   */
  public SearchResult findBestMove(GameState state, long deadlineNanos, long seed) {
    return findBestMove(state, SearchControl.untilDeadline(deadlineNanos), seed);
  }

  /**
   * Finds the best turn as far as a control allows. There is always one unless the roll is a forced
   * pass: a king capture, else the best of the candidates that were finished, else the best by the
   * pre-ranker.
   *
   * @param state a position with its dice, both kings on the board
   * @param control when to give up
   * @param seed decides between turns of equal value; the same seed and budget, the same result
   * @return the best turn, or none for a forced pass, with statistics
   * @throws IllegalArgumentException if an argument is null, the state has no dice or lacks a king,
   *     or the search has more than one thread and the control a budget
   * @throws IllegalStateException if the search is closed, or another call is using the budget
   * @throws OutOfMemoryError if there are too many turns to list, as {@code JvmApi.legalTurns}
   *     says, or memory does not hold them and their candidates
   * @throws NativeEngineException if an evaluator leaves its range, or memory does not hold the
   *     turns of a reply
   */
  public SearchResult findBestMove(GameState state, SearchControl control, long seed) {
    return ResultDecoder.decode(search(state, control, seed, false));
  }

  /**
   * {@link #findBestMove(GameState, SearchControl, long)} that also tells of every candidate.
   *
   * @param state a position with its dice, both kings on the board
   * @param control when to give up
   * @param seed decides between turns of equal value
   * @return the best turn, statistics and candidates
   * @throws IllegalArgumentException if an argument is null, the state has no dice or lacks a king,
   *     or the search has more than one thread and the control a budget
   * @throws IllegalStateException if the search is closed, or another call is using the budget
   * @throws OutOfMemoryError if there are too many turns to list, as {@code JvmApi.legalTurns}
   *     says, or memory does not hold them and their candidates
   * @throws NativeEngineException if an evaluator leaves its range, or memory does not hold the
   *     turns of a reply
   */
  public RankedResult rankMoves(GameState state, SearchControl control, long seed) {
    return ResultDecoder.decodeRanked(search(state, control, seed, true));
  }

  private long[] search(GameState state, SearchControl control, long seed, boolean ranked) {
    long[] words = GameStateAccess.wordsOf(state);
    SearchControl.require(control);
    try {
      long number = handle.open();
      return control.run(
          limits ->
              NativeBridge.findBestMove(
                  number,
                  words,
                  seed,
                  ranked,
                  limits,
                  control.cancelFlag(),
                  control.clock(),
                  leaf,
                  preRanker,
                  rescore));
    } finally {
      // Collected before the call ends, the search would be closed under it.
      Reference.reachabilityFence(this);
    }
  }

  /**
   * The value of a position before the roll, when as many turns follow as the depth of this search
   * has after the root's.
   *
   * @param state a position without dice, both kings on the board; its side to move is about to
   *     roll
   * @param perspective whose value: 0 White, 1 Black
   * @param control when to give up
   * @return the value
   * @throws IllegalArgumentException if an argument is null, dice are left, a king is missing, the
   *     perspective is no side, or the search has more than one thread and the control a budget
   * @throws IllegalStateException if the search is closed, or another call is using the budget
   * @throws NativeEngineException if the evaluator leaves its range, or memory does not hold the
   *     replies
   */
  public ChanceValue chanceValue(GameState state, int perspective, SearchControl control) {
    long[] words = GameStateAccess.wordsOf(state);
    SearchControl.require(control);
    try {
      long number = handle.open();
      long[] raw =
          control.run(
              limits ->
                  NativeBridge.chanceValue(
                      number,
                      words,
                      perspective,
                      limits,
                      control.cancelFlag(),
                      control.clock(),
                      leaf));
      return ResultDecoder.decodeChanceValue(raw);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Empties the transposition table, if there is one.
   *
   * @throws IllegalStateException if the search is closed
   */
  public void clearTable() {
    try {
      NativeBridge.clearTable(handle.open());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * A line of text that tells how to repeat a search by {@link #findBestMove(GameState,
   * SearchControl, long)}: position, limits, seed, configuration, version. {@link Replay#run}
   * repeats it. Take it before the search, which uses up its limits. Searches by the other methods
   * have no line.
   *
   * @param state the position with its dice
   * @param control its limits as they stand: work left, time left; none is left to one that is
   *     cancelled
   * @param seed the seed
   * @return the line
   * @throws IllegalArgumentException if an argument is null, or the control has a clock of its own
   * @throws IllegalStateException if the search is closed
   */
  public String replayLine(GameState state, SearchControl control, long seed) {
    GameStateAccess.require(state);
    SearchControl.require(control);
    handle.open();
    return Replay.line(state, settings, control.workLeft(), control.nanosToReplay(), seed);
  }

  /** Closes the search. Closing it again does nothing. */
  @Override
  public void close() {
    cleanable.clean();
  }

  /** What a search is made of. Not thread-safe. */
  public static final class Builder {
    private static final long NO_PRE_RANKER = -2;
    private static final long HOST = -1;

    ExpectimaxConfig config = ExpectimaxConfig.defaults();
    Evaluator leaf;
    @Nullable Evaluator preRanker = LeafEvaluator.MATERIAL;
    RootRescore rescore = new RootRescore(LeafEvaluator.MATERIAL, 0);
    int tableCapacity;

    private Builder(Evaluator leaf) {
      this.leaf = requireEvaluator(leaf);
    }

    private Builder(Builder other) {
      config = other.config;
      leaf = other.leaf;
      preRanker = other.preRanker;
      rescore = other.rescore;
      tableCapacity = other.tableCapacity;
    }

    private static Evaluator requireEvaluator(@Nullable Evaluator evaluator) {
      if (evaluator == null) {
        throw new IllegalArgumentException("evaluator must not be null");
      }
      return evaluator;
    }

    /**
     * Sets how wide and how deep the search looks.
     *
     * @param value not null
     * @return this
     * @throws IllegalArgumentException if it is null
     */
    public Builder config(ExpectimaxConfig value) {
      if (value == null) {
        throw new IllegalArgumentException("config must not be null");
      }
      config = value;
      return this;
    }

    /**
     * Sets what selects the candidates.
     *
     * @param evaluator scores the position after each legal turn, all in one batch
     * @return this
     * @throws IllegalArgumentException if it is null
     */
    public Builder preRanker(Evaluator evaluator) {
      preRanker = requireEvaluator(evaluator);
      return this;
    }

    /**
     * Selects candidates in canonical order.
     *
     * @return this
     */
    public Builder noPreRanker() {
      preRanker = null;
      return this;
    }

    /**
     * Sets a second opinion on the candidates.
     *
     * @param value not null
     * @return this
     * @throws IllegalArgumentException if it is null
     */
    public Builder rootRescore(RootRescore value) {
      if (value == null) {
        throw new IllegalArgumentException("rootRescore must not be null");
      }
      rescore = value;
      return this;
    }

    /**
     * Gives the search a transposition table of {@value #DEFAULT_TABLE_CAPACITY} entries.
     *
     * @return this
     */
    public Builder table() {
      return table(DEFAULT_TABLE_CAPACITY);
    }

    /**
     * Gives the search a transposition table, which remembers positions between calls.
     *
     * @param capacity entries of 24 bytes, 1 to 268,435,456; rounded up to a power of two
     * @return this
     * @throws IllegalArgumentException if it is less than 1
     */
    public Builder table(int capacity) {
      if (capacity < 1) {
        throw new IllegalArgumentException("table capacity must be 1 or more: " + capacity);
      }
      tableCapacity = capacity;
      return this;
    }

    /**
     * Builds the search.
     *
     * @return the search, to be closed. What {@link BatchEvaluator#name} and {@link
     *     BatchEvaluator#readsClocks} of an evaluator throw comes out as it was thrown
     * @throws IllegalArgumentException if the table is too large, or memory does not hold it; or if
     *     the name of an evaluator is null
     * @throws NativeEngineException if the native library is not available
     */
    public ExpectimaxSearch build() {
      return new ExpectimaxSearch(this);
    }

    private long[] encode() {
      return new long[] {
        config.candidateLimit(),
        config.exactOnly() ? 1 : 0,
        config.searchDepth(),
        config.distinctCandidates() ? 1 : 0,
        config.replyProbes() ? 1 : 0,
        number(leaf),
        preRanker == null ? NO_PRE_RANKER : number(preRanker),
        number(rescore.evaluator()),
        Double.doubleToRawLongBits(rescore.weight()),
        tableCapacity,
        config.threads()
      };
    }

    private static long number(Evaluator evaluator) {
      return evaluator instanceof LeafEvaluator builtIn ? builtIn.ordinal() : HOST;
    }
  }
}
