package dicechess.engine.internal;

import dicechess.engine.Jvm;
import java.lang.reflect.InvocationTargetException;
import java.net.URLClassLoader;

/** A program that fails to load a broken library, as often as its argument says, in one JVM. */
final class FailingLoads {
  private FailingLoads() {}

  public static void main(String[] arguments) throws Exception {
    int failures = 0;
    for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
      try (URLClassLoader loader = Jvm.isolatedClassLoader()) {
        var bridge = loader.loadClass(NativeBridge.class.getName());
        bridge.getMethod("requireLoaded").invoke(null);
      } catch (InvocationTargetException e) {
        failures++;
      }
    }
    System.out.println(failures + " failures");
  }
}
