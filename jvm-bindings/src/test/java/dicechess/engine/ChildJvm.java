package dicechess.engine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a program of the tests in a JVM of its own: what it does to its process ends with it. */
public final class ChildJvm {
  /** What a program left behind. */
  public record Run(int exitCode, String output) {}

  private ChildJvm() {}

  /**
   * Runs a program with the class path of the tests and the options of their JVM.
   *
   * @param main the class of the program
   * @param options more options of the JVM
   * @param arguments of the program
   * @return its exit code, and both its output streams
   */
  public static Run run(Class<?> main, List<String> options, String... arguments)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(sharedOptions());
    all.addAll(options);
    return runWithOnly(main, all, arguments);
  }

  /** As {@link #run}, with no other options than these. */
  public static Run runWithOnly(Class<?> main, List<String> options, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), output);
  }

  /** Options that the JVM of the tests has been given for its children too. */
  private static List<String> sharedOptions() {
    String options = System.getProperty("dicechess.test.jvmOptions", "").strip();
    return options.isEmpty() ? List.of() : List.of(options.split("\\s+"));
  }
}
