package dicechess.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dicechess.engine.domain.GameState;
import dicechess.engine.jvmapi.JvmApi;
import dicechess.engine.search.BatchEvaluator;
import dicechess.engine.search.Bracket;
import dicechess.engine.search.Budget;
import dicechess.engine.search.Evaluator;
import dicechess.engine.search.ExpectimaxConfig;
import dicechess.engine.search.ExpectimaxSearch;
import dicechess.engine.search.LeafEvaluator;
import dicechess.engine.search.ProofStats;
import dicechess.engine.search.ProofVerdict;
import dicechess.engine.search.Replay;
import dicechess.engine.search.RootRescore;
import dicechess.engine.search.RootSearchStats;
import dicechess.engine.search.RulesOutcome;
import dicechess.engine.search.ScoreSource;
import dicechess.engine.search.SearchControl;
import dicechess.engine.search.SearchLimits;
import dicechess.engine.search.SearchOutcome;
import dicechess.engine.search.SearchResult;
import dicechess.engine.search.UtilityBounds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every public method and constructor of every exported class, called with null for each reference
 * in turn and with extreme numbers. Methods refuse with {@link IllegalArgumentException} or take
 * it; constructors of records that the engine fills in may refuse with a {@link
 * NullPointerException}.
 */
class NullArgumentsTest {
  private static final Path CLASSES = Path.of(System.getProperty("basedir", ""), "target/classes");
  private static final BatchEvaluator ZERO =
      (positions, count, perspective, scores) -> {
        for (int i = 0; i < count; i++) {
          scores.put(i, 0);
        }
      };

  /** An argument of each type that does no harm. */
  private static final Map<Class<?>, Object> HARMLESS =
      Map.ofEntries(
          Map.entry(GameState.class, GameState.parse(Fixtures.F7)),
          Map.entry(String.class, Fixtures.F7),
          Map.entry(List.class, List.of()),
          Map.entry(Optional.class, Optional.empty()),
          Map.entry(Object.class, "text"),
          Map.entry(Duration.class, Duration.ofSeconds(1)),
          Map.entry(LongSupplier.class, (LongSupplier) () -> 0),
          Map.entry(DoubleUnaryOperator.class, DoubleUnaryOperator.identity()),
          Map.entry(RulesOutcome.class, new RulesOutcome.Incomplete<>(0)),
          Map.entry(BatchEvaluator.class, ZERO),
          Map.entry(BatchEvaluator[].class, new BatchEvaluator[0]),
          Map.entry(Evaluator.class, LeafEvaluator.MATERIAL),
          Map.entry(LeafEvaluator.class, LeafEvaluator.MATERIAL),
          Map.entry(Bracket.class, new Bracket(0, 1, 0)),
          Map.entry(Budget.class, new Budget(1000)),
          Map.entry(ExpectimaxConfig.class, ExpectimaxConfig.defaults()),
          Map.entry(
              ExpectimaxSearch.class, ExpectimaxSearch.builder(LeafEvaluator.MATERIAL).build()),
          Map.entry(
              ExpectimaxSearch.Builder.class, ExpectimaxSearch.builder(LeafEvaluator.MATERIAL)),
          Map.entry(ProofStats.class, new ProofStats(0, 0, 0, 0, 0, 0)),
          Map.entry(ProofVerdict.class, ProofVerdict.PROVEN),
          Map.entry(RootRescore.class, new RootRescore(LeafEvaluator.MATERIAL, 0.5)),
          Map.entry(RootSearchStats.class, RootSearchStats.ZERO),
          Map.entry(ScoreSource.class, ScoreSource.SEARCH),
          Map.entry(SearchControl.class, SearchControl.unbounded()),
          Map.entry(SearchLimits.class, SearchLimits.defaults()),
          Map.entry(SearchOutcome.class, new SearchOutcome.Incomplete(0)),
          Map.entry(SearchResult.class, new SearchResult(Optional.empty(), RootSearchStats.ZERO)),
          Map.entry(UtilityBounds.class, UtilityBounds.expectimax(0)));

  private static final List<Class<?>> EXPORTED = exportedClasses();

  /** Bots are named by a text that is no DFEN, and a replay line is one of its own. */
  private static Object harmless(Executable executable, int index) {
    Class<?> type = executable.getParameterTypes()[index];
    if (type == String.class && executable.getName().equals("bestTurn")) {
      return "greedy";
    } else if (type == String.class && executable.getName().equals("run")) {
      return Replay.line(Fixtures.F7, SearchLimits.defaults());
    } else if (type == String.class && executable.getName().equals("valueOf")) {
      return executable.getDeclaringClass().getEnumConstants()[0].toString();
    } else if (type.isPrimitive()) {
      return number(type, 1);
    }
    Object value = HARMLESS.get(type);
    return value != null ? value : fail("no argument of " + type + " for " + executable);
  }

