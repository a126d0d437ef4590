package dicechess.engine.client;

import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import dicechess.engine.jvmapi.JvmApi.ScoredTurn;
import dicechess.engine.jvmapi.JvmApi.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A small host with two players, such as a service would write it against the facade alone. */
final class FacadeClient {
  private static final String START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  private static final int LONGEST_GAME = 400;
  // The host's rule for draws, in micro-moves.
  private static final int QUIET_MOVES = 100;

  private FacadeClient() {}

  /** How a game went. */
  record Game(List<String> turns, String end, int winner, boolean over) {}

  /** Plays a game: bots for both sides, by turns with the host's own choice. */
  static Game play(long seed) {
    Random random = new Random(seed);
    List<String> played = new ArrayList<>();
    GameState state = JvmApi.parseDfen(START);
    while (!JvmApi.isGameOver(state)
        && JvmApi.halfMoveClock(state) < QUIET_MOVES
        && played.size() < LONGEST_GAME) {
      GameState rolled = JvmApi.withDice(state, roll(random));
      Optional<ScoredTurn> turn =
          random.nextInt(8) == 0
              ? own(rolled)
              : JvmApi.bestTurn(rolled, bot(rolled), Long.MAX_VALUE, random.nextLong());
      played.add(turn.map(chosen -> String.join(" ", chosen.uci())).orElse("pass"));
      state = JvmApi.endTurn(turn.map(ScoredTurn::finalState).orElse(rolled));
    }
    return new Game(played, JvmApi.toDfen(state), JvmApi.winner(state), JvmApi.isGameOver(state));
  }

  private static List<Integer> roll(Random random) {
    return List.of(1 + random.nextInt(6), 1 + random.nextInt(6), 1 + random.nextInt(6));
  }

  private static String bot(GameState state) {
    return JvmApi.algorithms().get(JvmApi.activeColor(state) == 0 ? 2 : 1);
  }

  /** The first turn that captures the king, else the first of those with the best evaluation. */
  static Optional<ScoredTurn> own(GameState state) {
    int side = JvmApi.activeColor(state);
    ScoredTurn best = null;
    for (Turn turn : JvmApi.legalTurns(state)) {
      int score =
          JvmApi.isGameOver(turn.finalState())
              ? Integer.MAX_VALUE
              : JvmApi.evaluate(JvmApi.endTurn(turn.finalState()), side);
      if (best == null || score > best.score()) {
        best = new ScoredTurn(turn.uci(), turn.finalState(), score);
      }
    }
    return Optional.ofNullable(best);
  }

  /** What is left of the facade. */
  static String about(GameState state) {
    ScoredTurn quick = JvmApi.bestTurn(state, "greedy-v2").orElseThrow();
    ScoredTurn timed =
        JvmApi.bestTurn(state, "EXPECTIMAX", JvmApi.DefaultTimeBudgetMs()).orElseThrow();
    return String.join(
        " ",
        "" + JvmApi.dicePool(state),
        "" + JvmApi.NoWinner(),
        "" + (JvmApi.NO_WINNER == JvmApi.winner(state)),
        "" + (JvmApi.DEFAULT_TIME_BUDGET_MS == JvmApi.DefaultTimeBudgetMs()),
        "" + quick.uci() + quick.score(),
        "" + timed.uci() + timed.score());
  }
}
