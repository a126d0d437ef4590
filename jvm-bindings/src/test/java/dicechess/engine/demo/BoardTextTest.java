package dicechess.engine.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Fixtures;
import org.junit.jupiter.api.Test;

class BoardTextTest {
  @Test
  void boardShowsRanksFilesSideAndDice() {
    assertEquals(
        """
            a b c d e f g h
          +-----------------+
        8 | r . b q k b n r | 8
        7 | p p p p . p p p | 7
        6 | . . n . . . . . | 6
        5 | . . . . p . . . | 5
        4 | . . B . P . . . | 4
        3 | . . . . . N . . | 3
        2 | P P P P . P P P | 2
        1 | R N B Q K . . R | 1
          +-----------------+
            a b c d e f g h
        White to move, dice: N B P; castling: KQkq, en passant: -
        """,
        BoardText.draw(Fixtures.F10));
  }

  @Test
  void boardWithoutDiceSaysSo() {
    String text = BoardText.draw("8/8/8/8/8/8/8/8 b - a3 0 1");
    assertTrue(text.contains("Black to move, dice: none; castling: -, en passant: a3"), text);
  }
}
