package dicechess.engine.internal;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Notices that classes of this jar are on the class path twice. The Scala engine's jar has classes
 * of the same names: of each the JVM takes the one that comes first, and those do not fit together.
 */
final class DuplicateClasses {
  private static final List<String> CLASSES =
      List.of("dicechess.engine.jvmapi.JvmApi", "dicechess.engine.domain.GameState");

  private DuplicateClasses() {}

  /** Logs a warning for each class that the class loader has twice. */
  static void warn(@Nullable ClassLoader loader) {
    if (loader == null) {
      return;
    }
    for (String name : CLASSES) {
      List<URL> places = places(loader, name);
      if (places.size() > 1) {
        System.getLogger(DuplicateClasses.class.getName())
            .log(System.Logger.Level.WARNING, message(name, places));
      }
    }
  }

  private static List<URL> places(ClassLoader loader, String name) {
    try {
      return Collections.list(loader.getResources(name.replace('.', '/') + ".class"));
    } catch (IOException e) {
      return List.of();
    }
  }

  private static String message(String name, List<URL> places) {
    return name
        + " is on the class path more than once, and only the first is used: "
        + places
        + "; dicechess-native replaces the Scala engine's jar, keep one of the two";
  }
}
