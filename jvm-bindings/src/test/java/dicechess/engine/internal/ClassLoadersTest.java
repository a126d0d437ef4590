package dicechess.engine.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dicechess.engine.Jvm;
import dicechess.engine.search.NativeSearch;
import dicechess.engine.search.SearchLimits;
import java.lang.ref.WeakReference;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several class loaders of one JVM that have nothing in common use the library side by side. */
class ClassLoadersTest {
  private static final String POSITION = "4k3/8/8/3q4/2P5/8/8/4K3 w - - 0 1 PPK";

  @TempDir Path temp;

  private static String turn() {
    SearchLimits limits = SearchLimits.defaults().withWorkBudget(100_000);
    return NativeSearch.findBestMove(POSITION, limits).best().orElseThrow().uci().toString();
  }

  /** What each class loader runs. */
  public static final class Search {
    private Search() {}

    /** Searches and prints the turn. */
    public static void run() {
      System.out.println(turn());
    }
  }

  /** The program that the test runs in a JVM of its own, so that no other loader is involved. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws Exception {
      URLClassLoader first = Jvm.isolatedClassLoader();
      URLClassLoader second = Jvm.isolatedClassLoader();
      use(first);
      use(second);
      use(first);
      var dropped = new WeakReference<>(first);
      first.close();
      first = null;
      for (int i = 0; i < 100 && dropped.get() != null; i++) {
        System.gc();
        Thread.sleep(10);
      }
      System.out.println("dropped: " + (dropped.get() == null));
      URLClassLoader third = Jvm.isolatedClassLoader();
      use(third);
      use(second);
    }

    private static void use(ClassLoader loader) throws ReflectiveOperationException {
      loader.loadClass(Search.class.getName()).getMethod("run").invoke(null);
    }
  }

  @Test
  void twoUseItOneIsDroppedAndAThirdUsesIt() throws Exception {
    Jvm.Run run = new Jvm("-Ddicechess.native.tmpdir=" + temp).run(Program.class);
    assertEquals("", run.err());
    String turn = turn();
    assertEquals(
        List.of(turn, turn, turn, "dropped: true", turn, turn), run.out().lines().toList());
    try (Stream<Path> files = Files.walk(temp)) {
      assertEquals(1, files.filter(Files::isRegularFile).count());
    }
  }
}
