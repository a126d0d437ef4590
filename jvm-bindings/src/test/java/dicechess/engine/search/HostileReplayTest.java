package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dicechess.engine.Fixtures;
import dicechess.engine.domain.GameState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines that no search has written are refused, however close they come to one. */
class HostileReplayTest {
  private static final GameState ROOT = GameState.parse(Fixtures.F10);
  private static final String LINE =
      Replay.line(Fixtures.F10, SearchLimits.defaults().withWorkBudget(5_000));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "work",
        "nanos",
        "seed",
        "candidates",
        "depth",
        "evaluator",
        "preRanker",
        "rescore",
        "table"
      })
  void partsThatAreNoneAreRefused(String part) {
    for (String value :
        new String[] {
          "", "x", "-1x", "99999999999999999999", "1.5", "\0", "\uD83C\uDFB2", "host:x"
        }) {
      String line = LINE.replaceFirst(" " + part + "=\\S+", " " + part + "=" + value);
      assertThrows(IllegalArgumentException.class, () -> Replay.run(line), line);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"work=-1", "candidates=0", "depth=9", "table=-5", "rescore=2*material"})
  void numbersOutOfRangeAreRefused(String part) {
    String name = part.substring(0, part.indexOf('='));
    String line = LINE.replaceFirst(" " + name + "=\\S+", " " + part);
    assertThrows(IllegalArgumentException.class, () -> Replay.run(line), line);
  }

  @Test
  void everyPrefixIsRefused() {
    for (int length = 0; length < LINE.length() - "none".length(); length++) {
      String line = LINE.substring(0, length);
      assertThrows(IllegalArgumentException.class, () -> Replay.run(line), line);
    }
  }

  @Test
  void hostsThatAreNullAreRefused() {
    for (BatchEvaluator[] hosts : new BatchEvaluator[][] {null, {null}}) {
      var refused = assertThrows(IllegalArgumentException.class, () -> Replay.run(LINE, hosts));
      assertEquals("hosts must not be null", refused.getMessage());
    }
  }

  @Test
  void timeOfAlmostThreeCenturiesIsLeftWhenItIsReplayed() {
    SearchLimits limits = SearchLimits.defaults().withTimeBudgetNanos(Long.MAX_VALUE - 1);
    SearchResult expected = NativeSearch.findBestMove(ROOT.toString(), limits);
    assertEquals(expected, Replay.run(Replay.line(ROOT.toString(), limits)));
  }
}
