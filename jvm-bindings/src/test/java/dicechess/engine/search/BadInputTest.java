package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Fixtures;
import dicechess.engine.domain.GameState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong input is a Java exception that says what is wrong, and nothing else happens. */
class BadInputTest {
  private static final SearchLimits LIMITS = SearchLimits.defaults();

  @AfterEach
  void theNextSearchWorks() {
    assertTrue(NativeSearch.findBestMove(Fixtures.F10, LIMITS).best().isPresent());
  }

  private static String refused(String dfen) {
    var parse = assertThrows(IllegalArgumentException.class, () -> GameState.parse(dfen));
    var search =
        assertThrows(IllegalArgumentException.class, () -> NativeSearch.findBestMove(dfen, LIMITS));
    assertEquals(parse.getMessage(), search.getMessage());
    return parse.getMessage();
  }

  private static String notSearched(String dfen, SearchLimits limits) {
    return assertThrows(
            IllegalArgumentException.class, () -> NativeSearch.findBestMove(dfen, limits))
        .getMessage();
  }

  @ParameterizedTest
  @CsvSource({
    "placement, 4k3/8/8/8/8/8/8/4X3, 4k3/8/8/8/8/8/8/4X3 w - - 0 1 N",
    "side, white, 4k3/8/8/8/8/8/8/4K3 white - - 0 1 N",
    "castling, KQx, 4k3/8/8/8/8/8/8/4K3 w KQx - 0 1 N",
    "en-passant, e9, 4k3/8/8/8/8/8/8/4K3 w - e9 0 1 N",
    "half-move, 128, 4k3/8/8/8/8/8/8/4K3 w - - 128 1 N",
    "full-move, zero, 4k3/8/8/8/8/8/8/4K3 w - - 0 zero N",
    "dice, PXN, 4k3/8/8/8/8/8/8/4K3 w - - 0 1 PXN",
  })
  void badFieldIsNamedTogetherWithItsText(String field, String text, String dfen) {
    String message = refused(dfen);
    assertTrue(message.contains(field), message);
    assertTrue(message.contains(text), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "\0",
        "4k3/8/8/8/8/8/8/4K3 w \0 - 0 1 N",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 N\0",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 \uD83C\uDFB2",
        "\uD83C\uDFB2k3/8/8/8/8/8/8/4K3 w - - 0 1 N",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 \uD83C",
        "4k3/8/8/8/8/8/8/4K3 w - - \u0661 1 N",
      })
  void textOutsideTheNotationIsRefused(String dfen) {
    assertTrue(refused(dfen).length() > 0);
  }

  @Test
  void hugeTextIsRefusedWithAShortMessage() {
    assertTrue(refused("8".repeat(10_000_000)).length() < 2_000);
  }

  @Test
  void nullIsRefusedByName() {
    assertTrue(refused(null).contains("dfen"));
    assertTrue(notSearched(Fixtures.F10, null).contains("limits"));
  }

  @Test
  void positionWithoutDiceIsNotSearched() {
    String message = notSearched("4k3/8/8/8/8/8/8/4K3 w - - 0 1", LIMITS);
    assertTrue(message.contains("dice"), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"8/8/8/8/8/8/8/4K3 w - - 0 1 K", "4k3/8/8/8/8/8/8/8 w - - 0 1 K"})
  void positionWithoutAKingIsNotSearched(String dfen) {
    String message = notSearched(dfen, LIMITS);
    assertTrue(message.contains("king"), message);
  }
}
