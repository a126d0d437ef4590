package dicechess.engine.search;

import static dicechess.engine.Cases.oneOf;
import static dicechess.engine.search.Refusal.CLOSED;
import static dicechess.engine.search.Refusal.first;
import static dicechess.engine.search.Refusal.illegalIf;
import static dicechess.engine.search.Refusal.notARoot;
import static dicechess.engine.search.Refusal.notBeforeRoll;
import static dicechess.engine.search.Refusal.sharedBudget;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Cases;
import dicechess.engine.NativeEngineException;
import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random sequences of calls through the public classes: each answer is legal and sound, each
 * refusal is the documented exception and names what is wrong.
 */
class HostileCallsTest {
  private static final int CALLS = 8;

  private static Map<List<String>, GameState> legalTurns(GameState state) {
    return JvmApi.legalTurns(state).stream()
        .collect(Collectors.toMap(JvmApi.Turn::uci, JvmApi.Turn::finalState));
  }

  private static void assertLegal(Optional<BestTurn> best, Map<List<String>, GameState> legal) {
    assertEquals(legal.isEmpty(), best.isEmpty());
    best.ifPresent(turn -> assertEquals(legal.get(turn.uci()), turn.finalState()));
  }

  @Test
  void callsInAnyOrderAreAnsweredSoundlyOrRefusedByName() {
    int[] answers = new int[2];
    Cases.each(
        random -> {
          try (Session session = new Session(random)) {
            for (int i = 0; i < CALLS; i++) {
              session.call();
            }
            answers[0] += session.refused;
            answers[1] += session.proven;
          }
        });
    Cases.assertAllSeen(answers);
  }

  /** An evaluator of the host that scores 0, fails at some call, or leaves its range there. */
  private static final class Host implements BatchEvaluator {
    private static final Refusal THROWN =
        new Refusal(UnsupportedOperationException.class, "no score today");
    private static final Refusal OUT_OF_RANGE =
        new Refusal(
            NativeEngineException.class, "evaluator 'host' gave 10001, outside -10000..=10000");

    private final @Nullable Refusal kind;
    private int good;
    volatile @Nullable Refusal fault;

    Host(@Nullable Refusal kind, int good) {
      this.kind = kind;
      this.good = good;
    }

    @Override
    public void evaluate(ByteBuffer positions, int count, int perspective, DoubleBuffer scores) {
      boolean faulty = kind != null && good-- <= 0;
      if (faulty) {
        fault = kind;
        if (kind == THROWN) {
          throw new UnsupportedOperationException(kind.message());
        }
      }
      for (int i = 0; i < count; i++) {
        scores.put(i, faulty ? 10_001 : 0);
      }
    }

    @Override
    public String name() {
      return "host";
    }

    @Override
    public boolean readsClocks() {
      return false;
    }
  }

  /** A game, a search that is kept, and limits that are used again and again. */
  private static final class Session implements AutoCloseable {
    /** Without limits, cuts between candidates or a table: what it says is taken as true. */
    private static final Map<LeafEvaluator, ExpectimaxSearch> PLAIN =
        Arrays.stream(LeafEvaluator.values())
            .collect(
                Collectors.toMap(leaf -> leaf, leaf -> ExpectimaxSearch.builder(leaf).build()));

    private static final ExpectimaxSearch PLAIN_HOST =
        ExpectimaxSearch.builder(new Host(null, 0)).build();

    private final SplittableRandom random;
    private final Host host;
    private final Evaluator leaf;
    private final ExpectimaxConfig config;
    private final boolean hasTable;
    private final ExpectimaxSearch search;
    private final Budget[] budgets;
    private final SearchControl kept;
    private boolean closed;
    private GameState state;
    private Map<List<String>, GameState> legal;
    int refused;
    int proven;

    Session(SplittableRandom random) {
      this.random = random;
      host = new Host(oneOf(random, null, Host.THROWN, Host.OUT_OF_RANGE), random.nextInt(300));
      leaf = random.nextInt(3) == 0 ? host : oneOf(random, LeafEvaluator.values());
      config =
          new ExpectimaxConfig(
              1 + random.nextInt(3),
              random.nextBoolean(),
              2,
              random.nextBoolean(),
              random.nextBoolean(),
              random.nextInt(16) == 0 && !scoresOutOfRange() ? 2 : 1);
      hasTable = random.nextBoolean();
      search = build();
      budgets = new Budget[] {new Budget(0), new Budget(random.nextInt(1_000)), new Budget(4_000)};
      kept = SearchControl.withBudget(budgets[1]);
      state = GameState.parse(Cases.sparseDfen(random));
      legal = legalTurns(state);
    }

