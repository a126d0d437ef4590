package dicechess.engine;

import java.io.Serial;

/**
 * The native side failed in a way that is not the caller's mistake: the library cannot be loaded or
 * does not fit this jar, or native code stopped at an internal error. The process goes on, and
 * other calls are not affected.
 */
public final class NativeEngineException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Makes an exception. Native code calls this constructor too.
   *
   * @param message what went wrong
   */
  public NativeEngineException(String message) {
    super(message);
  }
}
