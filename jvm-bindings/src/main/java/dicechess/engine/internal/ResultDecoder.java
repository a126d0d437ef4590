package dicechess.engine.internal;

import dicechess.engine.NativeEngineException;
import dicechess.engine.search.BestTurn;
import dicechess.engine.search.RootSearchStats;
import dicechess.engine.search.ScoreSource;
import dicechess.engine.search.SearchOutcome;
import dicechess.engine.search.SearchResult;
import java.util.Optional;

/**
 * Reads the array that {@link NativeBridge#search} answers.
 *
 * <table>
 *   <caption>Layout</caption>
 *   <tr><th>index</th><th>content</th></tr>
 *   <tr><td>0</td><td>1 with a turn, 0 for a forced pass</td></tr>
 *   <tr><td>1</td><td>the turn, three packed micro-moves</td></tr>
 *   <tr><td>2</td><td>outcome: 0 exact, 1 lower bound, 2 upper bound, 3 incomplete</td></tr>
 *   <tr><td>3</td><td>bits of the outcome's value, a double; no meaning when incomplete</td></tr>
 *   <tr><td>4</td><td>work used</td></tr>
 *   <tr><td>5</td><td>score</td></tr>
 *   <tr><td>6</td><td>source of the score: 0 capture, 1 search, 2 pre-rank</td></tr>
 *   <tr><td>7–12</td><td>words of the position after the turn, before its end</td></tr>
 *   <tr><td>13–26</td><td>statistics, in the order of {@link RootSearchStats}</td></tr>
 * </table>
 */
public final class ResultDecoder {
  /** Length of the array. */
  static final int LENGTH = 27;

  private static final int STATE = 7;
  private static final int STATS = STATE + NativeBridge.STATE_WORDS;

  private ResultDecoder() {}

  /**
   * Decodes a result.
   *
   * @param raw the array
   * @return the result
   * @throws NativeEngineException if the array is not laid out as described above
   */
  public static SearchResult decode(long[] raw) {
    if (raw.length != LENGTH) {
      throw new NativeEngineException(
          "the native search answered " + raw.length + " words, expected " + LENGTH);
    }
    return new SearchResult(raw[0] == 0 ? Optional.empty() : Optional.of(turn(raw)), stats(raw));
  }

  private static BestTurn turn(long[] raw) {
    return new BestTurn(
        MicroMoves.turn(raw[1]),
        GameStateAccess.create(raw, STATE),
        Math.toIntExact(raw[5]),
        source(raw[6]),
        outcome(raw[2], Double.longBitsToDouble(raw[3]), raw[4]));
  }

  private static SearchOutcome outcome(long kind, double value, long workUsed) {
    if (kind == 0) {
      return new SearchOutcome.Exact(value, workUsed);
    } else if (kind == 1) {
      return new SearchOutcome.LowerBound(value, workUsed);
    } else if (kind == 2) {
      return new SearchOutcome.UpperBound(value, workUsed);
    } else if (kind == 3) {
      return new SearchOutcome.Incomplete(workUsed);
    }
    throw new NativeEngineException("the native search answered outcome kind " + kind);
  }

  private static ScoreSource source(long code) {
    if (code == 0) {
      return ScoreSource.CAPTURE;
    } else if (code == 1) {
      return ScoreSource.SEARCH;
    } else if (code == 2) {
      return ScoreSource.PRE_RANK;
    }
    throw new NativeEngineException("the native search answered score source " + code);
  }

  private static RootSearchStats stats(long[] raw) {
    int i = STATS;
    return new RootSearchStats(
        raw[i++],
        raw[i++],
        raw[i++],
        raw[i++],
        raw[i++],
        raw[i++],
        raw[i++],
        raw[i++],
        raw[i++],
        raw[i++],
        raw[i++] != 0,
        raw[i++] != 0,
        raw[i++],
        raw[i]);
  }
}
