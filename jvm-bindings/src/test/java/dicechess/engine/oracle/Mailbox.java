package dicechess.engine.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A position on a board of 64 letters, as the rules describe it. Slow and plain, to test the engine
 * against; shares no code with it. Never changed once it is made.
 */
public final class Mailbox {
  /** The piece of each die, from 1 on. */
  public static final String TYPES = "PNBRQK";

  static final char EMPTY = '.';
  private static final String RIGHTS = "KQkq";
  // The home square of the rook of each right.
  private static final int[] CORNERS = {7, 0, 63, 56};

  final char[] board;
  final boolean white;
  final String rights;
  final SortedSet<Integer> targets;
  final int halfMove;
  final int fullMove;
  final List<Integer> dice;

  /** The position of these parts, which the caller does not change afterwards. */
  Mailbox(
      char[] board,
      boolean white,
      String rights,
      SortedSet<Integer> targets,
      int halfMove,
      int fullMove,
      List<Integer> dice) {
    this.board = board;
    this.white = white;
    this.rights = rights;
    this.targets = targets;
    this.halfMove = halfMove;
    this.fullMove = fullMove;
    this.dice = List.copyOf(dice);
  }

  /** Reads a canonical DFEN. */
  public static Mailbox parse(String dfen) {
    String[] fields = dfen.split(" ");
    char[] board = new char[64];
    int square = 56;
    for (char letter : fields[0].toCharArray()) {
      if (letter == '/') {
        square -= 16;
      } else if (Character.isDigit(letter)) {
        for (int i = 0; i < letter - '0'; i++) {
          board[square++] = EMPTY;
        }
      } else {
        board[square++] = letter;
      }
    }
    SortedSet<Integer> targets = new TreeSet<>();
    for (int i = 0; i + 1 < fields[3].length(); i += 2) {
      targets.add(square(fields[3].substring(i, i + 2)));
    }
    List<Integer> dice = new ArrayList<>();
    if (fields.length > 6) {
      fields[6].toUpperCase().chars().forEach(letter -> dice.add(TYPES.indexOf(letter) + 1));
    }
    return new Mailbox(
        board,
        fields[1].equals("w"),
        fields[2].equals("-") ? "" : fields[2],
        targets,
        Integer.parseInt(fields[4]),
        Integer.parseInt(fields[5]),
        dice);
  }

  /** The canonical DFEN. */
  @Override
  public String toString() {
    String pool =
        dice.stream().sorted().map(die -> String.valueOf(own(die))).collect(Collectors.joining());
    return withoutDice() + (pool.isEmpty() ? "" : " " + pool);
  }

  /** The canonical DFEN with an empty pool. */
  public String withoutDice() {
    StringBuilder text = new StringBuilder();
    for (int rank = 7; rank >= 0; rank--) {
      int gap = 0;
      for (int file = 0; file < 8; file++) {
        char piece = board[8 * rank + file];
        if (piece == EMPTY) {
          gap++;
          continue;
        }
        text.append(gap == 0 ? "" : gap).append(piece);
        gap = 0;
      }
      text.append(gap == 0 ? "" : gap).append(rank == 0 ? "" : "/");
    }
    String passed = targets.stream().map(Mailbox::name).collect(Collectors.joining());
    return String.join(
        " ",
        text,
        white ? "w" : "b",
        rights.isEmpty() ? "-" : rights,
        passed.isEmpty() ? "-" : passed,
        "" + halfMove,
        "" + fullMove);
  }

  /** The faces in the pool, in its order. */
  public List<Integer> dice() {
    return dice;
  }

  /** 0 when White is to move, 1 when Black is. */
  public int mover() {
    return white ? 0 : 1;
  }

  /** The half-move clock. */
  public int halfMove() {
    return halfMove;
  }

  /** The same position with another pool. */
  public Mailbox withDice(List<Integer> faces) {
    return new Mailbox(board, white, rights, targets, halfMove, fullMove, faces);
  }

  /** The same position with this side to move. */
  Mailbox withMover(boolean whiteMoves) {
    return new Mailbox(board, whiteMoves, rights, targets, halfMove, fullMove, dice);
  }

