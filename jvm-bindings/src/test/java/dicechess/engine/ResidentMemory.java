package dicechess.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Memory of this process, Java heap and native, that is in RAM. Linux only. */
public final class ResidentMemory {
  private ResidentMemory() {}

  /** Bytes of RAM that the process uses now. */
  public static long bytes() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) << 10;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new AssertionError("/proc/self/status has no VmRSS");
  }
}
