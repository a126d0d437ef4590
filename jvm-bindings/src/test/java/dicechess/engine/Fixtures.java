package dicechess.engine;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The fixtures that the Rust tests use too, and the positions of the seeds by their names. */
public final class Fixtures {
  /** A forced pass: the pawns block each other. */
  public static final String F4 = "4k3/8/8/8/8/p7/P7/R3K3 w - - 0 1 PPP";

  /** An immediate king capture, Nb3xc5. */
  public static final String F7 = "8/8/8/2k5/8/1N6/2P5/K7 w - - 0 1 NPP";

  /** A middlegame. */
  public static final String F10 =
      "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 3 NBP";

  private Fixtures() {}

  /** Reads a file of the fixtures. */
  public static JsonObject read(String name) {
    Path file = Path.of(System.getProperty("basedir", ""), "..", "tests", "data", name);
    try (Reader reader = Files.newBufferedReader(file)) {
      return JsonParser.parseReader(reader).getAsJsonObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
