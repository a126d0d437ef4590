package dicechess.engine.internal;

import dicechess.engine.NativeEngineException;

/** A program that loads the library and says so, or prints the error. */
final class LoadOnce {
  private LoadOnce() {}

  public static void main(String[] arguments) {
    try {
      NativeBridge.requireLoaded();
      System.out.println("loaded " + NativeBridge.version());
    } catch (NativeEngineException e) {
      System.out.println(e.getMessage());
    }
  }
}
