package dicechess.engine.oracle;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;

/** What positions are worth: evaluators, features, chance nodes. */
public final class Values {
  /** The value of a lost king. */
  public static final double LOSS = -1e9;

  /** The value of a captured king. */
  public static final double WIN = 10_001;

  private static final int[] CENTIPAWNS = {100, 300, 300, 500, 900, 10_000};
  private static final int[] POINTS = {1, 3, 3, 5, 9};
  private static final int ATTACKED_KING = -2000;

  private Values() {}

  /** A class of rolls that do the same: its dice, and how many of the 216 rolls it holds. */
  public record RollClass(List<Integer> dice, int weight) {}

  private static int count(Mailbox state, char piece) {
    return (int) new String(state.board).chars().filter(other -> other == piece).count();
  }

  /** Own pieces less enemy pieces of a type, 0 the pawn. */
  private static int surplus(Mailbox state, int type, int color) {
    char white = Mailbox.TYPES.charAt(type);
    int difference = count(state, white) - count(state, Character.toLowerCase(white));
    return color == 0 ? difference : -difference;
  }

  /** Material in centipawns. */
  public static int material(Mailbox state, int color) {
    int sum = 0;
    for (int type = 0; type < 6; type++) {
      sum += CENTIPAWNS[type] * surplus(state, type, color);
    }
    return sum;
  }

  /** −2000 if a king of the colour is attacked, else 0. */
  private static int kingSafety(Mailbox state, int color) {
    for (int from = 0; from < 64; from++) {
      if (state.isOf(from, color != 0)) {
        for (int to : Moves.reached(state, from)) {
          if (state.board[to] == (color == 0 ? 'K' : 'k')) {
            return ATTACKED_KING;
          }
        }
      }
    }
    return 0;
  }

  /** Material, less 2000 if an own king is attacked. */
  public static int standard(Mailbox state, int color) {
    return material(state, color) + kingSafety(state, color);
  }

  /** The nine features, of which the first seven are the small set. */
  public static float[] features(Mailbox state, int color) {
    float[] features = new float[9];
    for (int type = 0; type < POINTS.length; type++) {
      char white = Mailbox.TYPES.charAt(type);
      int both = count(state, white) + count(state, Character.toLowerCase(white));
      features[type] = surplus(state, type, color);
      features[5] += POINTS[type] * features[type];
      features[6] += POINTS[type] * both;
    }
    features[7] = mobility(state, color) - mobility(state, 1 - color);
    features[8] = kingSafety(state, color) - kingSafety(state, 1 - color);
    return features;
  }

  private static int mobility(Mailbox state, int color) {
    Mailbox mover = state.withMover(color == 0);
    int moves = 0;
    for (char type : Mailbox.TYPES.toCharArray()) {
      moves += Moves.of(mover, type, true).size();
    }
    return moves;
  }

  /** The classes of rolls of the side to move, heaviest first. */
  public static List<RollClass> classes(Mailbox state) {
    Map<List<Integer>, Integer> weights = new LinkedHashMap<>();
    for (int roll = 0; roll < 216; roll++) {
      List<Integer> dice = new ArrayList<>(List.of(roll / 36 + 1, roll / 6 % 6 + 1, roll % 6 + 1));
      dice.sort(null);
      List<Integer> all = List.copyOf(dice);
      dice.removeIf(die -> !isRetained(state, die, all));
      weights.merge(List.copyOf(dice), 1, Integer::sum);
    }
    List<RollClass> classes = new ArrayList<>();
    weights.forEach((dice, weight) -> classes.add(new RollClass(dice, weight)));
    classes.sort(
        (a, b) -> {
          int byWeight = b.weight - a.weight;
          int bySize = a.dice.size() - b.dice.size();
          return byWeight != 0
              ? byWeight
              : bySize != 0 ? bySize : a.dice.toString().compareTo(b.dice.toString());
        });
    return classes;
  }

  /** Whether the side has such a piece, or can get one by promotion with a die left for it. */
  private static boolean isRetained(Mailbox state, int die, List<Integer> roll) {
    if (count(state, state.own(die)) > 0) {
      return true;
    }
    if (die == 1 || die == 6) {
      return false;
    }
    int pawnDice = (int) roll.stream().filter(other -> other == 1).count();
    for (int square = 0; square < 64; square++) {
      int steps = state.white ? 7 - square / 8 : square / 8;
      if (state.board[square] == state.own('P') && steps >= 1 && steps <= pawnDice) {
        return true;
      }
    }
    return false;
  }

  /**
   * The value of a chance node, one turn deep.
   *
   * @param state before the roll
   * @param color whose value
   * @param leaf the value of a position after the reply and the end of its turn
   */
  public static double chance(Mailbox state, int color, ToDoubleBiFunction<Mailbox, Integer> leaf) {
    double sum = 0;
    for (RollClass rolls : classes(state)) {
      sum += rolls.weight * reply(state.withDice(rolls.dice), color, leaf);
    }
    return sum / 216;
  }

  private static double reply(
      Mailbox rolled, int color, ToDoubleBiFunction<Mailbox, Integer> leaf) {
    boolean maximizes = rolled.mover() == color;
    Turns turns = Turns.of(rolled);
    if (!turns.captures().isEmpty()) {
      return maximizes ? WIN : LOSS;
    }
    if (turns.quiet().isEmpty()) {
      return leaf.applyAsDouble(rolled.endTurn(), color);
    }
    return turns.finals().values().stream()
        .mapToDouble(after -> leaf.applyAsDouble(after, color))
        .reduce(maximizes ? Math::max : Math::min)
        .orElseThrow();
  }
}
