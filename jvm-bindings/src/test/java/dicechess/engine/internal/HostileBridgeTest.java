package dicechess.engine.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.ChildJvm;
import dicechess.engine.Fixtures;
import dicechess.engine.domain.GameState;
import dicechess.engine.search.NativeSearch;
import dicechess.engine.search.SearchLimits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The native functions take anything that Java can pass: the answer is an exception, never a crash.
 */
class HostileBridgeTest {
  private static final BatchUpcall UPCALL =
      new BatchUpcall((positions, count, perspective, scores) -> {});

  @AfterEach
  void theNextSearchWorks() {
    assertTrue(NativeSearch.findBestMove(Fixtures.F10, SearchLimits.defaults()).best().isPresent());
  }

  private static long[] words() {
    long[] words = new long[NativeBridge.STATE_WORDS];
    NativeBridge.parse(Fixtures.F10.getBytes(StandardCharsets.UTF_8), words);
    return words;
  }

  static Stream<Method> functions() {
    NativeBridge.requireLoaded();
    return Arrays.stream(NativeBridge.class.getMethods())
        .filter(method -> Modifier.isNative(method.getModifiers()))
        .filter(method -> Modifier.isStatic(method.getModifiers()));
  }

  /** Values of a type, from harmless to hostile. */
  private static Object[] values(Class<?> type) {
    if (type == long[].class) {
      long[] filled = new long[10];
      Arrays.fill(filled, -1);
      return new Object[] {words(), null, new long[0], new long[1], new long[5], filled};
    } else if (type == byte[].class) {
      byte[] dfen = Fixtures.F10.getBytes(StandardCharsets.UTF_8);
      return new Object[] {
        dfen, null, new byte[0], new byte[] {-1, 0, (byte) 0xc0}, new byte[1 << 20]
      };
    } else if (type == long.class) {
      return new Object[] {0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE - 1};
    } else if (type == int.class) {
      return new Object[] {0, 2, 7, -1, Integer.MIN_VALUE, Integer.MAX_VALUE};
    } else if (type == boolean.class) {
      return new Object[] {true, false};
    } else if (type == ByteBuffer.class) {
      return new Object[] {
        null, ByteBuffer.allocate(4), ByteBuffer.allocateDirect(0), ByteBuffer.allocateDirect(1)
      };
    } else if (type == LongSupplier.class) {
      return new Object[] {null, (LongSupplier) () -> 1};
    } else if (type == BatchUpcall.class) {
      return new Object[] {null, UPCALL};
    }
    return new Object[] {SearchLimits.defaults(), null};
  }

  /** Each argument takes each of its values while the others keep their first. */
  @ParameterizedTest
  @MethodSource("functions")
  void wrongArgumentsAreExceptions(Method function) throws Exception {
    long search = NativeBridge.createSearch(new long[] {8, 0, 2, 0, 0, -1, 0, 0, 0, 0, 1});
    Class<?>[] types = function.getParameterTypes();
    for (int i = 0; i < types.length; i++) {
      for (Object value : values(types[i])) {
        Object[] arguments = Arrays.stream(types).map(type -> values(type)[0]).toArray();
        if (types[0] == long.class && !function.getName().equals("closeSearch")) {
          arguments[0] = search;
        }
        arguments[i] = value;
        call(function, arguments);
      }
    }
    NativeBridge.closeSearch(search);
  }

  private static void call(Method function, Object[] arguments) throws IllegalAccessException {
    try {
      function.invoke(null, arguments);
    } catch (InvocationTargetException e) {
      assertTrue(e.getCause() instanceof RuntimeException, () -> function + ": " + e.getCause());
    }
  }

  @Test
  void textOfAnErrorComesBackIntact() {
    for (String text : new String[] {"\uD83C\uDFB2", "\u00e9\u4e2d", "x\uD83D\uDE00y"}) {
      String dfen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 " + text;
      var refused = assertThrows(IllegalArgumentException.class, () -> GameState.parse(dfen));
      assertTrue(refused.getMessage().contains(text), refused.getMessage());
    }
  }

  @Test
  void searchThatIsNotThereIsRefused() {
    for (long number : new long[] {0, -1, Long.MAX_VALUE}) {
      var refused =
          assertThrows(IllegalStateException.class, () -> NativeBridge.clearTable(number));
      assertEquals("the search is closed", refused.getMessage());
      NativeBridge.closeSearch(number);
    }
  }

