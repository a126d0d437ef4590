package dicechess.engine.search;

import static dicechess.engine.Cases.oneOf;
import static dicechess.engine.search.Refusal.ask;
import static dicechess.engine.search.Refusal.first;
import static dicechess.engine.search.Refusal.illegalIf;
import static dicechess.engine.search.Refusal.notARoot;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Cases;
import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Random limits and configurations: a legal turn, or a refusal that names the number. */
class HostileLimitsTest {
  private static int number(SplittableRandom random) {
    return oneOf(random, 1, 2, 2, 2, 3, 8, 9, 257, 0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  @Test
  void limitsAreTakenOrRefusedByNameAndValue() {
    int[] answers = new int[2];
    Cases.each(
        random -> {
          String dfen = Cases.sparseDfen(random);
          long work = longOf(random, 0, 500, 5_000, -1, Long.MAX_VALUE);
          long time = longOf(random, 1, 50_000, 0, Long.MIN_VALUE, Long.MAX_VALUE);
          long deadline = longOf(random, 1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
          int candidates = number(random);
          boolean limited = Math.min(Math.min(work, time), deadline) < Long.MAX_VALUE;
          int depth = limited ? number(random) : 2;
          int threads = oneOf(random, 1, 1, 1, 1, 2, 0, -1, 257);
          GameState state = GameState.parse(dfen);
          Refusal refusal =
              first(
                  illegalIf(work < 0, "workBudget must be 0 or more: " + work),
                  illegalIf(time <= 0, "timeBudgetNanos must be more than 0: " + time),
                  illegalIf(candidates <= 0, "candidateLimit must be more than 0: " + candidates),
                  illegalIf(depth < 2 || depth > 8, "searchDepth must be 2 to 8: " + depth),
                  illegalIf(threads < 1 || threads > 256, "threads must be 1 to 256: " + threads),
                  illegalIf(
                      threads > 1 && work < Long.MAX_VALUE,
                      "workBudget and more than one thread must not both be set: "
                          + work
                          + " and "
                          + threads),
                  illegalIf(
                      time < Long.MAX_VALUE && deadline < Long.MAX_VALUE,
                      "timeBudgetNanos and deadlineNanos must not both be set: "
                          + time
                          + " and "
                          + deadline),
                  notARoot(state));
          var found =
              ask(
                  refusal,
                  () ->
                      NativeSearch.findBestMove(
                          dfen,
                          new SearchLimits(
                              work,
                              time,
                              deadline,
                              candidates,
                              depth,
                              oneOf(random, LeafEvaluator.values()),
                              threads,
                              random.nextLong())));
          found.ifPresent(result -> assertLegal(state, result));
          answers[found.isPresent() ? 1 : 0]++;
        });
    Cases.assertAllSeen(answers);
  }

  @Test
  void configurationsAreTakenOrRefusedByNameAndValue() {
    int[] answers = new int[2];
    Cases.each(
        random -> {
          GameState state = GameState.parse(Cases.sparseDfen(random));
          int candidates = number(random);
          int depth = number(random);
          int threads = oneOf(random, 1, 1, 1, 1, 2, 0, -1, 257);
          double weight = oneOf(random, 0.0, 0.5, 1.0, -0.1, 1.1, Double.NaN);
          int table = oneOf(random, 1, 100, 4096, 0, -1, Integer.MAX_VALUE);
          long work = longOf(random, 0, 500, 5_000, -1);
          Refusal refusal =
              first(
                  illegalIf(candidates < 1, "candidateLimit must be 1 or more: " + candidates),
                  illegalIf(depth < 2 || depth > 8, "searchDepth must be 2 to 8: " + depth),
                  illegalIf(threads < 1 || threads > 256, "threads must be 1 to 256: " + threads),
                  illegalIf(!(weight >= 0 && weight <= 1), "weight must be 0 to 1: " + weight),
                  illegalIf(table < 1, "table capacity must be 1 or more: " + table),
                  illegalIf(
                      table > 1 << 28,
                      "no table of 2147483647 entries: the limit is 268435456, and memory must"
                          + " hold 24 bytes for each"),
                  illegalIf(work < 0, "limit must be 0 or more: " + work),
                  notARoot(state),
                  Refusal.sharedBudget(threads));
          var found =
              ask(
                  refusal,
                  () -> {
                    var config =
                        new ExpectimaxConfig(
                            candidates,
                            random.nextBoolean(),
                            depth,
                            random.nextBoolean(),
                            random.nextBoolean(),
                            threads);
                    try (var search =
                        ExpectimaxSearch.builder(LeafEvaluator.STANDARD)
                            .config(config)
                            .rootRescore(new RootRescore(LeafEvaluator.MATERIAL, weight))
                            .table(table)
                            .build()) {
                      SearchControl control = SearchControl.withBudget(new Budget(work));
                      return search.findBestMove(state, control, random.nextLong());
                    }
                  });
          found.ifPresent(result -> assertLegal(state, result));
          answers[found.isPresent() ? 1 : 0]++;
        });
    Cases.assertAllSeen(answers);
  }

  private static long longOf(SplittableRandom random, long... numbers) {
    return numbers[random.nextInt(numbers.length)];
  }

  private static void assertLegal(GameState state, SearchResult result) {
    var turns = JvmApi.legalTurns(state);
    var best = result.best().map(turn -> new JvmApi.Turn(turn.uci(), turn.finalState()));
    assertEquals(turns.isEmpty(), best.isEmpty());
    best.ifPresent(turn -> assertTrue(turns.contains(turn), turn.toString()));
  }
}
