package dicechess.engine.demo;

import dicechess.engine.search.LeafEvaluator;
import dicechess.engine.search.SearchLimits;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the command line of {@link Demo} asks for. */
record DemoOptions(boolean help, String dfen, SearchLimits limits) {
  static final String DEFAULT_DFEN =
      "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3 NBP";
  static final long DEFAULT_WORK_BUDGET = 1_000_000_000;

  static final String USAGE =
      """
      usage: java -jar dicechess-native-<version>.jar [options] ["<DFEN>"]

      Plays one roll: searches the DFEN's position with its dice and prints the best turn.
      Without a DFEN it plays an open game with 4,654 legal turns.

        --depth N       search depth in full turns (default 2)
        --limit N       how many candidate turns are searched (default 8)
        --budget N      work units, or 'none' for no budget (default 1000000000)
        --time-ms N     time budget in milliseconds (default none)
        --seed N        decides between turns of equal value (default 0)
        --evaluator E   one of %s (default material)
        --help          print this
      """
          .formatted(evaluators());

  /**
   * Reads a command line. A DFEN may be quoted, or left as several words.
   *
   * @throws IllegalArgumentException if it does not make sense
   */
  static DemoOptions parse(String[] args) {
    SearchLimits limits = SearchLimits.defaults().withWorkBudget(DEFAULT_WORK_BUDGET);
    StringBuilder dfen = new StringBuilder();
    for (int i = 0; i < args.length; i++) {
      String option = args[i];
      if (option.equals("--help")) {
        return new DemoOptions(true, DEFAULT_DFEN, limits);
      }
      if (!option.startsWith("--")) {
        dfen.append(dfen.isEmpty() ? "" : " ").append(option);
        continue;
      }
      if (++i == args.length) {
        throw new IllegalArgumentException("option " + option + " needs a value, see --help");
      }
      limits = withOption(limits, option, args[i]);
    }
    return new DemoOptions(false, dfen.isEmpty() ? DEFAULT_DFEN : dfen.toString(), limits);
  }

  private static SearchLimits withOption(SearchLimits limits, String option, String value) {
    return switch (option) {
      case "--depth" -> limits.withSearchDepth(intValue(option, value));
      case "--limit" -> limits.withCandidateLimit(intValue(option, value));
      case "--budget" ->
          limits.withWorkBudget(
              value.equals("none") ? SearchLimits.UNLIMITED : longValue(option, value));
      case "--time-ms" -> limits.withTimeBudgetNanos(nanos(option, value));
      case "--seed" -> limits.withSeed(longValue(option, value));
      case "--evaluator" -> limits.withEvaluator(evaluator(option, value));
      default -> throw new IllegalArgumentException("unknown option " + option + ", see --help");
    };
  }

  private static long longValue(String option, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("option " + option + " needs a number: " + value, e);
    }
  }

  private static int intValue(String option, String value) {
    long number = longValue(option, value);
    if (number != (int) number) {
      throw new IllegalArgumentException("option " + option + " is out of range: " + value);
    }
    return (int) number;
  }

  private static long nanos(String option, String value) {
    try {
      return Math.multiplyExact(longValue(option, value), 1_000_000L);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("option " + option + " is out of range: " + value, e);
    }
  }

  private static LeafEvaluator evaluator(String option, String value) {
    for (LeafEvaluator evaluator : LeafEvaluator.values()) {
      if (evaluator.name().equalsIgnoreCase(value)) {
        return evaluator;
      }
    }
    throw new IllegalArgumentException(
        "option " + option + " needs one of " + evaluators() + ": " + value);
  }

  private static String evaluators() {
    return Arrays.stream(LeafEvaluator.values())
        .map(evaluator -> evaluator.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }
}