  /** The position after the turn has ended. */
  public Mailbox endTurn() {
    SortedSet<Integer> kept = new TreeSet<>(targets);
    kept.removeIf(target -> target / 8 == (white ? 5 : 2));
    int next = white || fullMove == Integer.MAX_VALUE ? fullMove : fullMove + 1;
    return new Mailbox(board, !white, rights, kept, halfMove, next, List.of());
  }

  /** The position after a micro-move, its dice spent. */
  Mailbox play(MicroMove move) {
    int from = move.from();
    int to = move.to();
    int behind = white ? -8 : 8;
    char[] after = board.clone();
    char piece = board[from];
    char captured = board[to];
    boolean pawn = type(piece) == 'P';
    SortedSet<Integer> passed = new TreeSet<>(targets);
    passed.remove(to);
    after[from] = EMPTY;
    after[to] = move.promotion() == 0 ? piece : own(move.promotion());
    if (pawn && from % 8 != to % 8 && captured == EMPTY) {
      captured = board[to + behind];
      after[to + behind] = EMPTY;
    } else if (type(captured) == 'P') {
      passed.remove(to - behind);
    }
    if (pawn && from / 8 == (white ? 3 : 4)) {
      passed.remove(from + behind);
    }
    if (pawn && Math.abs(to - from) == 16) {
      passed.add(to + behind);
    }
    if (move.castling()) {
      boolean kingSide = to > from;
      after[kingSide ? to + 1 : to - 2] = EMPTY;
      after[kingSide ? to - 1 : to + 1] = own('R');
    }
    List<Integer> rest = new ArrayList<>(dice);
    rest.remove((Integer) (TYPES.indexOf(type(piece)) + 1));
    if (move.castling()) {
      rest.remove((Integer) (TYPES.indexOf('R') + 1));
    }
    int clock = pawn || captured != EMPTY ? 0 : Math.min(halfMove + 1, 127);
    return new Mailbox(after, white, rightsAfter(move, captured), passed, clock, fullMove, rest);
  }

  private String rightsAfter(MicroMove move, char captured) {
    StringBuilder kept = new StringBuilder();
    for (char right : rights.toCharArray()) {
      boolean whites = Character.isUpperCase(right);
      int corner = CORNERS[RIGHTS.indexOf(right)];
      char king = whites ? 'K' : 'k';
      char rook = whites ? 'R' : 'r';
      boolean rookGone =
          move.from() == corner && board[corner] == rook || move.to() == corner && captured == rook;
      if (board[move.from()] != king && captured != king && !rookGone) {
        kept.append(right);
      }
    }
    return kept.toString();
  }

  /** Whether a side has a king. */
  public boolean hasKing(int color) {
    return new String(board).indexOf(color == 0 ? 'K' : 'k') >= 0;
  }

  /** 0 or 1 for the only side with a king, else −1. */
  public int winner() {
    return hasKing(0) == hasKing(1) ? -1 : hasKing(0) ? 0 : 1;
  }

  /** Whether a king is missing. */
  public boolean isGameOver() {
    return !hasKing(0) || !hasKing(1);
  }

  /** The mover's piece of a type, given as a letter of either case. */
  char own(char type) {
    return white ? Character.toUpperCase(type) : Character.toLowerCase(type);
  }

  char own(int die) {
    return own(TYPES.charAt(die - 1));
  }

  boolean isOwn(int square) {
    return isOf(square, white);
  }

  boolean isEnemy(int square) {
    return isOf(square, !white);
  }

  boolean isOf(int square, boolean ofWhite) {
    char piece = board[square];
    return piece != EMPTY && Character.isUpperCase(piece) == ofWhite;
  }

  static char type(char piece) {
    return Character.toUpperCase(piece);
  }

  static String name(int square) {
    return "" + (char) ('a' + square % 8) + (char) ('1' + square / 8);
  }

  static int square(String name) {
    return name.charAt(0) - 'a' + 8 * (name.charAt(1) - '1');
  }
}