  private static Object number(Class<?> type, long value) {
    if (type == int.class) {
      return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, value));
    } else if (type == long.class) {
      return value;
    } else if (type == double.class) {
      return (double) value;
    } else if (type == boolean.class) {
      return value == 1;
    }
    return fail("no number of " + type);
  }

  private static List<Class<?>> exportedClasses() {
    try (var descriptor = Files.newInputStream(CLASSES.resolve("module-info.class"))) {
      List<Class<?>> classes = new ArrayList<>();
      for (var exported : ModuleDescriptor.read(descriptor).exports()) {
        Path folder = CLASSES.resolve(exported.source().replace('.', '/'));
        try (Stream<Path> files = Files.list(folder)) {
          for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
            String name = file.getFileName().toString().replace(".class", "");
            if (!name.equals("package-info")) {
              classes.add(Class.forName(exported.source() + "." + name));
            }
          }
        }
      }
      return classes.stream().filter(type -> Modifier.isPublic(type.getModifiers())).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static Stream<Executable> executables() {
    return EXPORTED.stream()
        .flatMap(
            type ->
                Stream.concat(
                    Arrays.stream(type.getMethods()), Arrays.stream(type.getConstructors())))
        .filter(executable -> EXPORTED.contains(executable.getDeclaringClass()))
        .filter(executable -> !Modifier.isAbstract(executable.getModifiers()))
        .distinct();
  }

  @Test
  void everyExportedPackageIsLookedAt() {
    assertTrue(EXPORTED.containsAll(List.of(NativeEngine.class, GameState.class, JvmApi.class)));
    assertTrue(EXPORTED.contains(ExpectimaxSearch.Builder.class), EXPORTED.toString());
    assertTrue(executables().count() > 150, "only " + executables().count());
  }

  @TestFactory
  Stream<DynamicTest> nullIsRefusedOrTaken() {
    return executables()
        .filter(
            executable ->
                !Arrays.stream(executable.getParameterTypes()).allMatch(Class::isPrimitive))
        .map(executable -> dynamicTest(executable.toString(), () -> callWithNulls(executable)));
  }

  private static void callWithNulls(Executable executable) throws Exception {
    Class<?>[] types = executable.getParameterTypes();
    for (int i = 0; i < types.length; i++) {
      if (!types[i].isPrimitive()) {
        Object[] arguments = harmlessArguments(executable);
        arguments[i] = null;
        call(executable, arguments);
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> extremeNumbersAreRefusedOrTaken() {
    return executables()
        .filter(
            executable ->
                Arrays.stream(executable.getParameterTypes()).anyMatch(Class::isPrimitive))
        .map(executable -> dynamicTest(executable.toString(), () -> callWithExtremes(executable)));
  }

  private static void callWithExtremes(Executable executable) throws Exception {
    Class<?>[] types = executable.getParameterTypes();
    for (int i = 0; i < types.length; i++) {
      if (types[i].isPrimitive()) {
        for (long value : new long[] {Long.MIN_VALUE, -1, 0, 2, 1L << 32, Long.MAX_VALUE}) {
          Object[] arguments = harmlessArguments(executable);
          arguments[i] = number(types[i], value);
          call(executable, arguments);
        }
      }
    }
  }

  private static Object[] harmlessArguments(Executable executable) {
    Object[] arguments = new Object[executable.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = harmless(executable, i);
    }
    return arguments;
  }

  private static void call(Executable executable, Object[] arguments) throws Exception {
    try {
      if (executable instanceof Method method) {
        method.invoke(receiver(method), arguments);
      } else if (executable instanceof Constructor<?> constructor) {
        constructor.newInstance(arguments);
      }
    } catch (InvocationTargetException e) {
      if (!isRefusal(executable, e.getCause())) {
        throw new AssertionError(executable + " with " + Arrays.toString(arguments), e.getCause());
      }
    }
  }

  private static boolean isRefusal(Executable executable, Throwable thrown) {
    boolean filledByTheEngine =
        executable instanceof Constructor && executable.getDeclaringClass().isRecord();
    boolean ofTheLanguage = executable.getName().equals("valueOf");
    return thrown instanceof IllegalArgumentException
        || thrown instanceof NullPointerException && (filledByTheEngine || ofTheLanguage);
  }

  private static Object receiver(Method method) {
    Class<?> type = method.getDeclaringClass();
    if (Modifier.isStatic(method.getModifiers())) {
      return null;
    }
    return HARMLESS.entrySet().stream()
        .filter(entry -> type.isInstance(entry.getValue()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseGet(() -> record(type));
  }

  private static Object record(Class<?> type) {
    try {
      Constructor<?> constructor = type.getConstructors()[0];
      return constructor.newInstance(harmlessArguments(constructor));
    } catch (ReflectiveOperationException | ArrayIndexOutOfBoundsException e) {
      throw new AssertionError("no object of " + type, e);
    }
  }
}
