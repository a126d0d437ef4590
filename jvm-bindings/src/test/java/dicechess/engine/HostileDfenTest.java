package dicechess.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import dicechess.engine.oracle.Dfen;
import dicechess.engine.oracle.Mailbox;
import dicechess.engine.oracle.Turns;
import dicechess.engine.oracle.Values;
import dicechess.engine.search.NativeSearch;
import dicechess.engine.search.SearchLimits;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Mutated texts through JNI: read as the oracle reads them, or refused with the name of the field.
 */
class HostileDfenTest {
  private static final String LETTERS =
      "pnbrqkPNBRQKwb-/ 0123456789abcdefgh\t\0\u00e9\u0661\uD83C\uDFB2";
  private static final Set<String> FIELDS =
      Set.of(
          "placement",
          "side",
          "castling",
          "en-passant",
          "half-move",
          "full-move",
          "dice",
          "fields",
          "input");
  private static final Pattern REFUSAL =
      Pattern.compile("invalid DFEN, (\\S+) '(.*)': .+", Pattern.DOTALL);

  /** More turns than this are not enumerated by the oracle. */
  private static final int FEW_TURNS = 40;

  private static String mutated(SplittableRandom random) {
    String known =
        Cases.oneOf(
            random,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1 pp",
            "4k3/8/8/8/PpPpP3/8/8/4K3 b - a3c3e3 126 2147483647",
            Cases.sparseDfen(random),
            Cases.sparseDfen(random));
    StringBuilder text =
        new StringBuilder(known).append(Cases.oneOf(random, "", " -", " QqP", " "));
    for (int i = random.nextInt(4); i > 0 && text.length() > 0; i--) {
      int at = random.nextInt(text.length());
      char letter = LETTERS.charAt(random.nextInt(LETTERS.length()));
      switch (random.nextInt(5)) {
        case 0 -> text.deleteCharAt(at);
        case 1 -> text.insert(at, letter);
        case 2 -> text.setCharAt(at, letter);
        case 3 -> text.insert(0, text.charAt(at)).deleteCharAt(at + 1);
        default -> text.insert(at, String.valueOf(letter).repeat(random.nextInt(600)));
      }
    }
    return text.toString();
  }

  @Test
  void mutatedTextsAreReadAsTheOracleReadsThemOrRefusedByField() {
    int[] answers = new int[2];
    Cases.each(
        random -> {
          String text = mutated(random);
          var expected = Dfen.read(text);
          if (expected.isEmpty()) {
            assertRefused(text);
            answers[0]++;
          } else {
            assertSame(expected.get(), GameState.parse(text));
            answers[1]++;
          }
        });
    Cases.assertAllSeen(answers);
  }

  private static void assertRefused(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> GameState.parse(text), text)
            .getMessage();
    Matcher parts = REFUSAL.matcher(message);
    assertTrue(parts.matches() && FIELDS.contains(parts.group(1)), message);
    String quoted = parts.group(2).replaceFirst("…$", "");
    // A surrogate that stands alone crosses as a question mark.
    String crossed = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    assertTrue(crossed.contains(quoted), () -> text + ": " + message);
    var search =
        assertThrows(
            IllegalArgumentException.class,
            () -> NativeSearch.findBestMove(text, SearchLimits.defaults()));
    assertEquals(message, search.getMessage());
  }

  private static void assertSame(Mailbox expected, GameState found) {
    String dfen = expected.toString();
    assertEquals(dfen, JvmApi.toDfen(found));
    assertEquals(expected.dice(), JvmApi.dicePool(found));
    assertEquals(expected.mover(), JvmApi.activeColor(found));
    assertEquals(expected.halfMove(), JvmApi.halfMoveClock(found));
    assertEquals(expected.winner(), JvmApi.winner(found));
    assertEquals(Values.standard(expected, 0), JvmApi.evaluate(found, 0), dfen);
    assertEquals(expected.endTurn().toString(), JvmApi.endTurn(found).toString());
    List<JvmApi.Turn> turns = JvmApi.legalTurns(found);
    if (turns.size() <= FEW_TURNS) {
      assertEquals(
          Turns.of(expected).all().stream().map(turn -> turn.uci() + " " + turn.after()).toList(),
          turns.stream().map(turn -> turn.uci() + " " + turn.finalState()).toList(),
          dfen);
    }
  }
}
