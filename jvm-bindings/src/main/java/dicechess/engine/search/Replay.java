package dicechess.engine.search;

import dicechess.engine.NativeEngineException;
import dicechess.engine.domain.GameState;
import dicechess.engine.internal.GameStateAccess;
import dicechess.engine.internal.NativeBridge;
import dicechess.engine.internal.PositionWords;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A line of text for a search, such as a service would log, and the search that a line tells of.
 *
 * <p>The line holds what the result depends on: the position, the limits, the seed, the
 * configuration and the version. A search without a time limit and without a transposition table
 * that earlier searches have filled is repeated to the last bit.
 */
public final class Replay {
  private static final String HEAD = "dicechess-native ";
  private static final String EVALUATOR = "[a-z]+|\"host:[^\"]*\"";
  private static final Pattern PARTS =
      Pattern.compile(
          " dfen=\"(?<dfen>[^\"]*)\" dice=(?<dice>[1-6]{0,3}) work=(?<work>none|\\d+)"
              + " nanos=(?<nanos>none|\\d+) seed=(?<seed>-?\\d+) candidates=(?<candidates>\\d+)"
              + " depth=(?<depth>\\d+) exactOnly=(?<exactOnly>true|false)"
              + " distinct=(?<distinct>true|false) probes=(?<probes>true|false)"
              + " threads=(?<threads>\\d+)"
              + (" evaluator=(?<evaluator>" + EVALUATOR + ")")
              + (" preRanker=(?<preRanker>" + EVALUATOR + ")")
              + (" rescore=(?:none|(?<weight>[0-9.E-]+)\\*(?<second>" + EVALUATOR + "))")
              + " table=(?<table>none|\\d+)");
  private static final String NONE = "none";

  private Replay() {}

  /**
   * The line of a direct search.
   *
   * @param dfen the position with its dice
   * @param limits how far to search; a deadline is written as the time left until it
   * @return the line
   * @throws IllegalArgumentException if an argument is null, or the text is not a DFEN
   */
  public static String line(String dfen, SearchLimits limits) {
    if (limits == null) {
      throw new IllegalArgumentException("limits must not be null");
    }
    ExpectimaxSearch.Builder settings =
        ExpectimaxSearch.builder(limits.evaluator())
            .config(
                ExpectimaxConfig.defaults()
                    .withCandidateLimit(limits.candidateLimit())
                    .withSearchDepth(limits.searchDepth())
                    .withThreads(limits.threads()));
    return line(
        GameState.parse(dfen),
        settings,
        limits.workBudget(),
        limits.remainingNanos(System.nanoTime()),
        limits.seed());
  }

  static String line(
      GameState state, ExpectimaxSearch.Builder settings, long work, long nanos, long seed) {
    ExpectimaxConfig config = settings.config;
    RootRescore rescore = settings.rescore;
    return HEAD
        + NativeBridge.version()
        + " dfen=\""
        + state
        + "\" dice="
        // A DFEN sorts them, but their order decides that of the turns.
        + digits(PositionWords.dice(GameStateAccess.wordsOf(state)))
        + " work="
        + limit(work)
        + " nanos="
        + limit(nanos)
        + " seed="
        + seed
        + " candidates="
        + config.candidateLimit()
        + " depth="
        + config.searchDepth()
        + " exactOnly="
        + config.exactOnly()
        + " distinct="
        + config.distinctCandidates()
        + " probes="
        + config.replyProbes()
        + " threads="
        + config.threads()
        + " evaluator="
        + name(settings.leaf)
        + " preRanker="
        + (settings.preRanker == null ? NONE : name(settings.preRanker))
        + " rescore="
        + (rescore.weight() == 0 ? NONE : rescore.weight() + "*" + name(rescore.evaluator()))
        + " table="
        + (settings.tableCapacity == 0 ? NONE : settings.tableCapacity);
  }

  private static String digits(List<Integer> dice) {
    return dice.stream().map(String::valueOf).collect(Collectors.joining());
  }

  private static String limit(long value) {
    return value == Long.MAX_VALUE ? NONE : Long.toString(value);
  }

