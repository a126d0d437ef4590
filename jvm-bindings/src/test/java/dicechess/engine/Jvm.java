package dicechess.engine;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a class of the tests in a JVM of its own, with the class path of the tests. */
public final class Jvm {
  /** What a finished JVM left: exit code, and both streams without white space around them. */
  public record Run(int exitCode, String out, String err) {}

  private final List<String> options = new ArrayList<>();
  private final List<String> classPath = new ArrayList<>();

  /** A JVM with these options. */
  public Jvm(String... options) {
    // Short-lived: the first compiler is enough.
    this.options.add("-XX:TieredStopAtLevel=1");
    this.options.add("--enable-native-access=ALL-UNNAMED");
    this.options.addAll(List.of(options));
    classPath.addAll(testClassPath());
  }

  private static List<String> testClassPath() {
    return List.of(System.getProperty("java.class.path").split(File.pathSeparator));
  }

  /** A class loader for our classes that has nothing in common with that of the tests. */
  public static URLClassLoader isolatedClassLoader() throws IOException {
    List<URL> directories = new ArrayList<>();
    for (String entry : testClassPath()) {
      if (Files.isDirectory(Path.of(entry))) {
        directories.add(Path.of(entry).toUri().toURL());
      }
    }
    ClassLoader parent = ClassLoader.getPlatformClassLoader();
    return new URLClassLoader(directories.toArray(URL[]::new), parent);
  }

  /** Puts a directory in front of the class path. */
  public Jvm withFirstOnClassPath(Path directory) {
    classPath.add(0, directory.toString());
    return this;
  }

  /** The process, not yet started. It does not inherit a cache directory. */
  public ProcessBuilder command(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath), main.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().remove("XDG_CACHE_HOME");
    return builder;
  }

  /** Runs the class and waits for the end. */
  public Run run(Class<?> main, String... arguments) throws IOException, InterruptedException {
    return run(command(main, arguments));
  }

  /** Runs a process and waits for its end. */
  public static Run run(ProcessBuilder builder) throws IOException, InterruptedException {
    Path out = Files.createTempFile("jvm", ".out");
    Path err = Files.createTempFile("jvm", ".err");
    try {
      Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      process.getOutputStream().close();
      int exitCode = process.waitFor();
      return new Run(exitCode, Files.readString(out).strip(), Files.readString(err).strip());
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }
}
