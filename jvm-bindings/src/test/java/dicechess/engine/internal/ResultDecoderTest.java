package dicechess.engine.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.NativeEngineException;
import dicechess.engine.search.BestTurn;
import dicechess.engine.search.RootSearchStats;
import dicechess.engine.search.ScoreSource;
import dicechess.engine.search.SearchOutcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The layout of the native answer, without the native library. */
class ResultDecoderTest {
  private static int move(int from, int to, int kind) {
    return from | to << 6 | kind << 12;
  }

  private static long[] answer() {
    long[] raw = new long[ResultDecoder.LENGTH];
    raw[0] = 1;
    raw[1] = move(4, 6, 8);
    raw[3] = Double.doubleToLongBits(-1.5);
    raw[4] = 77;
    raw[5] = -1;
    raw[6] = 1;
    return raw;
  }

  private static BestTurn turn(long[] raw) {
    return ResultDecoder.decode(raw).best().orElseThrow();
  }

  @Test
  void turnIsReadFromTheLowBitsUpToTheFirstZero() {
    long[] raw = answer();
    raw[1] = move(0, 63, 3) | (long) move(63, 0, 4) << 16 | (long) move(48, 57, 12) << 32;
    assertEquals(List.of("a1h8", "h8a1", "a7b8q"), turn(raw).uci());
    raw[1] = move(4, 6, 8);
    assertEquals(List.of("e1g1"), turn(raw).uci());
  }

  @Test
  void onlyPromotionsHaveASuffix() {
    String[] suffixes = {"", "", "", "", "", "", "", "", "", "n", "b", "r", "q"};
    for (int kind = 0; kind < suffixes.length; kind++) {
      assertEquals(List.of("a7a8" + suffixes[kind]), MicroMoves.turn(move(48, 56, kind)));
    }
  }

  @Test
  void everyOutcomeKindIsRead() {
    List<SearchOutcome> outcomes =
        List.of(
            new SearchOutcome.Exact(-1.5, 77),
            new SearchOutcome.LowerBound(-1.5, 77),
            new SearchOutcome.UpperBound(-1.5, 77),
            new SearchOutcome.Incomplete(77));
    for (int kind = 0; kind < outcomes.size(); kind++) {
      long[] raw = answer();
      raw[2] = kind;
      assertEquals(outcomes.get(kind), turn(raw).outcome());
    }
  }

  @Test
  void everyScoreSourceIsRead() {
    ScoreSource[] sources = ScoreSource.values();
    for (int code = 0; code < sources.length; code++) {
      long[] raw = answer();
      raw[6] = code;
      assertEquals(sources[code], turn(raw).source());
    }
  }

  @Test
  void statisticsAreReadInOrder() {
    long[] raw = answer();
    for (int i = 0; i < 15; i++) {
      raw[13 + i] = 100 + i;
    }
    raw[23] = 0;
    assertEquals(
        new RootSearchStats(
            100, 101, 102, 103, 104, 105, 106, 107, 108, 109, false, true, 112, 113, 114),
        ResultDecoder.decode(raw).stats());
  }

  @Test
  void noTurnIsAForcedPass() {
    var result = ResultDecoder.decode(new long[ResultDecoder.LENGTH]);
    assertTrue(result.isForcedPass());
    assertEquals(RootSearchStats.ZERO, result.stats());
  }

  @Test
  void positionsAreEqualWhenAllTheirWordsAre() {
    for (int word = 0; word < NativeBridge.STATE_WORDS; word++) {
      long[] raw = answer();
      assertEquals(turn(answer()).finalState(), turn(raw).finalState());
      assertEquals(turn(answer()).finalState().hashCode(), turn(raw).finalState().hashCode());
      raw[7 + word] = 1L << 40;
      assertTrue(!turn(answer()).finalState().equals(turn(raw).finalState()));
    }
  }

  @Test
  void unknownLayoutIsAnEngineError() {
    refused("the native search answered 5 words, which is no result", new long[5]);
    long[] outcome = answer();
    outcome[2] = 4;
    refused("the native search answered outcome kind 4", outcome);
    long[] source = answer();
    source[6] = 3;
    refused("the native search answered score source 3", source);
  }

  private static void refused(String message, long[] raw) {
    var thrown = assertThrows(NativeEngineException.class, () -> ResultDecoder.decode(raw));
    assertEquals(message, thrown.getMessage());
  }
}
