package dicechess.engine.search;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When a search must give up: a work budget, a deadline, a call of {@link #cancel()} from any
 * thread.
 *
 * <p>The search asks, in this order: whether it was found cancelled before, {@code cancel()}, the
 * budget, the clock. The first yes is final. The clock is never read when there is no deadline, and
 * one of the caller's own is only compared with it, never subtracted.
 *
 * <p>Made for one call; handed to a later one, it is still cancelled if it was.
 */
public final class SearchControl {
  /** The deadline of a control that has none. */
  public static final long NO_DEADLINE = Long.MAX_VALUE;

  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final int EVERY_BYTE_ONE = 0x01010101;

  private static final long NO_BUDGET = -1;

  /** Where native code says whether it found the search cancelled: after budget and deadline. */
  private static final int LATCHED = Budget.WORDS + 1;

  private final @Nullable Budget budget;
  private final long deadlineNanos;
  private final @Nullable LongSupplier clock;
  // Native code looks at it while it searches. It holds no other memory of this object.
  private final ByteBuffer cancelFlag = ByteBuffer.allocateDirect(Integer.BYTES);
  private volatile boolean latched;

  private SearchControl(@Nullable Budget budget, long deadlineNanos, @Nullable LongSupplier clock) {
    this.budget = budget;
    this.deadlineNanos = deadlineNanos;
    this.clock = clock;
  }

  /**
   * No limit but {@link #cancel()}.
   *
   * @return a new control
   */
  public static SearchControl unbounded() {
    return new SearchControl(null, NO_DEADLINE, null);
  }

  /**
   * A deadline.
   *
   * @param nanoTime a point on the scale of {@link System#nanoTime()}, compared as a number when
   *     the call enters: one not after now has passed; {@link #NO_DEADLINE} is none
   * @return a new control
   */
  public static SearchControl untilDeadline(long nanoTime) {
    return new SearchControl(null, nanoTime, null);
  }

  /**
   * A deadline on a clock of one's own, for tests. A search with it has no {@link
   * ExpectimaxSearch#replayLine}.
   *
   * @param deadline a point on that clock, reached when the clock is equal or later; {@link
   *     #NO_DEADLINE} is none
   * @param clock read at every check, on the thread that searches; what it throws ends the search
   *     and comes out of the call
   * @return a new control
   * @throws IllegalArgumentException if the clock is null
   */
  public static SearchControl untilDeadline(long deadline, LongSupplier clock) {
    if (clock == null) {
      throw new IllegalArgumentException("clock must not be null");
    }
    return new SearchControl(null, deadline, clock);
  }

  /**
   * A budget.
   *
   * @param budget shared by all work of the call
   * @return a new control
   * @throws IllegalArgumentException if it is null
   */
  public static SearchControl withBudget(Budget budget) {
    return unbounded().andBudget(budget);
  }

  /**
   * This control's deadline and, beside it, a budget: whichever ends first.
   *
   * @param budget shared by all work of the call
   * @return a new control
   * @throws IllegalArgumentException if it is null
   */
  public SearchControl andBudget(Budget budget) {
    return new SearchControl(Budget.require(budget), deadlineNanos, clock);
  }

  /** Cancels the search that uses this control, or the next one that does. From any thread. */
  public void cancel() {
    INT.setVolatile(cancelFlag, 0, EVERY_BYTE_ONE);
  }

  /**
   * Whether a search must stop. Reads the clock if there is a deadline; a yes is final.
   *
   * @return true once a limit is reached
   */
  public boolean isCancelled() {
    if (!latched) {
      latched =
          (int) INT.getVolatile(cancelFlag, 0) != 0
              || budget != null && budget.isExhausted()
              || isTimed()
                  && (clock == null ? System.nanoTime() : clock.getAsLong()) >= deadlineNanos;
    }
    return latched;
  }

  /**
   * Whether there is a deadline.
   *
   * @return false for {@link #NO_DEADLINE}
   */
  public boolean isTimed() {
    return deadlineNanos != NO_DEADLINE;
  }

  /**
   * Units of the budget used by the calls that have ended.
   *
   * @return 0 without a budget
   */
  public long workUsed() {
    return budget == null ? 0 : budget.used();
  }

  static SearchControl require(@Nullable SearchControl control) {
    if (control == null) {
      throw new IllegalArgumentException("control must not be null");
    }
    return control;
  }

  /** The flag that native code looks at. */
  ByteBuffer cancelFlag() {
    return cancelFlag;
  }

  /** The clock that native code reads; null for its own. */
  @Nullable LongSupplier clock() {
    return clock;
  }

  /** Work units left, or {@link Long#MAX_VALUE} without a budget. */
  long workLeft() {
    return budget == null ? Long.MAX_VALUE : budget.limit() - budget.used();
  }

  /** Nanoseconds left at a time, or {@link Long#MAX_VALUE} without a deadline. */
  private long nanosLeft(long now) {
    return Deadlines.remaining(deadlineNanos, now);
  }

  /**
   * Nanoseconds left to a search that starts now: 0 once cancelled, {@link Long#MAX_VALUE} without
   * a deadline.
   *
   * @throws IllegalArgumentException if they are those of a clock of the caller's own
   */
  long nanosToReplay() {
    if (clock != null) {
      throw new IllegalArgumentException("control must not have a clock of its own");
    }
    return isCancelled() ? 0 : nanosLeft(System.nanoTime());
  }

  /** A call that takes the limits as numbers and writes back what it used of them. */
  interface Call<T> {
    T run(long[] limits);
  }

  /** Runs a call under these limits; the budget is this call's alone meanwhile. */
  <T> T run(Call<T> call) {
    long deadline = clock == null ? nanosLeft(System.nanoTime()) : deadlineNanos;
    long[] limits = {NO_BUDGET, 0, 0, deadline, latched ? 1 : 0};
    if (budget != null) {
      budget.enter(limits);
    }
    try {
      return call.run(limits);
    } finally {
      if (limits[LATCHED] != 0) {
        latched = true;
      }
      if (budget != null) {
        budget.leave(limits);
      }
    }
  }
}
