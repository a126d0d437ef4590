package dicechess.engine.internal;

import dicechess.engine.NativeEngineException;
import dicechess.engine.jvmapi.JvmApi;
import dicechess.engine.search.ExpectimaxConfig;
import dicechess.engine.search.ExpectimaxSearch;
import dicechess.engine.search.LeafEvaluator;
import dicechess.engine.search.SearchScoring;
import dicechess.engine.search.UtilityBounds;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The defaults that services rely on. Both halves of the library have them; they are compared
 * before the first call, so that a jar never serves with a library that was built with others.
 */
final class ServingDefaults {
  private ServingDefaults() {}

  /** The defaults of this jar, by name. */
  static Map<String, String> ofThisJar() {
    ExpectimaxConfig config = ExpectimaxConfig.defaults();
    UtilityBounds scale = UtilityBounds.expectimax(0);
    Map<String, String> defaults = new LinkedHashMap<>();
    defaults.put("candidateLimit", "" + config.candidateLimit());
    defaults.put("exactOnly", "" + config.exactOnly());
    defaults.put("searchDepth", "" + config.searchDepth());
    defaults.put("distinctCandidates", "" + config.distinctCandidates());
    defaults.put("replyProbes", "" + config.replyProbes());
    defaults.put("threads", "" + config.threads());
    defaults.put("timeBudgetMs", "" + JvmApi.DEFAULT_TIME_BUDGET_MS);
    defaults.put("terminalLoss", integer(scale.terminalLoss()));
    defaults.put("minNonTerminal", integer(scale.minNonTerminal()));
    defaults.put("maxNonTerminal", integer(scale.maxNonTerminal()));
    defaults.put("terminalWin", integer(scale.terminalWin()));
    defaults.put("captureScore", "" + SearchScoring.TerminalWinScore);
    defaults.put("tableCapacity", "" + ExpectimaxSearch.DEFAULT_TABLE_CAPACITY);
    defaults.put(
        "evaluators",
        Arrays.stream(LeafEvaluator.values())
            .map(evaluator -> evaluator.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(",")));
    defaults.put("bots", String.join(",", JvmApi.algorithms()));
    return defaults;
  }

  private static String integer(double value) {
    return Long.toString((long) value);
  }

  /**
   * Compares the two halves.
   *
   * @param jar the defaults of this jar, by name
   * @param library lines of {@code name=value}
   * @throws NativeEngineException if any differs or is known to one half only, with both values
   */
  static void check(Map<String, String> jar, String library) {
    Map<String, String> unseen = new LinkedHashMap<>(jar);
    for (String line : library.split("\n")) {
      int equals = line.indexOf('=');
      String name = equals < 0 ? line : line.substring(0, equals);
      String found = line.substring(equals + 1);
      String expected = unseen.remove(name);
      if (!found.equals(expected)) {
        throw mismatch(name, found, expected);
      }
    }
    unseen.forEach(
        (name, expected) -> {
          throw mismatch(name, null, expected);
        });
  }

  private static NativeEngineException mismatch(
      String name, @Nullable String library, @Nullable String jar) {
    return new NativeEngineException(
        "the native library and this jar differ in the default "
            + name
            + ": the library has "
            + library
            + ", the jar "
            + jar);
  }
}
