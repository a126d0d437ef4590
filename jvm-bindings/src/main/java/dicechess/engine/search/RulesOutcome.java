package dicechess.engine.search;

/**
 * What a query of the rules found within its budget: all of it, or nothing that may be used.
 *
 * @param <T> what was asked for
 */
public sealed interface RulesOutcome<T> {
  /**
   * Work units of the budget used when the query ended, by earlier calls on it too.
   *
   * @return the count
   */
  long workUsed();

  /**
   * The query was finished.
   *
   * @param <T> what was asked for
   * @param value the answer
   * @param workUsed work units used
   */
  record Complete<T>(T value, long workUsed) implements RulesOutcome<T> {}

  /**
   * The budget ran out first.
   *
   * @param <T> what was asked for
   * @param workUsed work units used
   */
  record Incomplete<T>(long workUsed) implements RulesOutcome<T> {}
}
