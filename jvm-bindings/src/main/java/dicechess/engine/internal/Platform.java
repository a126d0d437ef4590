package dicechess.engine.internal;

import java.util.List;
import java.util.Locale;

/**
 * An operating system and a processor, by the names that the folders under META-INF/native have.
 * The build derives the same names.
 *
 * @param os {@code linux}, {@code macos}, {@code windows}, or what the JVM calls another
 * @param arch {@code x86_64}, {@code aarch64}, or what the JVM calls another
 */
record Platform(String os, String arch) {
  /** The platforms that a jar may hold a library for. */
  static final List<Platform> KNOWN =
      List.of(
          new Platform("linux", "x86_64"),
          new Platform("linux", "aarch64"),
          new Platform("macos", "x86_64"),
          new Platform("macos", "aarch64"),
          new Platform("windows", "x86_64"),
          new Platform("windows", "aarch64"));

  /** The platform of this JVM. */
  static Platform current() {
    return of(System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  /** The platform that a JVM describes by its properties {@code os.name} and {@code os.arch}. */
  static Platform of(String osName, String osArch) {
    return new Platform(os(osName.toLowerCase(Locale.ROOT)), arch(osArch.toLowerCase(Locale.ROOT)));
  }

  private static String os(String name) {
    if (name.startsWith("mac") || name.startsWith("darwin")) {
      return "macos";
    }
    return name.startsWith("windows") ? "windows" : name;
  }

  private static String arch(String name) {
    return switch (name) {
      case "amd64", "x64", "x86-64" -> "x86_64";
      case "arm64" -> "aarch64";
      default -> name;
    };
  }

  /** The file name of a library called {@code name}, by the custom of the operating system. */
  String fileName(String name) {
    return switch (os) {
      case "macos" -> "lib" + name + ".dylib";
      case "windows" -> name + ".dll";
      default -> "lib" + name + ".so";
    };
  }

  @Override
  public String toString() {
    return os + "-" + arch;
  }
}
