package dicechess.engine.search;

import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a call is refused with: the documented exception, and the message that says why. */
record Refusal(Class<? extends RuntimeException> type, String message) {
  static final Refusal CLOSED = new Refusal(IllegalStateException.class, "the search is closed");

  static @Nullable Refusal illegalIf(boolean wrong, String message) {
    return wrong ? new Refusal(IllegalArgumentException.class, message) : null;
  }

  /** The first of several, in the order in which the library looks at them. */
  static @Nullable Refusal first(@Nullable Refusal... refusals) {
    return Arrays.stream(refusals).filter(Objects::nonNull).findFirst().orElse(null);
  }

  /** The answer that there must be unless it is refused, as is known after the call. */
  static <T> Optional<T> ask(Supplier<@Nullable Refusal> expected, Supplier<T> call) {
    Refusal found = null;
    RuntimeException thrown = null;
    Optional<T> answer = Optional.empty();
    try {
      answer = Optional.of(call.get());
    } catch (RuntimeException e) {
      thrown = e;
      found = new Refusal(e.getClass(), e.getMessage());
    }
    Refusal refusal = expected.get();
    if (!Objects.equals(refusal, found)) {
      throw new AssertionError("expected " + refusal + ", found " + found, thrown);
    }
    return answer;
  }

  static <T> Optional<T> ask(@Nullable Refusal expected, Supplier<T> call) {
    return ask(() -> expected, call);
  }

  static @Nullable Refusal sharedBudget(int threads) {
    return illegalIf(threads > 1, "a search on " + threads + " threads cannot have a work budget");
  }

  private static @Nullable Refusal withoutKing(GameState state) {
    String dfen = state.toString();
    String board = dfen.substring(0, dfen.indexOf(' '));
    String rest = " has no king: there is no game to search";
    return first(
        illegalIf(board.indexOf('K') < 0, "White" + rest),
        illegalIf(board.indexOf('k') < 0, "Black" + rest));
  }

  /** Why a position cannot be searched. */
  static @Nullable Refusal notARoot(GameState state) {
    return first(
        withoutKing(state),
        illegalIf(
            JvmApi.dicePool(state).isEmpty(),
            "the dice pool is empty: a root position needs its roll"));
  }

  /** Why a position is none before a roll. */
  static @Nullable Refusal notBeforeRoll(GameState state) {
    List<Integer> dice = JvmApi.dicePool(state);
    String letters =
        dice.stream().map(die -> "PNBRQK".substring(die - 1, die)).collect(Collectors.joining());
    return first(
        illegalIf(!dice.isEmpty(), "the dice pool of a chance node must be empty, not " + letters),
        withoutKing(state));
  }
}