    private ExpectimaxSearch build() {
      ExpectimaxSearch.Builder builder = ExpectimaxSearch.builder(leaf).config(config);
      return (hasTable ? builder.table(64) : builder).build();
    }

    @Override
    public void close() {
      search.close();
    }

    private <T> Optional<T> ask(@Nullable Refusal expected, Supplier<T> call) {
      host.fault = null;
      var answer = Refusal.ask(() -> first(expected, host.fault), call);
      refused += answer.isEmpty() ? 1 : 0;
      return answer;
    }

    private @Nullable Refusal closed() {
      return closed ? CLOSED : null;
    }

    private boolean scoresOutOfRange() {
      return leaf == host && host.kind == Host.OUT_OF_RANGE;
    }

    /** Scores are not looked at when the search has been cancelled meanwhile. */
    private SearchControl control() {
      if (scoresOutOfRange()) {
        return SearchControl.unbounded();
      }
      int[] now = {0};
      int deadline = random.nextInt(40);
      return switch (random.nextInt(5)) {
        case 0 -> SearchControl.unbounded();
        case 1 -> SearchControl.untilDeadline(deadline, () -> now[0]++);
        case 2 -> kept;
        default -> SearchControl.withBudget(oneOf(random, budgets));
      };
    }

    /** Whether a control has a budget cannot be asked; it writes what is left of it. */
    private static boolean hasBudget(SearchControl control) {
      return control.workLeft() != Long.MAX_VALUE;
    }

    void call() {
      switch (random.nextInt(16)) {
        case 0, 1, 2, 3 -> rank();
        case 4 -> chanceValue();
        case 5 -> replay();
        case 6 -> askBot();
        case 7, 8 -> askRules();
        case 9 -> askWithColor();
        case 10 -> passNull();
        case 11 -> passTooMuch();
        case 12 -> ask(closed(), this::clearTable);
        case 13 -> {
          // Empties tables of 13 MB.
          if (random.nextInt(8) == 0) {
            prove();
          }
        }
        case 14 -> {
          if (random.nextInt(4) == 0) {
            search.close();
            closed = true;
          } else {
            kept.cancel();
          }
        }
        default -> play();
      }
      for (Budget budget : budgets) {
        assertTrue(budget.used() <= budget.limit());
        assertTrue(!budget.isExhausted() || budget.used() == budget.limit());
      }
    }

    private boolean clearTable() {
      search.clearTable();
      return true;
    }

    private double truth(GameState beforeRoll, int perspective) {
      ExpectimaxSearch plain = leaf == host ? PLAIN_HOST : PLAIN.get(leaf);
      return plain
          .chanceValue(beforeRoll, perspective, SearchControl.unbounded())
          .outcome()
          .exactOption()
          .orElseThrow();
    }

    private void assertHolds(SearchOutcome claim, boolean cancelled, DoubleSupplier truth) {
      assertFalse(cancelled && claim.valueOption().isPresent(), claim + " although cancelled");
      if (claim instanceof SearchOutcome.Exact exact) {
        assertEquals(truth.getAsDouble(), exact.value());
        proven++;
      } else if (claim instanceof SearchOutcome.LowerBound bound) {
        assertTrue(bound.value() <= truth.getAsDouble(), claim.toString());
      } else if (claim instanceof SearchOutcome.UpperBound bound) {
        assertTrue(bound.value() >= truth.getAsDouble(), claim.toString());
      }
    }

    private @Nullable Refusal notSearched(SearchControl control) {
      return first(
          closed(), notARoot(state), hasBudget(control) ? sharedBudget(config.threads()) : null);
    }

    private void rank() {
      SearchControl control = control();
      boolean cancelled = control.isCancelled();
      long seed = random.nextLong();
      var ranked = ask(notSearched(control), () -> search.rankMoves(state, control, seed));
      if (ranked.isEmpty()) {
        return;
      }
      Optional<BestTurn> best = ranked.get().result().best();
      assertLegal(best, legal);
      int mover = JvmApi.activeColor(state);
      if (best.isEmpty() || best.get().source() == ScoreSource.CAPTURE) {
        best.ifPresent(turn -> assertEquals(mover, JvmApi.winner(turn.finalState())));
        return;
      }
      double greatest = Double.NEGATIVE_INFINITY;
      for (RankedTurn candidate : ranked.get().candidates()) {
        double truth = truth(JvmApi.endTurn(legal.get(candidate.uci())), mover);
        assertHolds(candidate.outcome(), cancelled, () -> truth);
        greatest = Math.max(greatest, truth);
      }
      double ofRoot = greatest;
      assertHolds(best.get().outcome(), cancelled, () -> ofRoot);
    }

