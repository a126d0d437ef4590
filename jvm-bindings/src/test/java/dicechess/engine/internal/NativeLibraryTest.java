package dicechess.engine.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.demo.Demo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loading, each case in a JVM of its own, as a library can be loaded only once. */
class NativeLibraryTest {
  private record Run(int exitCode, String output) {}

  private static Run demo(String... jvmOptions) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(jvmOptions));
    String classes = Path.of(System.getProperty("basedir", ""), "target", "classes").toString();
    command.addAll(List.of("-cp", classes, Demo.class.getName(), "8/8/8/8/8/8/8/8 x - - 0 1"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return new Run(process.waitFor(), output);
  }

  @Test
  void platformHasTheNameThatTheBuildGivesIt() {
    assertEquals("linux-x86_64", NativeLibrary.platform("Linux", "amd64"));
    assertEquals("linux-aarch64", NativeLibrary.platform("Linux", "aarch64"));
    assertEquals("macos-x86_64", NativeLibrary.platform("Mac OS X", "x86_64"));
    assertEquals("macos-aarch64", NativeLibrary.platform("Mac OS X", "aarch64"));
    assertEquals("windows-x86_64", NativeLibrary.platform("Windows 11", "amd64"));
  }

  @Test
  void packedLibraryIsLoadedAndLeavesNoFileBehind(@TempDir Path temp) throws Exception {
    Run run = demo("-Djava.io.tmpdir=" + temp);
    assertEquals(2, run.exitCode(), run.output());
    assertTrue(run.output().contains("error: "), run.output());
    assertTrue(run.output().contains("side"), run.output());
    try (Stream<Path> left = Files.list(temp)) {
      assertEquals(List.of(), left.filter(p -> p.toString().contains("dicechess")).toList());
    }
  }

  @Test
  void missingFileIsNamedTogetherWithPlatformAndProperty(@TempDir Path temp) throws Exception {
    Path missing = temp.resolve("no-library");
    Run run = demo("-Ddicechess.native.path=" + missing);
    assertEquals(1, run.exitCode(), run.output());
    String message =
        "error: cannot load the native library for os.name="
            + System.getProperty("os.name")
            + ", os.arch="
            + System.getProperty("os.arch")
            + "; tried the file "
            + missing
            + " named by -Ddicechess.native.path: no such file; set"
            + " -Ddicechess.native.path=<file> to use a library of your own";
    assertTrue(run.output().contains(message), run.output());
  }

  @Test
  void fileThatIsNoLibraryIsAReadableErrorAndNoFallback(@TempDir Path temp) throws Exception {
    Path file = Files.writeString(temp.resolve("text"), "not a library");
    Run run = demo("-Ddicechess.native.path=" + file);
    assertEquals(1, run.exitCode(), run.output());
    assertTrue(run.output().contains("error: cannot load the native library"), run.output());
    assertTrue(run.output().contains(file.toString()), run.output());
  }

  @Test
  void unknownPlatformIsAReadableError() throws Exception {
    Run run = demo("-Dos.arch=pdp11");
    assertEquals(1, run.exitCode(), run.output());
    assertTrue(run.output().contains("-pdp11/"), run.output());
    assertTrue(run.output().contains("none for this platform"), run.output());
  }

  @Test
  void otherAbiVersionIsNamedTogetherWithOurs() {
    assertEquals(
        "the native library has ABI version 9, this jar needs 2 (loaded from there)",
        NativeBridge.abiMismatch(9, "there"));
  }

  @Test
  void libraryHasTheAbiVersionAndTheVersionOfThisJar() {
    NativeBridge.requireLoaded();
    assertEquals(NativeBridge.ABI_VERSION, NativeBridge.abiVersion());
    assertEquals(System.getProperty("project.version"), NativeBridge.version());
  }
}
