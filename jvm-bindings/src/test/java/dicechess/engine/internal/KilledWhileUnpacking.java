package dicechess.engine.internal;

import java.nio.file.Path;

/** A program that unpacks into the cache below its argument and dies before the copy is shared. */
final class KilledWhileUnpacking {
  private KilledWhileUnpacking() {}

  public static void main(String[] arguments) throws Exception {
    LibraryCache.below(Path.of(arguments[0])).temporary(new byte[1000]);
    new ProcessBuilder("kill", "-KILL", Long.toString(ProcessHandle.current().pid()))
        .start()
        .waitFor();
  }
}
