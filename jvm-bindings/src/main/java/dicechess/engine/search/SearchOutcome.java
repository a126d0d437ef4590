package dicechess.engine.search;

import java.util.OptionalDouble;

/**
 * What a search proved about the value of a position: the value itself, a bound on it, or nothing.
 * A search that was cut off before it proved anything hands out no number.
 *
 * <p>Values are expected values in centipawns, from the view of the side the search was asked for.
 * A lost king counts as −1,000,000,000, a captured one as 10,001; a turn that captures the king at
 * once is worth {@link Integer#MAX_VALUE}.
 */
public sealed interface SearchOutcome {
  /**
   * Work units used up to this outcome.
   *
   * @return the count, 0 for a search without a work budget, which does not count
   */
  long workUsed();

  /**
   * The value or the bound.
   *
   * @return empty only for {@link Incomplete}
   */
  OptionalDouble valueOption();

  /**
   * The value, if it is known.
   *
   * @return present only for {@link Exact}
   */
  default OptionalDouble exactOption() {
    return OptionalDouble.empty();
  }

  /**
   * Whether the value is known.
   *
   * @return true only for {@link Exact}
   */
  default boolean isExact() {
    return false;
  }

  /**
   * The true value.
   *
   * @param value the value
   * @param workUsed work units used
   */
  record Exact(double value, long workUsed) implements SearchOutcome {
    @Override
    public OptionalDouble valueOption() {
      return OptionalDouble.of(value);
    }

    @Override
    public OptionalDouble exactOption() {
      return OptionalDouble.of(value);
    }

    @Override
    public boolean isExact() {
      return true;
    }
  }

  /**
   * The true value is proven to be at least this.
   *
   * @param value the bound
   * @param workUsed work units used
   */
  record LowerBound(double value, long workUsed) implements SearchOutcome {
    @Override
    public OptionalDouble valueOption() {
      return OptionalDouble.of(value);
    }
  }

  /**
   * The true value is proven to be at most this.
   *
   * @param value the bound
   * @param workUsed work units used
   */
  record UpperBound(double value, long workUsed) implements SearchOutcome {
    @Override
    public OptionalDouble valueOption() {
      return OptionalDouble.of(value);
    }
  }

  /**
   * Nothing was proven before the limit cut the search off.
   *
   * @param workUsed work units used
   */
  record Incomplete(long workUsed) implements SearchOutcome {
    @Override
    public OptionalDouble valueOption() {
      return OptionalDouble.empty();
    }
  }
}
