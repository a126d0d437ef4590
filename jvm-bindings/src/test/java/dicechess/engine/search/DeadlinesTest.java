package dicechess.engine.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeadlinesTest {
  private static final String MAX = "9223372036854775807";
  private static final String MIN = "-9223372036854775808";

  @ParameterizedTest
  @CsvSource({
    "5, 3, 2",
    "3, 3, 0",
    "2, 3, 0",
    MIN + ", " + MAX + ", 0",
    MAX + ", -7, " + MAX,
    "9223372036854775806, " + MIN + ", " + MAX,
  })
  void remainingIsNoneNothingOrTheSaturatingDifference(long deadline, long now, long left) {
    assertEquals(left, Deadlines.remaining(deadline, now));
  }

  @ParameterizedTest
  @CsvSource({
    "2, 3, 5",
    "0, -3, -3",
    MAX + ", -7, " + MAX,
    MAX + ", 7, " + MAX,
    "9223372036854775806, 7, " + MAX,
    "9223372036854775806, " + MIN + ", -2",
  })
  void afterIsTheSaturatingSum(long left, long now, long deadline) {
    assertEquals(deadline, Deadlines.after(left, now));
  }
}
