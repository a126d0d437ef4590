package dicechess.engine.internal;

import dicechess.engine.NativeEngineException;
import dicechess.engine.search.Bracket;
import dicechess.engine.search.BracketedTurn;
import dicechess.engine.search.ProofResult;
import dicechess.engine.search.ProofStats;
import dicechess.engine.search.ProofTurn;
import dicechess.engine.search.ProofVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the array that {@link NativeBridge#proveTurn} answers.
 *
 * <table>
 *   <caption>Layout</caption>
 *   <tr><th>index</th><th>content</th></tr>
 *   <tr><td>0</td><td>1 with a turn, 0 for a forced pass</td></tr>
 *   <tr><td>1</td><td>the turn, three packed micro-moves</td></tr>
 *   <tr><td>2</td><td>the verdict, an ordinal</td></tr>
 *   <tr><td>3–5</td><td>its bracket: bits of the lower and upper bound, horizon</td></tr>
 *   <tr><td>6–11</td><td>words of the position after the turn, before its end</td></tr>
 *   <tr><td>12–17</td><td>statistics, in the order of {@link ProofStats}</td></tr>
 *   <tr><td>18–</td><td>each turn: three packed micro-moves, its bracket</td></tr>
 * </table>
 */
public final class ProofDecoder {
  private static final int BRACKET = 3;
  private static final int STATE = 6;
  private static final int STATS = 12;
  private static final int TURNS = 18;
  private static final int TURN_LENGTH = 4;

  private ProofDecoder() {}

  /**
   * Decodes a result.
   *
   * @param raw the array
   * @return the result
   * @throws NativeEngineException if the array is not laid out as described above
   */
  public static ProofResult decode(long[] raw) {
    if (raw.length < TURNS || (raw.length - TURNS) % TURN_LENGTH != 0) {
      throw new NativeEngineException(
          "the native search answered " + raw.length + " words, which is no result");
    }
    List<BracketedTurn> turns = new ArrayList<>((raw.length - TURNS) / TURN_LENGTH);
    for (int i = TURNS; i < raw.length; i += TURN_LENGTH) {
      turns.add(new BracketedTurn(MicroMoves.turn(raw[i]), bracket(raw, i + 1)));
    }
    return new ProofResult(
        raw[0] == 0 ? Optional.empty() : Optional.of(turn(raw)), stats(raw), turns);
  }

  private static ProofTurn turn(long[] raw) {
    return new ProofTurn(
        MicroMoves.turn(raw[1]),
        GameStateAccess.stateOf(raw, STATE),
        bracket(raw, BRACKET),
        verdict(raw[2]));
  }

  private static ProofVerdict verdict(long ordinal) {
    ProofVerdict[] all = ProofVerdict.values();
    if (ordinal < 0 || ordinal >= all.length) {
      throw new NativeEngineException("the native search answered verdict " + ordinal);
    }
    return all[(int) ordinal];
  }

  private static ProofStats stats(long[] raw) {
    int i = STATS;
    return new ProofStats(
        raw[i++], raw[i++], raw[i++], Math.toIntExact(raw[i++]), raw[i++], raw[i]);
  }

  /**
   * Decodes a bracket.
   *
   * @param raw holds it
   * @param offset index of its first word
   * @return the bracket
   */
  public static Bracket bracket(long[] raw, int offset) {
    return new Bracket(
        Double.longBitsToDouble(raw[offset]),
        Double.longBitsToDouble(raw[offset + 1]),
        Math.toIntExact(raw[offset + 2]));
  }
}
