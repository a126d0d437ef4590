package dicechess.engine.jvmapi;

import dicechess.engine.NativeEngineException;
import dicechess.engine.domain.GameState;
import dicechess.engine.internal.GameStateAccess;
import dicechess.engine.internal.MicroMoves;
import dicechess.engine.internal.NativeBridge;
import dicechess.engine.internal.PositionWords;
import dicechess.engine.search.BestTurn;
import dicechess.engine.search.LeafEvaluator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Everything a bot needs: positions, legal turns, ready-made players. All methods are static,
 * thread-safe and refuse null with an {@link IllegalArgumentException}; any of them may throw
 * {@link NativeEngineException} when the native library is not available.
 *
 * <p>Colours are numbers: 0 White, 1 Black. Dice are numbers: 1 pawn, 2 knight, 3 bishop, 4 rook, 5
 * queen, 6 king.
 */
public final class JvmApi {
  /** What {@link #winner} answers while no side has won. */
  public static final int NO_WINNER = -1;

  /** The time that the bots that look at the clock take unless told otherwise, in milliseconds. */
  public static final long DEFAULT_TIME_BUDGET_MS = 1000;

  // Native code knows a bot by its place here.
  private static final List<String> ALGORITHMS =
      List.of(
          "random",
          "checkmate-aware",
          "greedy",
          "greedy-v2",
          "aggressive",
          "monte-carlo",
          "expectimax");

  private static final int MAX_DICE = 3;

  /** Longer lists of dice are told by their size only. */
  private static final int MAX_DICE_TOLD = 16;

  private static final int MAX_FACE = 6;

  private JvmApi() {}

  /**
   * A legal turn.
   *
   * @param uci one to three micro-moves in UCI notation such as {@code e2e4}, {@code e7e8q}, {@code
   *     e1g1}; unmodifiable
   * @param finalState the position after them, before the turn ends: the same side is to move, and
   *     dice that could not be spent are still in the pool
   */
  public record Turn(List<String> uci, GameState finalState) {
    /**
     * Makes a turn.
     *
     * @param uci micro-moves, copied
     * @param finalState the position after them
     */
    public Turn {
      uci = List.copyOf(uci);
    }
  }

  /**
   * A turn that a bot chose.
   *
   * @param uci one to three micro-moves in UCI notation; unmodifiable
   * @param finalState the position after them, before the turn ends
   * @param score what the bot thinks of it, on the scale that {@link #algorithms} names for that
   *     bot; {@link Integer#MAX_VALUE} captures the king
   */
  public record ScoredTurn(List<String> uci, GameState finalState, int score) {
    /**
     * Makes a turn.
     *
     * @param uci micro-moves, copied
     * @param finalState the position after them
     * @param score what the bot thinks of it
     */
    public ScoredTurn {
      uci = List.copyOf(uci);
    }
  }

  /**
   * {@link #NO_WINNER}, as the method that older callers use.
   *
   * @return −1
   */
  public static int NoWinner() {
    return NO_WINNER;
  }

  /**
   * {@link #DEFAULT_TIME_BUDGET_MS}, as the method that older callers use.
   *
   * @return 1000
   */
  public static long DefaultTimeBudgetMs() {
    return DEFAULT_TIME_BUDGET_MS;
  }

  /**
   * Reads a position.
   *
   * @param dfen FEN with several en-passant targets and a seventh field for the dice
   * @return the position, its dice sorted
   * @throws IllegalArgumentException if the text is not a DFEN, with the name of the field and the
   *     text at fault; or if it is null
   */
  public static GameState parseDfen(@Nullable String dfen) {
    return GameState.parse(dfen);
  }

  /**
   * Writes a position.
   *
   * @param state the position
   * @return its canonical DFEN: six fields, and a seventh when there are dice
   * @throws IllegalArgumentException if the state is null
   */
  public static String toDfen(GameState state) {
    return GameStateAccess.require(state).toString();
  }

  /**
   * The side to move.
   *
   * @param state the position
   * @return 0 White, 1 Black
   * @throws IllegalArgumentException if the state is null
   */
  public static int activeColor(GameState state) {
    return PositionWords.activeColor(GameStateAccess.wordsOf(state));
  }

  /**
   * The dice left to spend.
   *
   * @param state the position
   * @return faces 1 to 6, in the order given to {@link #withDice}; unmodifiable
   * @throws IllegalArgumentException if the state is null
   */
  public static List<Integer> dicePool(GameState state) {
    return PositionWords.dice(GameStateAccess.wordsOf(state));
  }

  /**
   * Micro-moves since the last pawn move or capture.
   *
   * @param state the position
   * @return 0 to 127, where it stays
   * @throws IllegalArgumentException if the state is null
   */
  public static int halfMoveClock(GameState state) {
    return PositionWords.halfMoveClock(GameStateAccess.wordsOf(state));
  }

