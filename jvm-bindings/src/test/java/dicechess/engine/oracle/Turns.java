package dicechess.engine.oracle;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The legal turns of a position with its dice, found by trying every sequence.
 *
 * @param captures the turns that capture the king, in canonical order
 * @param quiet the others, in canonical order
 */
public record Turns(List<Turn> captures, List<Turn> quiet) {
  /**
   * A legal turn.
   *
   * @param uci its micro-moves
   * @param after the position after it, before its end
   */
  public record Turn(List<String> uci, Mailbox after) {}

  /** Finds them. */
  public static Turns of(Mailbox state) {
    List<Turn> captures = new ArrayList<>();
    List<Turn> ended = new ArrayList<>();
    extend(state, List.of(), captures, ended);
    // Dice that are left, not moves made: castling spends two.
    int least = ended.stream().mapToInt(turn -> turn.after.dice.size()).min().orElse(0);
    return new Turns(
        captures, ended.stream().filter(turn -> turn.after.dice.size() == least).toList());
  }

  private static void extend(
      Mailbox state, List<String> played, List<Turn> captures, List<Turn> ended) {
    boolean extended = false;
    for (int die : new LinkedHashSet<>(state.dice)) {
      boolean rookDie = state.dice.contains(Mailbox.TYPES.indexOf('R') + 1);
      for (MicroMove move : Moves.of(state, Mailbox.TYPES.charAt(die - 1), rookDie)) {
        extended = true;
        List<String> moves = new ArrayList<>(played);
        moves.add(move.uci());
        Mailbox after = state.play(move);
        if (Mailbox.type(state.board[move.to()]) == 'K') {
          captures.add(new Turn(moves, after));
        } else {
          extend(after, moves, captures, ended);
        }
      }
    }
    if (!extended && !played.isEmpty()) {
      ended.add(new Turn(played, state));
    }
  }

  /** All of them, in canonical order. */
  public List<Turn> all() {
    return Stream.concat(captures.stream(), quiet.stream()).toList();
  }

  /** The distinct positions after the quiet turns and the end of the turn, by their DFEN. */
  public Map<String, Mailbox> finals() {
    Map<String, Mailbox> finals = new LinkedHashMap<>();
    for (Turn turn : quiet) {
      Mailbox after = turn.after.endTurn();
      finals.putIfAbsent(after.toString(), after);
    }
    return finals;
  }
}
