package dicechess.engine.demo;

import dicechess.engine.NativeEngineException;
import dicechess.engine.domain.GameState;
import dicechess.engine.search.BestTurn;
import dicechess.engine.search.NativeSearch;
import dicechess.engine.search.RootSearchStats;
import dicechess.engine.search.ScoreSource;
import dicechess.engine.search.SearchLimits;
import dicechess.engine.search.SearchOutcome;
import dicechess.engine.search.SearchResult;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Plays one roll from the command line and prints what the search found. */
public final class Demo {
  private static final int ROLLS = 216;
  private static final int WARM_CALLS = 20;
  private static final long WARM_NANOS = 2_000_000_000L;

  private Demo() {}

  /**
   * Runs the program. It exits with 0, with 1 when the native side failed, or with 2 when the
   * arguments or the DFEN are wrong.
   *
   * @param args see {@code --help}
   */
  public static void main(String[] args) {
    int code = run(args, System.out, System.err);
    if (code != 0) {
      System.exit(code);
    }
  }

  static int run(String[] args, PrintStream out, PrintStream err) {
    try {
      DemoOptions options = DemoOptions.parse(args);
      if (options.help()) {
        out.print(DemoOptions.USAGE);
      } else {
        play(options.dfen(), options.limits(), out);
      }
      return 0;
    } catch (IllegalArgumentException e) {
      err.println("error: " + e.getMessage());
      return 2;
    } catch (NativeEngineException e) {
      err.println("error: " + e.getMessage());
      return 1;
    }
  }

  private static void play(String dfen, SearchLimits limits, PrintStream out) {
    // Parsing first loads the library, so that the first search is timed without that.
    GameState before = GameState.parse(dfen);
    long start = System.nanoTime();
    SearchResult result = NativeSearch.findBestMove(dfen, limits);
    long firstNanos = System.nanoTime() - start;

    out.println("Before: " + before);
    out.print(BoardText.draw(before.toString()));
    out.println();
    if (result.best().isPresent()) {
      printTurn(result.best().get(), limits, out);
    } else {
      out.println("Turn:       none, the roll has no legal turn (forced pass)");
    }
    line(out, "Time", micros(firstNanos) + " first call (cold), library loaded before");
    line(out, "", warmTime(dfen, limits));
    printStats(result.stats(), out);
    if (result.best().isPresent()) {
      GameState after = result.best().get().finalState();
      out.println();
      out.println("After the turn, before it is handed over: " + after);
      out.print(BoardText.draw(after.toString()));
    }
  }

  private static void printTurn(BestTurn turn, SearchLimits limits, PrintStream out) {
    SearchOutcome outcome = turn.outcome();
    line(out, "Turn", String.join(" ", turn.uci()));
    line(out, "Value", value(turn, limits.searchDepth()));
    line(out, "Outcome", outcome.getClass().getSimpleName());
    line(
        out,
        "Work used",
        limits.workBudget() == SearchLimits.UNLIMITED
            ? "not counted without a budget"
            : outcome.workUsed() + " of " + limits.workBudget() + " units");
    line(out, "Score", turn.score() + ", source " + turn.source());
  }

  /** The value in full; after one chance node also as the fraction over the ordered rolls it is. */
  private static String value(BestTurn turn, int depth) {
    if (turn.source() == ScoreSource.CAPTURE) {
      return "captures the king";
    }
    if (turn.outcome().valueOption().isEmpty()) {
      return "none, the search was cut off before a candidate was finished";
    }
    double value = turn.outcome().valueOption().getAsDouble();
    String text = new BigDecimal(Double.toString(value)).toPlainString();
    double numerator = Math.rint(value * ROLLS);
    if (depth == 2 && numerator / ROLLS == value) {
      text += " = " + new BigDecimal(numerator).toPlainString() + " / " + ROLLS;
    }
    return text + " expected centipawns for the mover (its king lost counts -1000000000)";
  }

  private static String warmTime(String dfen, SearchLimits limits) {
    List<Long> times = new ArrayList<>();
    long begin = System.nanoTime();
    do {
      long start = System.nanoTime();
      NativeSearch.findBestMove(dfen, limits);
      times.add(System.nanoTime() - start);
    } while (times.size() < WARM_CALLS && System.nanoTime() - begin < WARM_NANOS);
    Collections.sort(times);
    return micros(times.get(times.size() / 2))
        + " median of "
        + times.size()
        + " further calls (warm), DFEN in, result out";
  }

  private static String micros(long nanos) {
    return String.format(Locale.ROOT, "%.1f us", nanos / 1e3);
  }

  private static void printStats(RootSearchStats stats, PrintStream out) {
    line(
        out,
        "Root",
        stats.legalTurns()
            + " legal turns; candidates: "
            + stats.candidatesSelected()
            + " selected, "
            + stats.candidatesCompleted()
            + " completed, "
            + stats.candidatesAbandoned()
            + " abandoned, "
            + stats.cutoffs()
            + " cut off ("
            + stats.probeCutoffs()
            + " by a probe, "
            + stats.rollsSaved()
            + " roll classes saved)");
    line(
        out,
        "",
        "cut short by a limit: "
            + yesNo(stats.deadlineTruncated())
            + ", decided by the pre-ranker alone: "
            + yesNo(stats.fellBackToPreRank()));
    line(
        out,
        "Table",
        stats.ttProbes()
            + " probes, "
            + stats.ttHits()
            + " hits, "
            + stats.ttCutoffs()
            + " cutoffs");
    line(
        out,
        "Tree",
        stats.chanceNodes() + " chance nodes, " + stats.leaves() + " positions evaluated");
  }

  private static String yesNo(boolean b) {
    return b ? "yes" : "no";
  }

  private static void line(PrintStream out, String label, String text) {
    out.println(String.format(Locale.ROOT, "%-12s", label.isEmpty() ? "" : label + ":") + text);
  }
}
