package dicechess.engine.search;

import java.util.List;

/**
 * A turn, and what is known of the mover's win probability after it.
 *
 * @param uci the first of the legal turns that lead to its position, unmodifiable
 * @param bracket bounds of the probability
 */
public record BracketedTurn(List<String> uci, Bracket bracket) {
  /**
   * Makes a turn.
   *
   * @param uci micro-moves, copied
   * @param bracket bounds of the probability
   */
  public BracketedTurn {
    uci = List.copyOf(uci);
  }
}
