package dicechess.engine.internal;

import dicechess.engine.NativeEngineException;
import dicechess.engine.search.BestTurn;
import dicechess.engine.search.ChanceValue;
import dicechess.engine.search.RankedResult;
import dicechess.engine.search.RankedTurn;
import dicechess.engine.search.RootSearchStats;
import dicechess.engine.search.ScoreSource;
import dicechess.engine.search.SearchOutcome;
import dicechess.engine.search.SearchResult;
import java.util.ArrayList;
import java.util.List;
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
 *   <tr><td>13–27</td><td>statistics, in the order of {@link RootSearchStats}</td></tr>
 *   <tr><td>28–</td><td>when asked for, each candidate: the turn, bits of the pre-rank, its outcome
 *   (kind, value, work), whether it is loss-tainted</td></tr>
 * </table>
 */
public final class ResultDecoder {
  /** Length of the array without candidates. */
  static final int LENGTH = 28;

  private static final int CANDIDATE_LENGTH = 6;
  private static final int CHANCE_VALUE_LENGTH = 6;
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
    requireLength(raw.length == LENGTH, raw.length);
    return result(raw);
  }

  /**
   * Decodes a result with candidates.
   *
   * @param raw the array, with the candidates after the result
   * @return the result
   * @throws NativeEngineException if the array is not laid out as described above
   */
  public static RankedResult decodeRanked(long[] raw) {
    int rest = raw.length - LENGTH;
    requireLength(rest >= 0 && rest % CANDIDATE_LENGTH == 0, raw.length);
    List<RankedTurn> candidates = new ArrayList<>(rest / CANDIDATE_LENGTH);
    for (int i = LENGTH; i < raw.length; i += CANDIDATE_LENGTH) {
      candidates.add(
          new RankedTurn(
              MicroMoves.turn(raw[i]),
              Double.longBitsToDouble(raw[i + 1]),
              outcome(raw, i + 2),
              raw[i + 5] != 0));
    }
    return new RankedResult(result(raw), candidates);
  }

  /**
   * Decodes the value of a chance node: outcome, taint, classes, classes resolved.
   *
   * @param raw the array
   * @return the value
   * @throws NativeEngineException if the array is not laid out so
   */
  public static ChanceValue decodeChanceValue(long[] raw) {
    requireLength(raw.length == CHANCE_VALUE_LENGTH, raw.length);
    return new ChanceValue(
        outcome(raw, 0), raw[3] != 0, Math.toIntExact(raw[4]), Math.toIntExact(raw[5]));
  }

  private static void requireLength(boolean right, int length) {
    if (!right) {
      throw new NativeEngineException(
          "the native search answered " + length + " words, which is no result");
    }
  }

  private static SearchResult result(long[] raw) {
    return new SearchResult(raw[0] == 0 ? Optional.empty() : Optional.of(turn(raw)), stats(raw));
  }

  private static BestTurn turn(long[] raw) {
    return new BestTurn(
        MicroMoves.turn(raw[1]),
        GameStateAccess.stateOf(raw, STATE),
        Math.toIntExact(raw[5]),
        source(raw[6]),
        outcome(raw, 2));
  }

  private static SearchOutcome outcome(long[] raw, int offset) {
    long kind = raw[offset];
    double value = Double.longBitsToDouble(raw[offset + 1]);
    long workUsed = raw[offset + 2];
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
        raw[i++],
        raw[i]);
  }
}
