package dicechess.engine.internal;

import dicechess.engine.NativeEngineException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Finds the native library and loads it: the file that the property {@value #PATH_PROPERTY} names
 * if that is set, else the one packed in this jar, by way of a {@link LibraryCache} below the
 * directory that {@value #DIRECTORY_PROPERTY} names, or else below the user's cache or the
 * temporary directory, whichever works first.
 */
final class NativeLibrary {
  static final String PATH_PROPERTY = "dicechess.native.path";
  static final String DIRECTORY_PROPERTY = "dicechess.native.tmpdir";
  static final String NAME = "dicechess_native";

  private NativeLibrary() {}

  /**
   * Loads the library.
   *
   * @return where it was loaded from, for messages
   * @throws NativeEngineException if there is none that loads, with what was tried
   */
  static String load() {
    DuplicateClasses.warn(NativeLibrary.class.getClassLoader());
    // The library belongs to the class loader of the class that calls System.load: this one.
    Consumer<String> loader = file -> System.load(file);
    String path = System.getProperty(PATH_PROPERTY);
    return path != null
        ? loadFile(path, loader)
        : loadPacked(Platform.current(), directories(), loader);
  }

  private static String loadFile(String path, Consumer<String> loader) {
    String tried = "the file " + path + " named by -D" + PATH_PROPERTY;
    try {
      Path file = Path.of(path).toAbsolutePath();
      if (!Files.isRegularFile(file)) {
        throw failure(tried + ": no such file");
      }
      loader.accept(file.toString());
      return file.toString();
    } catch (InvalidPathException | UnsatisfiedLinkError e) {
      throw failure(tried + ": " + e.getMessage());
    }
  }

  /**
   * Loads the packed library by way of a copy.
   *
   * @param platform whose library to load
   * @param directories where to unpack it, tried in turn. Files, as the JVM may be unable to make a
   *     path of what the environment names: one that it has no characters for is one that fails
   * @param loader makes a file a loaded library
   */
  static String loadPacked(Platform platform, List<File> directories, Consumer<String> loader) {
    byte[] content = packed(platform);
    List<String> tried = new ArrayList<>();
    for (File directory : directories) {
      try {
        return loadCopy(LibraryCache.below(directory.toPath()), platform, content, loader);
      } catch (IOException | InvalidPathException e) {
        tried.add("the directory " + directory + ": " + e);
      } catch (UnsatisfiedLinkError e) {
        tried.add("the directory " + directory + ": " + e.getMessage());
      }
    }
    throw failure(String.join("; ", tried));
  }

  /** The directories to unpack into: the one that was asked for and no other, or the defaults. */
  private static List<File> directories() {
    String asked = System.getProperty(DIRECTORY_PROPERTY);
    if (asked != null) {
      return List.of(new File(asked).getAbsoluteFile());
    }
    List<File> defaults = new ArrayList<>();
    File userCache = userCache(Platform.current().os());
    // A user without a home has a relative one, "?".
    if (userCache.isAbsolute()) {
      defaults.add(userCache);
    }
    defaults.add(new File(System.getProperty("java.io.tmpdir")).getAbsoluteFile());
    return defaults;
  }

  private static File userCache(String os) {
    String home = System.getProperty("user.home");
    return switch (os) {
      case "macos" -> new File(home, "Library/Caches");
      case "windows" -> fromEnvironment("LOCALAPPDATA", new File(home, "AppData/Local"));
      default -> fromEnvironment("XDG_CACHE_HOME", new File(home, ".cache"));
    };
  }

  private static File fromEnvironment(String variable, File otherwise) {
    String value = System.getenv(variable);
    return value == null || value.isEmpty() ? otherwise : new File(value);
  }

  private static String resource(Platform platform) {
    return "/META-INF/native/" + platform + "/" + platform.fileName(NAME);
  }

  private static byte[] packed(Platform platform) {
    String resource = resource(platform);
    try (InputStream in = NativeLibrary.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw failure("the resource " + resource + ": the jar has none for this platform");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw failure("the resource " + resource + ": " + e);
    }
  }

  private static String loadCopy(
      LibraryCache cache, Platform platform, byte[] content, Consumer<String> loader)
      throws IOException {
    Path shared = cache.shared(platform, content);
    try {
      loader.accept(shared.toString());
    } catch (UnsatisfiedLinkError e) {
      // A JVM loads a file for one class loader only; another one needs a file of its own. When
      // something else is the matter, that file meets it too and its error says what.
      loadTemporaryCopy(cache, shared, content, loader);
    }
    return shared.toString();
  }

  private static void loadTemporaryCopy(
      LibraryCache cache, Path shared, byte[] content, Consumer<String> loader) throws IOException {
    Path copy = cache.temporary(content);
    try {
      loader.accept(copy.toString());
    } catch (UnsatisfiedLinkError e) {
      boolean executable = Files.isExecutable(copy);
      LibraryCache.remove(shared);
      throw executable ? e : forbidden(e);
    } finally {
      LibraryCache.remove(copy);
    }
  }

  private static UnsatisfiedLinkError forbidden(UnsatisfiedLinkError e) {
    return new UnsatisfiedLinkError(
        "files there must not be executed (is it mounted noexec?): " + e.getMessage());
  }

  private static NativeEngineException failure(String tried) {
    return new NativeEngineException(
        "cannot load the native library for os.name="
            + System.getProperty("os.name")
            + ", os.arch="
            + System.getProperty("os.arch")
            + " (this jar holds: "
            + held()
            + "); tried "
            + tried
            + "; set -D"
            + DIRECTORY_PROPERTY
            + "=<directory> to unpack it elsewhere or -D"
            + PATH_PROPERTY
            + "=<file> to use a library of your own");
  }

  private static String held() {
    String names =
        Platform.KNOWN.stream()
            .filter(platform -> NativeLibrary.class.getResource(resource(platform)) != null)
            .map(Platform::toString)
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "none" : names;
  }
}
