package dicechess.engine.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The micro-moves of a position, in canonical order. */
final class Moves {
  private static final int[][] KNIGHT = {
    {1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}
  };
  private static final int[][] DIAGONAL = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
  private static final int[][] STRAIGHT = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};
  private static final String PROMOTIONS = "qrbn";

  private Moves() {}

  /** The moves of one type of piece, with castling among the king's if {@code rookDie}. */
  static List<MicroMove> of(Mailbox state, char type, boolean rookDie) {
    List<MicroMove> moves = new ArrayList<>();
    for (int from = 0; from < 64; from++) {
      if (state.board[from] != state.own(type)) {
        continue;
      }
      if (type == 'P') {
        pawn(state, from, moves);
      } else {
        for (int to : reached(state, from)) {
          if (!state.isOwn(to)) {
            moves.add(MicroMove.plain(from, to));
          }
        }
      }
    }
    if (type == 'K' && rookDie) {
      castle(state, true, moves);
      castle(state, false, moves);
    }
    return moves;
  }

  private static void pawn(Mailbox state, int from, List<MicroMove> moves) {
    int ahead = state.white ? 8 : -8;
    int one = from + ahead;
    if (one < 0 || one > 63) {
      return;
    }
    if (state.board[one] == Mailbox.EMPTY) {
      step(state, from, one, moves);
      if (from / 8 == (state.white ? 1 : 6) && state.board[one + ahead] == Mailbox.EMPTY) {
        moves.add(MicroMove.plain(from, one + ahead));
      }
    }
    for (int side : new int[] {1, -1}) {
      if (onBoard(from % 8 + side, 0) && state.isEnemy(one + side)) {
        step(state, from, one + side, moves);
      }
    }
    for (int target : state.targets) {
      boolean attacked = target / 8 == one / 8 && Math.abs(target % 8 - from % 8) == 1;
      if (attacked
          && target / 8 == (state.white ? 5 : 2)
          && state.board[target] == Mailbox.EMPTY
          && state.board[target - ahead] == (state.white ? 'p' : 'P')) {
        moves.add(MicroMove.plain(from, target));
      }
    }
  }

  private static void step(Mailbox state, int from, int to, List<MicroMove> moves) {
    boolean last = to / 8 == (state.white ? 7 : 0);
    if (last && Mailbox.type(state.board[to]) != 'K') {
      for (char promotion : PROMOTIONS.toCharArray()) {
        moves.add(new MicroMove(from, to, promotion, false));
      }
    } else {
      moves.add(MicroMove.plain(from, to));
    }
  }

  private static void castle(Mailbox state, boolean kingSide, List<MicroMove> moves) {
    int home = state.white ? 0 : 56;
    int king = home + 4;
    int rook = home + (kingSide ? 7 : 0);
    boolean free = true;
    for (int square = Math.min(king, rook) + 1; square < Math.max(king, rook); square++) {
      free &= state.board[square] == Mailbox.EMPTY;
    }
    if (free
        && state.rights.indexOf(state.own(kingSide ? 'K' : 'Q')) >= 0
        && state.board[king] == state.own('K')
        && state.board[rook] == state.own('R')) {
      moves.add(new MicroMove(king, king + (kingSide ? 2 : -2), (char) 0, true));
    }
  }

  /** The squares that a piece reaches, own pieces included; for a pawn, those it attacks. */
  static Iterable<Integer> reached(Mailbox state, int from) {
    TreeSet<Integer> squares = new TreeSet<>();
    char piece = state.board[from];
    switch (Mailbox.type(piece)) {
      case 'P' -> {
        int up = piece == 'P' ? 1 : -1;
        rays(state, from, new int[][] {{1, up}, {-1, up}}, 1, squares);
      }
      case 'N' -> rays(state, from, KNIGHT, 1, squares);
      case 'B' -> rays(state, from, DIAGONAL, 7, squares);
      case 'R' -> rays(state, from, STRAIGHT, 7, squares);
      case 'Q', 'K' -> {
        int length = Mailbox.type(piece) == 'K' ? 1 : 7;
        rays(state, from, DIAGONAL, length, squares);
        rays(state, from, STRAIGHT, length, squares);
      }
      default -> throw new AssertionError("no piece on " + from);
    }
    return squares;
  }

  private static void rays(
      Mailbox state, int from, int[][] directions, int length, TreeSet<Integer> squares) {
    for (int[] direction : directions) {
      int file = from % 8;
      int rank = from / 8;
      for (int i = 0; i < length; i++) {
        file += direction[0];
        rank += direction[1];
        if (!onBoard(file, rank)) {
          break;
        }
        squares.add(8 * rank + file);
        if (state.board[8 * rank + file] != Mailbox.EMPTY) {
          break;
        }
      }
    }
  }

  private static boolean onBoard(int file, int rank) {
    return file >= 0 && file < 8 && rank >= 0 && rank < 8;
  }
}
