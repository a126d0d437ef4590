package dicechess.engine.internal;

import dicechess.engine.NativeEngineException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Finds the native library and loads it: the file named by the property {@value #PATH_PROPERTY} if
 * that is set, else the one packed in this jar, unpacked to a private temporary directory that is
 * removed again.
 */
final class NativeLibrary {
  static final String PATH_PROPERTY = "dicechess.native.path";

  private static final String BASE_NAME = "dicechess_native";

  private NativeLibrary() {}

  /**
   * Loads the library.
   *
   * @return where it was loaded from, for messages
   * @throws NativeEngineException if there is none that loads, with what was tried
   */
  static String load() {
    String path = System.getProperty(PATH_PROPERTY);
    return path != null ? loadFile(path) : loadPacked();
  }

  /** The directory for a platform under META-INF/native. The build uses the same names. */
  static String platform(String osName, String osArch) {
    String os = osName.toLowerCase(Locale.ROOT);
    if (os.startsWith("mac")) {
      os = "macos";
    } else if (os.startsWith("windows")) {
      os = "windows";
    }
    return os + "-" + (osArch.equals("amd64") ? "x86_64" : osArch);
  }

  private static String loadFile(String path) {
    Path file;
    try {
      file = Path.of(path).toAbsolutePath();
    } catch (InvalidPathException e) {
      throw failure("the file named by -D" + PATH_PROPERTY + ": " + e.getMessage());
    }
    if (!Files.isRegularFile(file)) {
      throw failure("the file " + file + " named by -D" + PATH_PROPERTY + ": no such file");
    }
    try {
      System.load(file.toString());
    } catch (UnsatisfiedLinkError e) {
      throw failure("the file " + file + " named by -D" + PATH_PROPERTY + ": " + e.getMessage());
    }
    return file.toString();
  }

  private static String loadPacked() {
    String fileName = System.mapLibraryName(BASE_NAME);
    String platform = platform(System.getProperty("os.name"), System.getProperty("os.arch"));
    String resource = "/META-INF/native/" + platform + "/" + fileName;
    try (InputStream in = NativeLibrary.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw failure("the resource " + resource + ": the jar has none for this platform");
      }
      unpackAndLoad(in, fileName);
    } catch (IOException e) {
      throw failure("the resource " + resource + ": cannot be unpacked: " + e);
    } catch (UnsatisfiedLinkError e) {
      throw failure("the resource " + resource + ": " + e.getMessage());
    }
    return "the resource " + resource;
  }

  private static void unpackAndLoad(InputStream in, String fileName) throws IOException {
    // Readable by this user only, under a name of its own: no other program can put a file there,
    // and a second class loader gets a copy of its own.
    Path directory = Files.createTempDirectory("dicechess-native-");
    Path file = directory.resolve(fileName);
    try {
      Files.copy(in, file);
      System.load(file.toString());
    } finally {
      remove(file);
      remove(directory);
    }
  }

  /** Deletes now where a loaded library may be unlinked, at exit where it may not (Windows). */
  private static void remove(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      path.toFile().deleteOnExit();
    }
  }

  private static NativeEngineException failure(String tried) {
    return new NativeEngineException(
        "cannot load the native library for os.name="
            + System.getProperty("os.name")
            + ", os.arch="
            + System.getProperty("os.arch")
            + "; tried "
            + tried
            + "; set -D"
            + PATH_PROPERTY
            + "=<file> to use a library of your own");
  }
}