  /** As it stands in a line; a host's name without what would break the line. */
  private static String name(Evaluator evaluator) {
    return evaluator instanceof BatchEvaluator host
        ? "\"host:" + host.name().replaceAll("[\\p{Cntrl}\"]", "?") + "\""
        : ((LeafEvaluator) evaluator).name().toLowerCase(Locale.ROOT);
  }

  /**
   * Repeats a search.
   *
   * @param line as {@link #line(String, SearchLimits)} or {@link ExpectimaxSearch#replayLine} wrote
   *     it, by this version
   * @param hosts the host's evaluators that it names
   * @return what the search finds now
   * @throws IllegalArgumentException if an argument is null, the line is none, is of another
   *     version, or names an evaluator that is not among {@code hosts}, a number out of its range,
   *     or a work budget and more than one thread
   * @throws OutOfMemoryError as {@link ExpectimaxSearch#findBestMove(GameState, SearchControl,
   *     long)}
   * @throws NativeEngineException likewise, and if the native library is not available
   */
  public static SearchResult run(String line, BatchEvaluator... hosts) {
    if (hosts == null || Arrays.asList(hosts).contains(null)) {
      throw new IllegalArgumentException("hosts must not be null");
    }
    Matcher parts = parse(line);
    ExpectimaxSearch.Builder builder =
        ExpectimaxSearch.builder(evaluator(parts.group("evaluator"), hosts)).config(config(parts));
    if (parts.group("preRanker").equals(NONE)) {
      builder.noPreRanker();
    } else {
      builder.preRanker(evaluator(parts.group("preRanker"), hosts));
    }
    if (parts.group("weight") != null) {
      double weight = Double.parseDouble(parts.group("weight"));
      builder.rootRescore(new RootRescore(evaluator(parts.group("second"), hosts), weight));
    }
    if (!parts.group("table").equals(NONE)) {
      builder.table(Integer.parseInt(parts.group("table")));
    }
    long deadline = Deadlines.after(limit(parts.group("nanos")), System.nanoTime());
    SearchControl control = SearchControl.untilDeadline(deadline);
    if (!parts.group("work").equals(NONE)) {
      control = control.andBudget(new Budget(limit(parts.group("work"))));
    }
    try (ExpectimaxSearch search = builder.build()) {
      return search.findBestMove(state(parts), control, Long.parseLong(parts.group("seed")));
    }
  }

  private static Matcher parse(String line) {
    if (line == null) {
      throw new IllegalArgumentException("line must not be null");
    }
    NativeBridge.requireLoaded();
    String head = HEAD + NativeBridge.version();
    if (!line.startsWith(head + " dfen=")) {
      throw new IllegalArgumentException(
          "a replay line must start with '" + head + " dfen=': " + line);
    }
    Matcher parts = PARTS.matcher(line.substring(head.length()));
    if (!parts.matches()) {
      throw new IllegalArgumentException("not a replay line: " + line);
    }
    return parts;
  }

  private static GameState state(Matcher parts) {
    long[] words = GameStateAccess.wordsOf(GameState.parse(parts.group("dfen")));
    PositionWords.setDice(words, parts.group("dice").chars().mapToObj(die -> die - '0').toList());
    return GameStateAccess.stateOf(words, 0);
  }

  private static ExpectimaxConfig config(Matcher parts) {
    return new ExpectimaxConfig(
        Integer.parseInt(parts.group("candidates")),
        Boolean.parseBoolean(parts.group("exactOnly")),
        Integer.parseInt(parts.group("depth")),
        Boolean.parseBoolean(parts.group("distinct")),
        Boolean.parseBoolean(parts.group("probes")),
        Integer.parseInt(parts.group("threads")));
  }

  private static long limit(String text) {
    return text.equals(NONE) ? Long.MAX_VALUE : Long.parseLong(text);
  }

  private static Evaluator evaluator(String name, BatchEvaluator... hosts) {
    for (Evaluator builtIn : LeafEvaluator.values()) {
      if (name.equals(name(builtIn))) {
        return builtIn;
      }
    }
    for (Evaluator host : hosts) {
      if (name.equals(name(host))) {
        return host;
      }
    }
    throw new IllegalArgumentException("no such evaluator among those given: " + name);
  }
}
