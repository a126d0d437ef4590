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
}
