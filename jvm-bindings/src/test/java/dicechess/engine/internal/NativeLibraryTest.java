package dicechess.engine.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dicechess.engine.Jvm;
import dicechess.engine.Jvm.Run;
import dicechess.engine.NativeEngineException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loading; cases that need a library of their own run in a JVM of their own. */
class NativeLibraryTest {
  private static final String LOADED = "loaded " + System.getProperty("project.version");
  private static final String JVM =
      "os.name=" + System.getProperty("os.name") + ", os.arch=" + System.getProperty("os.arch");
  private static final String ADVICE =
      "; set -Ddicechess.native.tmpdir=<directory> to unpack it elsewhere or"
          + " -Ddicechess.native.path=<file> to use a library of your own";

  @TempDir Path temp;

  private static String failure(String tried) {
    return "cannot load the native library for "
        + JVM
        + " (this jar holds: "
        + Platform.current()
        + "); tried "
        + tried
        + ADVICE;
  }

  private static Run load(String... options) throws Exception {
    return new Jvm(options).run(LoadOnce.class);
  }

  private String cacheOption() {
    return "-Ddicechess.native.tmpdir=" + temp;
  }

  /** Every file below the directory of the test. */
  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(temp)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private Path onlyFile() throws IOException {
    List<Path> files = files();
    assertEquals(1, files.size(), files::toString);
    return files.get(0);
  }

  private Path packedLibrary() throws IOException {
    Platform platform = Platform.current();
    String resource = "/META-INF/native/" + platform + "/" + platform.fileName(NativeLibrary.NAME);
    Path file = temp.resolve(platform.fileName("own"));
    try (InputStream in = NativeLibrary.class.getResourceAsStream(resource)) {
      Files.copy(in, file);
    }
    return file;
  }

  @Test
  void fileOfThePathPropertyIsLoadedWithoutACopy() throws Exception {
    Path own = packedLibrary();
    Run run = load("-Ddicechess.native.path=" + own, cacheOption());
    assertEquals(new Run(0, LOADED, ""), run);
    assertEquals(own, onlyFile());
  }

  @Test
  void missingFileOfThePathPropertyIsNamedTogetherWithPlatformAndProperties() throws Exception {
    Path missing = temp.resolve("no-library");
    assertEquals(
        failure("the file " + missing + " named by -Ddicechess.native.path: no such file"),
        load("-Ddicechess.native.path=" + missing).out());
  }

  @Test
  void fileOfThePathPropertyThatIsNoLibraryIsAReadableErrorAndNoFallback() throws Exception {
    Path file = Files.writeString(temp.resolve("text"), "not a library");
    Run run = load("-Ddicechess.native.path=" + file, cacheOption());
    String start = failure("the file " + file + " named by -Ddicechess.native.path: ");
    assertTrue(run.out().startsWith(start.replace(ADVICE, "")), run.out());
    assertEquals(file, onlyFile());
  }

  @Test
  void unknownPlatformIsNamedTogetherWithThoseOfTheJar() throws Exception {
    assertEquals(
        "cannot load the native library for os.name=Plan 9, os.arch=pdp11 (this jar holds: "
            + Platform.current()
            + "); tried the resource /META-INF/native/plan 9-pdp11/libdicechess_native.so: the jar"
            + " has none for this platform"
            + ADVICE,
        load("-Dos.name=Plan 9", "-Dos.arch=pdp11").out());
  }

  @Test
  void secondStartUsesTheCopyOfTheFirst() throws Exception {
    assertEquals(new Run(0, LOADED, ""), load(cacheOption()));
    Path copy = onlyFile();
    FileTime longAgo = FileTime.fromMillis(1_000_000);
    Files.setLastModifiedTime(copy, longAgo);
    assertEquals(new Run(0, LOADED, ""), load(cacheOption()));
    assertEquals(copy, onlyFile());
    assertEquals(longAgo, Files.getLastModifiedTime(copy));
  }

  @Test
  void copyThatIsCutShortIsRepairedAtTheNextStart() throws Exception {
    load(cacheOption());
    Path copy = onlyFile();
    byte[] whole = Files.readAllBytes(copy);
    Files.write(copy, new byte[] {whole[0], whole[1]});
    assertEquals(new Run(0, LOADED, ""), load(cacheOption()));
    assertEquals(whole.length, Files.size(onlyFile()));
  }