  @Test
  void emptyCancelFlagIsRefused() {
    long search = NativeBridge.createSearch(new long[] {8, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1});
    long[] control = {-1, 0, 0, Long.MAX_VALUE, 0};
    ByteBuffer empty = ByteBuffer.allocateDirect(4).position(4).slice();
    var refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                NativeBridge.findBestMove(
                    search, words(), 0, false, control, empty, null, null, null, null));
    assertEquals("the cancel flag is empty", refused.getMessage());
    NativeBridge.closeSearch(search);
  }

  @Test
  void configurationThatIsNoneIsRefused() {
    long[] valid = {8, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1};
    for (int i = 0; i < valid.length; i++) {
      for (long value : new long[] {Long.MIN_VALUE, -9, 99, 1L << 40, Long.MAX_VALUE}) {
        long[] config = valid.clone();
        config[i] = value;
        try {
          NativeBridge.closeSearch(NativeBridge.createSearch(config));
        } catch (IllegalArgumentException e) {
          assertTrue(e.getMessage().length() > 10, e.getMessage());
        }
      }
    }
  }

  @Test
  void numbersThatNameNothingAreNamed() {
    refused("no bot has number 7", () -> NativeBridge.bestTurn(words(), 7, 1, 0));
    refused("no evaluator has number -1", () -> NativeBridge.evaluate(words(), -1, 0));
    refused(
        "tableCapacity must not be negative: -5",
        () -> NativeBridge.createSearch(new long[] {8, 0, 2, 0, 0, 0, 0, 0, 0, -5, 1}));
    long search = NativeBridge.createSearch(new long[] {8, 0, 2, 0, 0, -1, 0, 0, 0, 0, 1});
    long[] control = {-1, 0, 0, Long.MAX_VALUE, 0};
    refused(
        "the host's evaluator is missing",
        () ->
            NativeBridge.findBestMove(
                search, words(), 0, false, control, null, null, null, null, null));
    NativeBridge.closeSearch(search);
  }

  private static void refused(String message, Executable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
  }

  /** Positions with some bits flipped: refused, or as good as any other. */
  @Test
  void wordsAreAPositionOrAreRefused() {
    Random random = new Random(1);
    int taken = 0;
    for (int i = 0; i < 20_000; i++) {
      long[] words = words();
      for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
        words[random.nextInt(words.length)] ^= 1L << random.nextInt(64);
      }
      try {
        String dfen = new String(NativeBridge.format(words), StandardCharsets.US_ASCII);
        assertEquals(dfen, GameState.parse(dfen).toString());
        taken++;
        ask(words);
      } catch (IllegalArgumentException e) {
        assertEquals("the words are no position", e.getMessage());
      }
    }
    assertTrue(taken > 1000 && taken < 19_000, taken + " were taken");
  }

  private static void ask(long[] words) {
    NativeBridge.evaluate(words, 2, 0);
    NativeBridge.features(words, 1, true);
    NativeBridge.kingCaptureRolls(words, 1, new long[] {500, 0, 0});
    NativeBridge.kingCapturePath(words, new long[] {500, 0, 0});
    NativeBridge.endTurn(words.clone());
  }

  @Test
  void serialisedStateThatIsNoPositionIsRefused() throws Exception {
    byte[] serialised = serialise(GameState.parse(Fixtures.F10));
    int refused = 0;
    for (int bit = 0; bit < 8 * Long.BYTES * NativeBridge.STATE_WORDS; bit++) {
      byte[] doctored = serialised.clone();
      doctored[serialised.length - 1 - bit / 8] ^= (byte) (1 << bit % 8);
      try (var in = new ObjectInputStream(new ByteArrayInputStream(doctored))) {
        GameState state = (GameState) in.readObject();
        assertEquals(state.toString(), GameState.parse(state.toString()).toString());
      } catch (InvalidObjectException e) {
        assertEquals("the words are no position", e.getMessage());
        refused++;
      }
    }
    assertTrue(refused > 50, refused + " were refused");
  }

  private static byte[] serialise(GameState state) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(state);
    }
    return bytes.toByteArray();
  }

  @Test
  void moreTurnsThanMemoryHoldsAreAnOutOfMemoryError() throws Exception {
    assertEquals(new ChildJvm.Run(0, ""), ChildJvm.run(TooManyTurns.class, List.of("-Xmx64m")));
  }

  /** Lists the turns of a board full of queens in a small heap. */
  static final class TooManyTurns {
    public static void main(String[] args) {
      String queens = "QQQQQQQQ/7Q/7Q/k6Q/7Q/7Q/7Q/K6Q w - - 0 1 QQQ";
      long[] words = new long[NativeBridge.STATE_WORDS];
      NativeBridge.requireLoaded();
      NativeBridge.parse(queens.getBytes(StandardCharsets.UTF_8), words);
      assertThrows(OutOfMemoryError.class, () -> NativeBridge.legalTurns(words));
      assertTrue(NativeBridge.legalTurns(words()).length > 0);
    }
  }
}