  /**
   * The same position with a roll.
   *
   * @param state the position
   * @param dice at most three faces, 1 to 6; none clears the pool. Their order decides the order of
   *     {@link #legalTurns}
   * @return the new position
   * @throws IllegalArgumentException if an argument or a die is null, there are more than three, or
   *     one is outside 1 to 6
   */
  public static GameState withDice(GameState state, List<Integer> dice) {
    long[] words = GameStateAccess.wordsOf(state);
    if (dice == null) {
      throw new IllegalArgumentException("dice must not be null");
    }
    // No more of a long list is copied than shows that it is too long.
    List<Integer> faces = dice.stream().limit(MAX_DICE_TOLD + 1).toList();
    if (faces.size() > MAX_DICE_TOLD) {
      throw new IllegalArgumentException("dice must be at most three: " + dice.size() + " dice");
    }
    if (faces.size() > MAX_DICE) {
      throw new IllegalArgumentException("dice must be at most three: " + faces);
    }
    for (Integer face : faces) {
      if (face == null || face < 1 || face > MAX_FACE) {
        throw new IllegalArgumentException("dice must be 1 to 6 each: " + faces);
      }
    }
    PositionWords.setDice(words, faces);
    return GameStateAccess.stateOf(words, 0);
  }

  /**
   * Ends the turn: the other side is to move, the pool is empty.
   *
   * @param state the position after the micro-moves of a turn, or of a forced pass
   * @return the position before the next roll
   * @throws IllegalArgumentException if the state is null
   */
  public static GameState endTurn(GameState state) {
    long[] words = GameStateAccess.wordsOf(state);
    NativeBridge.endTurn(words);
    return GameStateAccess.stateOf(words, 0);
  }

  /**
   * Whether the game is over: a side has no king.
   *
   * @param state the position
   * @return true if a king is missing
   * @throws IllegalArgumentException if the state is null
   */
  public static boolean isGameOver(GameState state) {
    long[] words = GameStateAccess.wordsOf(state);
    return !(PositionWords.hasKing(words, 0) && PositionWords.hasKing(words, 1));
  }

  /**
   * The side that has won: the only one with a king.
   *
   * @param state the position
   * @return 0 White, 1 Black; {@link #NO_WINNER} while both have a king, or if neither has
   * @throws IllegalArgumentException if the state is null
   */
  public static int winner(GameState state) {
    long[] words = GameStateAccess.wordsOf(state);
    boolean white = PositionWords.hasKing(words, 0);
    if (white == PositionWords.hasKing(words, 1)) {
      return NO_WINNER;
    }
    return white ? 0 : 1;
  }

  /**
   * Every legal turn for the dice in the pool.
   *
   * @param state the position with its dice
   * @return the turns in canonical order, none for a forced pass; unmodifiable
   * @throws IllegalArgumentException if the state is null
   * @throws OutOfMemoryError if there are more than 16,777,216 turns, which takes 28 queens, or
   *     more than the Java heap or native memory holds; other calls are not affected
   */
  public static List<Turn> legalTurns(GameState state) {
    long[] raw = NativeBridge.legalTurns(GameStateAccess.wordsOf(state));
    int stride = 1 + NativeBridge.STATE_WORDS;
    List<Turn> turns = new ArrayList<>(raw.length / stride);
    for (int i = 0; i < raw.length; i += stride) {
      turns.add(new Turn(MicroMoves.turn(raw[i]), GameStateAccess.stateOf(raw, i + 1)));
    }
    return Collections.unmodifiableList(turns);
  }

  /**
   * Evaluates a position: material in centipawns, less 2000 if an own king is attacked.
   *
   * @param state the position
   * @param color whose view: 0 White, 1 Black
   * @return own minus enemy
   * @throws IllegalArgumentException if the state is null or the colour is no side
   */
  public static int evaluate(GameState state, int color) {
    return NativeBridge.evaluate(
        GameStateAccess.wordsOf(state), LeafEvaluator.STANDARD.ordinal(), color);
  }