    /** Mostly a position before the roll. */
    private GameState beforeRoll() {
      return random.nextInt(4) == 0 ? state : JvmApi.endTurn(state);
    }

    private void chanceValue() {
      SearchControl control = control();
      boolean cancelled = control.isCancelled();
      GameState node = beforeRoll();
      int side = random.nextInt(2);
      Refusal refusal =
          first(
              closed(),
              hasBudget(control) ? sharedBudget(config.threads()) : null,
              notBeforeRoll(node));
      ask(refusal, () -> search.chanceValue(node, side, control))
          .ifPresent(value -> assertHolds(value.outcome(), cancelled, () -> truth(node, side)));
    }

    private void replay() {
      if (closed) {
        ask(CLOSED, () -> search.replayLine(state, kept, 0));
        return;
      }
      int limit = random.nextInt(2_000);
      long seed = random.nextLong();
      SearchControl control = SearchControl.withBudget(new Budget(limit));
      String line = search.replayLine(state, control, seed);
      if (random.nextBoolean()) {
        runMutated(line);
        return;
      }
      Host faultless = new Host(null, 0);
      var replayed =
          ask(
              first(notARoot(state), sharedBudget(config.threads())),
              () -> Replay.run(line, faultless));
      replayed.ifPresent(result -> assertLegal(result.best(), legal));
      if (replayed.isPresent() && leaf != host && !hasTable) {
        assertEquals(search.findBestMove(state, control, seed), replayed.get());
      }
    }

    /** A line with a letter less, or another: refused, or that of another search. */
    private void runMutated(String line) {
      StringBuilder text = new StringBuilder(line);
      int at = random.nextInt(text.length());
      if (random.nextBoolean()) {
        text.deleteCharAt(at);
      } else {
        text.setCharAt(at, oneOf(random, 'x', '"', ' ', '\0', '-', '\u00e9'));
      }
      try {
        Replay.run(text.toString(), new Host(null, 0));
      } catch (IllegalArgumentException e) {
        assertFalse(e.getMessage().isEmpty());
      }
    }

    private void prove() {
      int horizon = oneOf(random, 0, -1, 33, Integer.MAX_VALUE, 1, 2, 3);
      SearchControl control = SearchControl.withBudget(oneOf(random, budgets));
      boolean wrong = horizon < 1 || horizon > 32;
      String range = " must be 1 to 32: " + horizon;
      if (random.nextBoolean()) {
        GameState node = beforeRoll();
        ask(
                first(illegalIf(wrong, "horizon" + range), notBeforeRoll(node)),
                () -> WinProof.bracket(node, random.nextInt(2), horizon, control))
            .ifPresent(Session::assertBracket);
        return;
      }
      ask(
              first(illegalIf(wrong, "maxHorizon" + range), notARoot(state)),
              () -> WinProof.find(state, horizon, control, random.nextLong()))
          .ifPresent(
              result -> {
                assertEquals(legal.isEmpty(), result.best().isEmpty());
                result
                    .best()
                    .ifPresent(turn -> assertEquals(legal.get(turn.uci()), turn.finalState()));
                for (BracketedTurn turn : result.turns()) {
                  assertTrue(legal.containsKey(turn.uci()));
                  assertBracket(turn.bracket());
                }
              });
    }

    private static void assertBracket(Bracket bracket) {
      assertTrue(
          0 <= bracket.lower() && bracket.lower() <= bracket.upper() && bracket.upper() <= 1,
          bracket.toString());
    }

    private void askBot() {
      String id =
          oneOf(
              random,
              "random",
              "checkmate-aware",
              "GREEDY",
              "greedy-v2",
              "aggressive",
              "monte-carlo",
              "expectimax",
              "nobody",
              "",
              null);
      long time = oneOf(random, 1L, 1L, Long.MAX_VALUE, 0L, Long.MIN_VALUE);
      if (time == Long.MAX_VALUE && "monte-carlo".equals(id)) {
        return; // Plays all its games.
      }
      boolean known = id != null && JvmApi.algorithms().contains(id.toLowerCase());
      Refusal refusal =
          first(
              illegalIf(!known, "no bot is called " + id + ", there are " + JvmApi.algorithms()),
              illegalIf(time <= 0, "timeBudgetMs must be more than 0: " + time));
      ask(refusal, () -> JvmApi.bestTurn(state, id, time, random.nextLong()))
          .ifPresent(
              best -> {
                boolean over = id.matches("monte-carlo|expectimax") && JvmApi.isGameOver(state);
                assertEquals(legal.isEmpty() || over, best.isEmpty());
                best.ifPresent(turn -> assertEquals(legal.get(turn.uci()), turn.finalState()));
              });
    }

