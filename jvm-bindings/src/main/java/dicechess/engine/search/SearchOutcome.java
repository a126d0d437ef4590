package dicechess.engine.search;

import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

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
   * Work units of the budget used up to this outcome, by earlier calls on the same budget too.
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
   * This outcome with another value in place of its own.
   *
   * @param change of the value or bound; must preserve order, or bounds become false
   * @return an outcome of the same kind
   * @throws IllegalArgumentException if it is null
   */
  SearchOutcome map(DoubleUnaryOperator change);

  /**
   * This outcome with another value in place of its own, lower and upper bounds exchanged.
   *
   * @param change of the value or bound; must reverse order, as a change of perspective does
   * @return an outcome of the same kind, or the other bound
   * @throws IllegalArgumentException if it is null
   */
  default SearchOutcome mapReversing(DoubleUnaryOperator change) {
    SearchOutcome changed = map(change);
    if (changed instanceof LowerBound bound) {
      return new UpperBound(bound.value, bound.workUsed);
    } else if (changed instanceof UpperBound bound) {
      return new LowerBound(bound.value, bound.workUsed);
    }
    return changed;
  }

  /**
   * The outcome of a query of the rules, which is never a bound.
   *
   * @param outcome of a query for a number
   * @return exact if the query was finished, else incomplete
   * @throws IllegalArgumentException if it is null
   */
  static SearchOutcome fromRules(RulesOutcome<? extends Number> outcome) {
    if (outcome == null) {
      throw new IllegalArgumentException("outcome must not be null");
    }
    return outcome instanceof RulesOutcome.Complete<? extends Number> complete
        ? new Exact(complete.value().doubleValue(), complete.workUsed())
        : new Incomplete(outcome.workUsed());
  }

  private static DoubleUnaryOperator require(@Nullable DoubleUnaryOperator change) {
    if (change == null) {
      throw new IllegalArgumentException("change must not be null");
    }
    return change;
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

    @Override
    public SearchOutcome map(DoubleUnaryOperator change) {
      return new Exact(require(change).applyAsDouble(value), workUsed);
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

    @Override
    public SearchOutcome map(DoubleUnaryOperator change) {
      return new LowerBound(require(change).applyAsDouble(value), workUsed);
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

    @Override
    public SearchOutcome map(DoubleUnaryOperator change) {
      return new UpperBound(require(change).applyAsDouble(value), workUsed);
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

    @Override
    public SearchOutcome map(DoubleUnaryOperator change) {
      require(change);
      return this;
    }
  }
}