  /**
   * The ids of the bots. Each captures the king when it can, {@code random} by chance only, and
   * then scores {@link Integer#MAX_VALUE}; otherwise scores are for the side to move:
   *
   * <table>
   *   <caption>Bots</caption>
   *   <tr><th>id</th><th>plays</th><th>score</th></tr>
   *   <tr><td>random</td><td>any legal turn</td><td>material after it, in centipawns</td></tr>
   *   <tr><td>checkmate-aware</td><td>a turn after which the own king is not attacked, else any</td>
   *   <td>0</td></tr>
   *   <tr><td>greedy</td><td>the best turn by {@link LeafEvaluator#MATERIAL}</td><td>centipawns</td>
   *   </tr>
   *   <tr><td>greedy-v2</td><td>the best turn by {@link LeafEvaluator#STANDARD}</td>
   *   <td>centipawns</td></tr>
   *   <tr><td>aggressive</td><td>the best turn by {@link LeafEvaluator#AGGRESSIVE}</td>
   *   <td>centipawns</td></tr>
   *   <tr><td>monte-carlo</td><td>the best of the 16 best turns by material, in random games</td>
   *   <td>a million times the share of games won; 0 if time ends the first game</td></tr>
   *   <tr><td>expectimax</td><td>the best turn of a search two turns deep over eight candidates, with
   *   leaves scored by {@link LeafEvaluator#STANDARD}</td><td>that of the search, see {@link
   *   BestTurn#score()}</td></tr>
   * </table>
   *
   * <p>Only the last two look at the clock.
   *
   * @return the ids, weakest first; unmodifiable
   */
  public static List<String> algorithms() {
    return ALGORITHMS;
  }

  /**
   * Lets a bot choose a turn. The bots that look at the clock take {@link #DEFAULT_TIME_BUDGET_MS};
   * chance decides between turns that a bot likes equally.
   *
   * @param state the position with its dice
   * @param id the bot, in either case
   * @return the turn; empty for a forced pass or an empty pool; the bots {@code monte-carlo} and
   *     {@code expectimax} have none either when a king is missing
   * @throws IllegalArgumentException if the state is null, or no bot has this id, with the ids
   * @throws OutOfMemoryError if there are too many turns to list, as {@link #legalTurns} says, or
   *     memory does not hold them
   * @throws NativeEngineException if memory does not hold the turns of a reply
   */
  public static Optional<ScoredTurn> bestTurn(GameState state, @Nullable String id) {
    return bestTurn(state, id, DEFAULT_TIME_BUDGET_MS);
  }

  /**
   * Lets a bot choose a turn in a given time.
   *
   * @param state the position with its dice
   * @param id the bot, in either case
   * @param timeBudgetMs milliseconds for the bots that look at the clock, more than 0
   * @return the turn; empty for a forced pass or an empty pool; the bots {@code monte-carlo} and
   *     {@code expectimax} have none either when a king is missing
   * @throws IllegalArgumentException if the state is null, no bot has this id, with the ids, or the
   *     time is 0 or negative
   * @throws OutOfMemoryError if there are too many turns to list, as {@link #legalTurns} says, or
   *     memory does not hold them
   * @throws NativeEngineException if memory does not hold the turns of a reply
   */
  public static Optional<ScoredTurn> bestTurn(
      GameState state, @Nullable String id, long timeBudgetMs) {
    return bestTurn(state, id, timeBudgetMs, ThreadLocalRandom.current().nextLong());
  }

  /**
   * Lets a bot choose a turn in a given time, and a seed choose between turns that it likes
   * equally: the same seed, the same turn, as long as the time does not run out. The bot {@code
   * monte-carlo} spends all its time, and so is repeated only with {@link Long#MAX_VALUE}, which is
   * no time limit: it then plays a fixed number of games.
   *
   * @param state the position with its dice
   * @param id the bot, in either case
   * @param timeBudgetMs milliseconds for the bots that look at the clock, more than 0
   * @param seed any number
   * @return the turn; empty for a forced pass or an empty pool; the bots {@code monte-carlo} and
   *     {@code expectimax} have none either when a king is missing
   * @throws IllegalArgumentException if the state is null, no bot has this id, with the ids, or the
   *     time is 0 or negative
   * @throws OutOfMemoryError if there are too many turns to list, as {@link #legalTurns} says, or
   *     memory does not hold them
   * @throws NativeEngineException if memory does not hold the turns of a reply
   */
  public static Optional<ScoredTurn> bestTurn(
      GameState state, @Nullable String id, long timeBudgetMs, long seed) {
    long[] words = GameStateAccess.wordsOf(state);
    int bot = id == null ? -1 : ALGORITHMS.indexOf(id.toLowerCase(Locale.ROOT));
    if (bot < 0) {
      throw new IllegalArgumentException("no bot is called " + id + ", there are " + ALGORITHMS);
    }
    if (timeBudgetMs <= 0) {
      throw new IllegalArgumentException("timeBudgetMs must be more than 0: " + timeBudgetMs);
    }
    // Saturates at Long.MAX_VALUE, which is no limit.
    long[] raw =
        NativeBridge.bestTurn(words, bot, TimeUnit.MILLISECONDS.toNanos(timeBudgetMs), seed);
    return raw.length == 0
        ? Optional.empty()
        : Optional.of(
            new ScoredTurn(
                MicroMoves.turn(raw[0]), GameStateAccess.stateOf(raw, 2), Math.toIntExact(raw[1])));
  }
}
