package dicechess.engine.internal;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dicechess.engine.NativeEngineException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A library whose defaults are not those of the jar is refused before it serves. */
class ServingDefaultsTest {
  static Set<String> names() {
    return ServingDefaults.ofThisJar().keySet();
  }

  private static String library() {
    NativeBridge.requireLoaded();
    return new String(NativeBridge.defaults(), StandardCharsets.US_ASCII);
  }

  private static String refused(String library) {
    return assertThrows(
            NativeEngineException.class,
            () -> ServingDefaults.check(ServingDefaults.ofThisJar(), library))
        .getMessage();
  }

  private static String differ(String name, String library, String jar) {
    return "the native library and this jar differ in the default "
        + name
        + ": the library has "
        + library
        + ", the jar "
        + jar;
  }

  @Test
  void defaultsAreThoseOfTheDesign() {
    Map<String, String> expected = new LinkedHashMap<>();
    expected.put("candidateLimit", "8");
    expected.put("exactOnly", "false");
    expected.put("searchDepth", "2");
    expected.put("distinctCandidates", "false");
    expected.put("replyProbes", "false");
    expected.put("threads", "1");
    expected.put("timeBudgetMs", "1000");
    expected.put("terminalLoss", "-1000000000");
    expected.put("minNonTerminal", "-10000");
    expected.put("maxNonTerminal", "10000");
    expected.put("terminalWin", "10001");
    expected.put("captureScore", "2147483647");
    expected.put("tableCapacity", "262144");
    expected.put("evaluators", "material,standard,aggressive");
    expected.put(
        "bots", "random,checkmate-aware,greedy,greedy-v2,aggressive,monte-carlo,expectimax");
    assertEquals(expected, ServingDefaults.ofThisJar());
  }

  @Test
  void libraryAndJarAgree() {
    assertDoesNotThrow(() -> ServingDefaults.check(ServingDefaults.ofThisJar(), library()));
  }

  @ParameterizedTest
  @MethodSource("names")
  void anyDefaultThatDiffersIsNamedWithBothValues(String name) {
    String jar = ServingDefaults.ofThisJar().get(name);
    String other = library().replace(name + "=" + jar + "\n", name + "=another\n");
    assertEquals(differ(name, "another", jar), refused(other));
  }

  @ParameterizedTest
  @MethodSource("names")
  void anyDefaultThatTheLibraryLacksIsNamed(String name) {
    String jar = ServingDefaults.ofThisJar().get(name);
    String less = library().replace(name + "=" + jar + "\n", "");
    assertEquals(differ(name, "null", jar), refused(less));
  }

  @ParameterizedTest
  @MethodSource("names")
  void anyDefaultThatTheJarDoesNotKnowIsNamed(String name) {
    Map<String, String> jar = ServingDefaults.ofThisJar();
    String value = jar.remove(name);
    var error =
        assertThrows(NativeEngineException.class, () -> ServingDefaults.check(jar, library()));
    assertEquals(differ(name, value, "null"), error.getMessage());
  }

  @Test
  void lineThatIsNoDefaultIsRefused() {
    assertEquals(differ("junk", "junk", "null"), refused(library() + "junk\n"));
    String twice = library() + "candidateLimit=8\n";
    assertEquals(differ("candidateLimit", "8", "null"), refused(twice));
  }
}
