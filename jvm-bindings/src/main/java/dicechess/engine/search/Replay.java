package dicechess.engine.search;

import dicechess.engine.domain.GameState;
import dicechess.engine.internal.NativeBridge;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of text for a search, such as a service would log, and the search that a line tells of.
 *
 * <p>The line holds what the result depends on: the position, the limits, the seed, the
 * configuration and the version. A search without a time limit and without a transposition table
 * that earlier searches have filled is repeated to the last bit.
 */
public final class Replay {
  private static final String HEAD = "dicechess-native ";
  private static final Pattern PART = Pattern.compile(" (\\w+)=([^ \"]*(?:\"[^\"]*\")?)");
  private static final Set<String> KEYS =
      Set.of(
          "dfen",
          "work",
          "nanos",
          "seed",
          "candidates",
          "depth",
          "exactOnly",
          "distinct",
          "probes",
          "threads",
          "evaluator",
          "preRanker",
          "rescore",
          "table");
  private static final String NONE = "none";
  private static final String HOST_PREFIX = "host:";

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
    ExpectimaxSearch.Builder parts =
        ExpectimaxSearch.builder(limits.evaluator())
            .config(
                ExpectimaxConfig.defaults()
                    .withCandidateLimit(limits.candidateLimit())
                    .withSearchDepth(limits.searchDepth())
                    .withThreads(limits.threads()));
    return line(
        GameState.parse(dfen).toString(),
        parts,
        limits.workBudget(),
        limits.remainingNanos(System.nanoTime()),
        limits.seed());
  }

  static String line(
      String dfen, ExpectimaxSearch.Builder parts, long work, long nanos, long seed) {
    ExpectimaxConfig config = parts.config;
    RootRescore rescore = parts.rescore;
    return HEAD
        + NativeBridge.version()
        + " dfen=\""
        + dfen
        + "\" work="
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
        + name(parts.leaf)
        + " preRanker="
        + (parts.preRanker == null ? NONE : name(parts.preRanker))
        + " rescore="
        + (rescore.weight() == 0 ? NONE : rescore.weight() + "*" + name(rescore.evaluator()))
        + " table="
        + (parts.tableCapacity == 0 ? NONE : parts.tableCapacity);
  }

  private static String limit(long value) {
    return value == Long.MAX_VALUE ? NONE : Long.toString(value);
  }

  private static String name(Evaluator evaluator) {
    return evaluator instanceof BatchEvaluator host
        ? "\"" + HOST_PREFIX + host.name() + "\""
        : ((LeafEvaluator) evaluator).name().toLowerCase(Locale.ROOT);
  }

  /**
   * Repeats a search.
   *
   * @param line as {@link #line(String, SearchLimits)} or {@link ExpectimaxSearch#replayLine} wrote
   *     it, by this version
   * @param hosts the host's evaluators that it names
   * @return what the search finds now
   * @throws IllegalArgumentException if the line is null, is none, is of another version, or names
   *     an evaluator that is not among {@code hosts}
   */
  public static SearchResult run(String line, BatchEvaluator... hosts) {
    Map<String, String> parts = parse(line);
    GameState state = GameState.parse(parts.get("dfen"));
    ExpectimaxSearch.Builder builder =
        ExpectimaxSearch.builder(evaluator(parts.get("evaluator"), hosts)).config(config(parts));
    if (parts.get("preRanker").equals(NONE)) {
      builder.noPreRanker();
    } else {
      builder.preRanker(evaluator(parts.get("preRanker"), hosts));
    }
    if (!parts.get("rescore").equals(NONE)) {
      String[] rescore = parts.get("rescore").split("\\*", 2);
      builder.rootRescore(
          new RootRescore(evaluator(rescore[1], hosts), Double.parseDouble(rescore[0])));
    }
    if (!parts.get("table").equals(NONE)) {
      builder.table(Integer.parseInt(parts.get("table")));
    }
    long nanos = limit(parts.get("nanos"));
    SearchControl control =
        SearchControl.untilDeadline(
            nanos == Long.MAX_VALUE ? SearchControl.NO_DEADLINE : System.nanoTime() + nanos);
    if (!parts.get("work").equals(NONE)) {
      control = control.andBudget(new Budget(limit(parts.get("work"))));
    }
    try (ExpectimaxSearch search = builder.build()) {
      return search.findBestMove(state, control, Long.parseLong(parts.get("seed")));
    }
  }

  private static Map<String, String> parse(String line) {
    if (line == null) {
      throw new IllegalArgumentException("line must not be null");
    }
    NativeBridge.requireLoaded();
    String head = HEAD + NativeBridge.version() + " dfen=";
    if (!line.startsWith(head)) {
      throw new IllegalArgumentException("a replay line must start with '" + head + "': " + line);
    }
    Map<String, String> parts = new LinkedHashMap<>();
    Matcher matcher = PART.matcher(line);
    int end = HEAD.length() + NativeBridge.version().length();
    while (matcher.find(end) && matcher.start() == end) {
      parts.put(matcher.group(1), matcher.group(2).replace("\"", ""));
      end = matcher.end();
    }
    if (end != line.length() || !parts.keySet().equals(KEYS)) {
      throw new IllegalArgumentException("not a replay line: " + line);
    }
    return parts;
  }

  private static ExpectimaxConfig config(Map<String, String> parts) {
    return new ExpectimaxConfig(
        Integer.parseInt(parts.get("candidates")),
        Boolean.parseBoolean(parts.get("exactOnly")),
        Integer.parseInt(parts.get("depth")),
        Boolean.parseBoolean(parts.get("distinct")),
        Boolean.parseBoolean(parts.get("probes")),
        Integer.parseInt(parts.get("threads")));
  }

  private static long limit(String text) {
    return text.equals(NONE) ? Long.MAX_VALUE : Long.parseLong(text);
  }

  private static Evaluator evaluator(String name, BatchEvaluator... hosts) {
    for (LeafEvaluator builtIn : LeafEvaluator.values()) {
      if (name.equals(name(builtIn))) {
        return builtIn;
      }
    }
    for (BatchEvaluator host : hosts) {
      if (name.equals(HOST_PREFIX + host.name())) {
        return host;
      }
    }
    throw new IllegalArgumentException("no such evaluator among those given: " + name);
  }
}
