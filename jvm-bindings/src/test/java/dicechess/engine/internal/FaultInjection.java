package dicechess.engine.internal;

/** Native methods that fail on purpose. Only a library built with the feature has them. */
final class FaultInjection {
  private FaultInjection() {}

  /** Panics with a fixed text, a text, an index, an overflow, no text, a failed result. */
  static native void panic(int kind);

  /** Searches with an evaluator that panics at a batch, counted from 1. */
  static native void panicInEvaluator(long[] words, int batch);

  /** Breaks a rule of JNI: calls Java again without having asked whether the last call threw. */
  static native void neglectExceptions();
}