  @Test
  void concurrentFirstStartsShareOneCopy() throws Exception {
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      processes.add(
          new Jvm(cacheOption()).command(LoadOnce.class).redirectErrorStream(true).start());
    }
    for (Process process : processes) {
      assertEquals(LOADED, new String(process.getInputStream().readAllBytes()).strip());
    }
    onlyFile();
  }

  @Test
  void userCacheIsTheDefaultAndXdgCacheHomeNamesAnother() throws Exception {
    ProcessBuilder plain = new Jvm("-Duser.home=" + temp).command(LoadOnce.class);
    assertEquals(new Run(0, LOADED, ""), Jvm.run(plain));
    Path cache = temp.resolve(Platform.current().os().equals("linux") ? ".cache" : ".");
    assertTrue(onlyFile().startsWith(cache.normalize()), onlyFile()::toString);

    Path xdg = temp.resolve("xdg");
    ProcessBuilder moved = new Jvm("-Duser.home=/nowhere").command(LoadOnce.class);
    moved.environment().put("XDG_CACHE_HOME", xdg.toString());
    assertEquals(new Run(0, LOADED, ""), Jvm.run(moved));
    assertTrue(files().stream().anyMatch(file -> file.startsWith(xdg)), files()::toString);
  }

  @Test
  void homeThatCannotBeWrittenIsReplacedByTheTemporaryDirectory() throws Exception {
    Path home = Files.createFile(temp.resolve("a file"));
    Path other = Files.createDirectory(temp.resolve("other"));
    Run run = load("-Duser.home=" + home, "-Djava.io.tmpdir=" + other);
    assertEquals(new Run(0, LOADED, ""), run);
    assertTrue(files().stream().anyMatch(file -> file.startsWith(other)), files()::toString);
  }

  @Test
  void homeThatTheJvmHasNoCharactersForIsReplacedByTheTemporaryDirectory() throws Exception {
    ProcessBuilder child =
        new Jvm("-Duser.home=/nowhere/h\u00f6me", "-Djava.io.tmpdir=" + temp)
            .command(LoadOnce.class);
    child.environment().put("LC_ALL", "C");
    assertEquals(new Run(0, LOADED, ""), Jvm.run(child));
    onlyFile();
  }

  @Test
  void directoryThatIsNoPathIsListedWithItsReasonAndTheNextOneTried() throws Exception {
    File noPath = new File("no\0path");
    File file = Files.createFile(temp.resolve("a file")).toFile();
    var error =
        assertThrows(
            NativeEngineException.class,
            () ->
                NativeLibrary.loadPacked(
                    Platform.current(), List.of(noPath, file), path -> fail(path)));
    assertEquals(
        failure(
            "the directory no\0path: java.nio.file.InvalidPathException: Nul character not allowed:"
                + " no\0path; the directory "
                + file
                + ": java.nio.file.FileAlreadyExistsException: "
                + file),
        error.getMessage());
  }

  @Test
  void userWithoutAHomeGetsTheTemporaryDirectory() throws Exception {
    assertEquals(new Run(0, LOADED, ""), load("-Duser.home=?", "-Djava.io.tmpdir=" + temp));
    onlyFile();
  }

  @Test
  void everyDirectoryThatFailsIsListedWithItsReason() throws Exception {
    Path file = Files.createFile(temp.resolve("a file"));
    Path cache = file.resolve(".cache");
    Path tmp = file.resolve("tmp");
    String message = load("-Duser.home=" + file, "-Djava.io.tmpdir=" + tmp).out();
    String error = ": java.nio.file.FileSystemException: ";
    String first = "the directory " + cache + error + cache + ": ";
    assertTrue(message.startsWith(failure(first).replace(ADVICE, "")), message);
    assertTrue(message.contains("; the directory " + tmp + error + tmp + ": "), message);
    assertTrue(message.endsWith(ADVICE), message);
  }

  @Test
  void directoryPropertyThatFailsIsAnErrorAndNoFallback() throws Exception {
    Path file = Files.createFile(temp.resolve("a file"));
    Run run = load("-Ddicechess.native.tmpdir=" + file);
    String tried = "the directory " + file + ": java.nio.file.FileAlreadyExistsException: " + file;
    assertEquals(failure(tried), run.out());
  }

  @Test
  void directoryThatForbidsExecutionIsNamedWithTheLikelyCause() throws Exception {
    Consumer<String> loader =
        file -> {
          assertTrue(new File(file).setExecutable(false));
          throw new UnsatisfiedLinkError("failed to map segment from shared object");
        };
    var error =
        assertThrows(
            NativeEngineException.class,
            () -> NativeLibrary.loadPacked(Platform.current(), List.of(temp.toFile()), loader));
    assertEquals(
        failure(
            "the directory "
                + temp
                + ": files there must not be executed (is it mounted noexec?): failed to map"
                + " segment from shared object"),
        error.getMessage());
    assertEquals(List.of(), files());
  }

  @Test
  void fiftyStartsLeaveOneFile() throws Exception {
    for (int i = 0; i < 50; i++) {
      assertEquals(new Run(0, LOADED, ""), load(cacheOption()));
    }
    onlyFile();
  }

  @Test
  void startsThatAreKilledWhileUnpackingLeaveOneFileThatTheNextStartRemoves() throws Exception {
    for (int i = 0; i < 50; i++) {
      Run run = new Jvm().run(KilledWhileUnpacking.class, temp.toString());
      assertEquals(128 + 9, run.exitCode(), run::toString);
      assertTrue(onlyFile().toString().endsWith(".tmp"), onlyFile()::toString);
    }
    assertEquals(new Run(0, LOADED, ""), load(cacheOption()));
    assertTrue(!onlyFile().toString().endsWith(".tmp"), onlyFile()::toString);
  }

  @Test
  void thousandFailingLoadsLeaveNoFile() throws Exception {
    Path cache = temp.resolve("cache");
    Path classes = temp.resolve("classes");
    Platform platform = Platform.current();
    Path broken =
        classes.resolve(
            "META-INF/native/" + platform + "/" + platform.fileName(NativeLibrary.NAME));
    Files.createDirectories(broken.getParent());
    Files.writeString(broken, "not a library");
    Jvm jvm = new Jvm("-Ddicechess.native.tmpdir=" + cache).withFirstOnClassPath(classes);
    assertEquals("1000 failures", jvm.run(FailingLoads.class, "1000").out());
    assertEquals(broken, onlyFile());
  }

  @Test
  void libraryHasTheAbiVersionAndTheVersionOfThisJar() {
    NativeBridge.requireLoaded();
    assertEquals(NativeBridge.ABI_VERSION, NativeBridge.abiVersion());
    assertEquals(System.getProperty("project.version"), NativeBridge.version());
  }
}
