package dicechess.engine.search;

/** Deadlines on the scale of {@link System#nanoTime()}. */
final class Deadlines {
  private Deadlines() {}

  /**
   * Time left: {@link Long#MAX_VALUE} if the deadline is that, 0 if it is not after now, else the
   * difference, which saturates. Points are compared as numbers, never by their difference.
   */
  static long remaining(long deadlineNanos, long now) {
    if (deadlineNanos == Long.MAX_VALUE) {
      return Long.MAX_VALUE;
    }
    if (deadlineNanos <= now) {
      return 0;
    }
    long left = deadlineNanos - now;
    return left > 0 ? left : Long.MAX_VALUE;
  }

  /**
   * The deadline with this much time left at a time: none for {@link Long#MAX_VALUE}, saturating.
   */
  static long after(long nanosLeft, long now) {
    long deadline = now + nanosLeft;
    return nanosLeft == Long.MAX_VALUE || now > 0 && deadline < 0 ? Long.MAX_VALUE : deadline;
  }
}
