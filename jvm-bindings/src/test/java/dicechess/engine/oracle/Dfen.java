package dicechess.engine.oracle;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Which texts are a DFEN, and what they say, from the description of the notation alone. */
public final class Dfen {
  private static final String SQUARES = "([a-h][1-8])+";

  private Dfen() {}

  /** The position that a text describes, if it is a DFEN. */
  public static Optional<Mailbox> read(String text) {
    if (text.length() > 512 || text.chars().anyMatch(letter -> letter > 127)) {
      return Optional.empty();
    }
    // White space as ASCII has it: tab, line feed, vertical tab, form feed, carriage return, space.
    String[] fields = text.replaceAll("^[\t-\r ]+|[\t-\r ]+$", "").split(" ", -1);
    if (fields.length < 4 || fields.length > 7) {
      return Optional.empty();
    }
    String halfMove = fields.length > 4 ? fields[4] : "0";
    String fullMove = fields.length > 5 ? fields[5] : "1";
    String dice = fields.length > 6 ? fields[6] : "-";
    boolean valid =
        isPlacement(fields[0])
            && fields[1].matches("[wb]")
            && (fields[2].equals("-") || fields[2].matches("[KQkq]+") && areDistinct(fields[2], 1))
            && (fields[3].equals("-") || fields[3].matches(SQUARES) && areDistinct(fields[3], 2))
            && isNumber(halfMove, 0, 127)
            && isNumber(fullMove, 1, Integer.MAX_VALUE)
            && (dice.equals("-") || dice.matches("[PNBRQKpnbrqk]{1,3}"));
    if (!valid) {
      return Optional.empty();
    }
    String rights =
        "KQkq"
            .chars()
            .filter(right -> fields[2].indexOf(right) >= 0)
            .mapToObj(right -> String.valueOf((char) right))
            .collect(Collectors.joining());
    List<Integer> pool =
        dice.toUpperCase()
            .chars()
            .filter(letter -> letter != '-')
            .map(letter -> Mailbox.TYPES.indexOf(letter) + 1)
            .sorted()
            .boxed()
            .toList();
    String plain =
        String.join(" ", fields[0], fields[1], rights.isEmpty() ? "-" : rights, fields[3], "0 1");
    Mailbox board = Mailbox.parse(plain);
    return Optional.of(
        new Mailbox(
            board.board,
            board.white,
            board.rights,
            board.targets,
            Integer.parseInt(halfMove),
            Integer.parseInt(fullMove),
            pool));
  }

  private static boolean isPlacement(String text) {
    String[] ranks = text.split("/", -1);
    return ranks.length == 8 && Arrays.stream(ranks).allMatch(Dfen::isRank);
  }

  private static boolean isRank(String text) {
    return text.matches("[PNBRQKpnbrqk1-8]+")
        && text.chars().map(letter -> letter <= '8' ? letter - '0' : 1).sum() == 8;
  }

  /** Whether no piece of this length occurs twice. */
  private static boolean areDistinct(String text, int length) {
    List<String> pieces = List.of(text.split("(?<=\\G.{" + length + "})"));
    return pieces.stream().distinct().count() == pieces.size();
  }

  private static boolean isNumber(String text, int least, int greatest) {
    if (!text.matches("[0-9]+")) {
      return false;
    }
    String digits = text.replaceFirst("^0+(?=.)", "");
    return digits.length() <= 10
        && Long.parseLong(digits) >= least
        && Long.parseLong(digits) <= greatest;
  }
}
