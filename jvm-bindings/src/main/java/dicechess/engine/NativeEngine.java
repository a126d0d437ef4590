package dicechess.engine;

import dicechess.engine.internal.NativeBridge;

/** The native library as a whole. */
public final class NativeEngine {
  private NativeEngine() {}

  /**
   * Whether the native library is loaded and fits this jar. Loads it on the first call.
   *
   * @return false where every other call would throw {@link NativeEngineException}
   */
  public static boolean isAvailable() {
    try {
      NativeBridge.requireLoaded();
      return true;
    } catch (NativeEngineException e) {
      return false;
    }
  }

  /**
   * The version of the library, the version of its boundary, and the processor it was built for.
   *
   * @return text such as {@code 0.1.0 (ABI 2, x86_64 baseline)}
   * @throws NativeEngineException if the library is not available
   */
  public static String version() {
    NativeBridge.requireLoaded();
    return NativeBridge.version()
        + " (ABI "
        + NativeBridge.abiVersion()
        + ", "
        + NativeBridge.cpuPath()
        + ")";
  }
}
