package dicechess.engine.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dicechess.engine.NativeEngineException;
import org.junit.jupiter.api.Test;

class ProofDecoderTest {
  private static void refused(String message, long... raw) {
    var refused = assertThrows(NativeEngineException.class, () -> ProofDecoder.decode(raw));
    assertEquals(message, refused.getMessage());
  }

  @Test
  void otherLengthsAreNoResult() {
    refused("the native search answered 17 words, which is no result", new long[17]);
    refused("the native search answered 19 words, which is no result", new long[19]);
  }

  @Test
  void unknownVerdictIsNamed() {
    for (long verdict : new long[] {-1, 3}) {
      long[] raw = new long[18];
      raw[0] = 1;
      raw[2] = verdict;
      refused("the native search answered verdict " + verdict, raw);
    }
  }
}
