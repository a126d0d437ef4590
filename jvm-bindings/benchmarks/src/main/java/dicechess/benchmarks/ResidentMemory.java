package dicechess.benchmarks;

import dicechess.engine.NativeEngine;
import dicechess.engine.search.NativeSearch;
import dicechess.engine.search.SearchLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the library adds to a JVM's memory in RAM: idle, and after searches. Linux only; README of
 * this folder: how to run.
 */
public final class ResidentMemory {
  private ResidentMemory() {}

  public static void main(String[] arguments) throws IOException {
    // Twice, so that reading has loaded its own classes.
    kib("VmRSS:");
    long before = kib("VmRSS:");
    System.out.println("what\tKiB\tKiB beyond the JVM");
    System.out.printf("JVM\t%d\t0%n", before);
    NativeEngine.version();
    report("library loaded", before);
    System.out.printf("pages of the library's file\t%d\t%n", library());
    for (int depth = 2; depth <= 3; depth++) {
      NativeSearch.findBestMove(Positions.F10, SearchLimits.defaults().withSearchDepth(depth));
      report("F10 searched, depth " + depth, before);
    }
  }

  private static void report(String what, long before) throws IOException {
    long now = kib("VmRSS:");
    System.out.printf("%s\t%d\t%d%n", what, now, now - before);
  }

  private static long kib(String name) throws IOException {
    return sum(Files.readAllLines(Path.of("/proc/self/status")), name);
  }

  /** The part of the mapped native library that is in RAM. */
  private static long library() throws IOException {
    long sum = 0;
    boolean ours = false;
    for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
      if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
        ours = line.contains("dicechess");
      } else if (ours) {
        sum += sum(List.of(line), "Rss:");
      }
    }
    return sum;
  }

  private static long sum(List<String> lines, String name) {
    return lines.stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .sum();
  }
}
