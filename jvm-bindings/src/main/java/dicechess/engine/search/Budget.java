package dicechess.engine.search;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A limit on work that is counted, not timed: the same budget ends a search at the same point on
 * every machine.
 *
 * <p>One unit is charged for each position that moves are generated for, each micro-move examined,
 * and each step of a query over all rolls. Counts depend on the version of the engine; measure a
 * need, then set limits around it.
 *
 * <p>A budget may be handed to several calls, one after the other: what each used is added up, and
 * once a charge was refused it stays exhausted. Two calls cannot use it at the same time.
 */
public final class Budget {
  /** How many numbers of a budget cross to native code: limit, used, exhausted. */
  static final int WORDS = 3;

  /** Which of them tells what is used. */
  static final int USED = 1;

  private static final int LIMIT = 0;
  private static final int EXHAUSTED = 2;

  private final long limit;
  private final AtomicBoolean inUse = new AtomicBoolean();
  private volatile long used;
  private volatile boolean exhausted;

  /**
   * Makes a budget.
   *
   * @param limit units, 0 or more; with 0 the first charge is refused
   * @throws IllegalArgumentException if it is negative
   */
  public Budget(long limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must be 0 or more: " + limit);
    }
    this.limit = limit;
  }

  /**
   * The most units that can be used.
   *
   * @return 0 or more
   */
  public long limit() {
    return limit;
  }

  /**
   * The units used by the calls that have ended.
   *
   * @return 0 to {@link #limit()}
   */
  public long used() {
    return used;
  }

  /**
   * Whether a charge was refused. A budget spent to the last unit is not exhausted yet.
   *
   * @return true from the refusal on
   */
  public boolean isExhausted() {
    return exhausted;
  }

  @Override
  public String toString() {
    return "Budget[limit=" + limit + ", used=" + used + ", exhausted=" + exhausted + "]";
  }

  static Budget require(@Nullable Budget budget) {
    if (budget == null) {
      throw new IllegalArgumentException("budget must not be null");
    }
    return budget;
  }

  /** Makes this the budget of one call, and fills in the numbers that it takes to native code. */
  void enter(long[] words) {
    if (!inUse.compareAndSet(false, true)) {
      throw new IllegalStateException("the budget is in use by another call: " + this);
    }
    words[LIMIT] = limit;
    words[USED] = used;
    words[EXHAUSTED] = exhausted ? 1 : 0;
  }

  /** Ends the call, with the numbers as it has left them. */
  void leave(long[] words) {
    used = words[USED];
    exhausted = words[EXHAUSTED] != 0;
    inUse.set(false);
  }
}
