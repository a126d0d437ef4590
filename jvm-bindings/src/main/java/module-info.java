/**
 * The Dice Chess engine: a Java facade over a native library that is packed in the same jar.
 *
 * <p>On JDK 24 and later, start the program with {@code
 * --enable-native-access=io.github.dicechess.dicechess_native}, or {@code
 * --enable-native-access=ALL-UNNAMED} when the jar is on the class path.
 */
module io.github.dicechess.dicechess_native {
  requires static org.jspecify;

  exports dicechess.engine;
  exports dicechess.engine.domain;
  exports dicechess.engine.jvmapi;
  exports dicechess.engine.search;
}