    private void askRules() {
      Budget budget = oneOf(random, budgets);
      int defender = random.nextInt(-1, 3);
      ask(noSide("defender", defender), () -> KingCapture.rolls(state, defender, budget))
          .ifPresent(
              rolls -> {
                if (rolls instanceof RulesOutcome.Complete<Integer> complete) {
                  assertTrue(0 <= complete.value() && complete.value() <= 216);
                } else {
                  assertTrue(budget.isExhausted());
                }
              });
      if (KingCapture.path(state, budget)
          instanceof RulesOutcome.Complete<Optional<List<String>>> complete) {
        boolean captures =
            legal.values().stream()
                .anyMatch(after -> !JvmApi.isGameOver(state) && JvmApi.isGameOver(after));
        assertTrue(JvmApi.isGameOver(state) || captures == complete.value().isPresent());
        complete.value().ifPresent(path -> assertTrue(legal.containsKey(path)));
      }
    }

    private static @Nullable Refusal noSide(String name, int number) {
      return illegalIf(
          number != 0 && number != 1, name + " must be 0 for White or 1 for Black: " + number);
    }

    private void askWithColor() {
      int color = oneOf(random, 0, 1, 2, -1, Integer.MIN_VALUE);
      ask(noSide("color", color), () -> JvmApi.evaluate(state, color));
      ask(noSide("color", color), () -> RichFeatures.extract(state, color));
      ask(noSide("color", color), () -> OnnxFeatures.extract(state, color));
      ask(
          illegalIf(color != 0 && color != 1, "perspective must be 0 or 1: " + color),
          () -> UtilityBounds.expectimax(color));
    }

    private void passNull() {
      Refusal state = illegalIf(true, "state must not be null");
      Refusal control = illegalIf(true, "control must not be null");
      switch (random.nextInt(8)) {
        case 0 -> ask(state, () -> search.findBestMove(null));
        case 1 -> ask(control, () -> search.rankMoves(this.state, null, 0));
        case 2 -> ask(state, () -> JvmApi.legalTurns(null));
        case 3 -> ask(control, () -> WinProof.find(this.state, 1, null, 0));
        case 4 -> ask(illegalIf(true, "dfen must not be null"), () -> GameState.parse(null));
        case 5 -> ask(illegalIf(true, "line must not be null"), () -> Replay.run(null));
        case 6 ->
            ask(illegalIf(true, "dice must not be null"), () -> JvmApi.withDice(this.state, null));
        default ->
            ask(
                illegalIf(true, "budget must not be null"),
                () -> KingCapture.path(this.state, null));
      }
    }

    private void passTooMuch() {
      int size = oneOf(random, 4, 600, 20_000);
      String text = "8".repeat(size);
      try {
        switch (random.nextInt(3)) {
          case 0 -> JvmApi.withDice(state, Collections.nCopies(size, random.nextInt(9)));
          case 1 -> Replay.run(text, new BatchEvaluator[0]);
          default -> GameState.parse(text);
        }
      } catch (IllegalArgumentException e) {
        assertTrue(e.getMessage().matches("(?s)(dice|a replay line|invalid DFEN).*"));
        refused++;
        return;
      }
      throw new AssertionError(size + " of them were taken");
    }

    /** Plays any turn, ends it, and rolls. */
    private void play() {
      GameState after =
          legal.isEmpty()
              ? state
              : legal.values().stream().skip(random.nextInt(legal.size())).findFirst().get();
      List<Integer> dice = random.ints(oneOf(random, 3, 3, 2, 0), 0, 8).boxed().toList();
      boolean valid = dice.stream().allMatch(die -> die >= 1 && die <= 6);
      ask(
              illegalIf(!valid, "dice must be 1 to 6 each: " + dice),
              () -> JvmApi.withDice(JvmApi.endTurn(after), dice))
          .ifPresent(
              rolled -> {
                state = rolled;
                legal = legalTurns(rolled);
              });
    }
  }
}
