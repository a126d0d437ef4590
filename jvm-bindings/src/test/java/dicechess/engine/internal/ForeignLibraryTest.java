package dicechess.engine.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Jvm;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A library that loads but is not that of this jar is refused. */
class ForeignLibraryTest {
  @TempDir Path temp;

  /** Loads a library made of this Rust source and returns what the program printed. */
  private String loadLibraryOf(String source) throws Exception {
    Path library = temp.resolve(Platform.current().fileName("foreign"));
    Path file = Files.writeString(temp.resolve("foreign.rs"), source);
    Jvm.Run rustc =
        Jvm.run(
            new ProcessBuilder(
                "rustc", "--crate-type=cdylib", "-o", library.toString(), file.toString()));
    assertEquals(0, rustc.exitCode(), rustc::err);
    return new Jvm("-Ddicechess.native.path=" + library).run(LoadOnce.class).out();
  }

  @Test
  void otherAbiVersionIsNamedTogetherWithOurs() throws Exception {
    String source =
        """
        #[unsafe(no_mangle)]
        pub extern "system" fn Java_dicechess_engine_internal_NativeBridge_abiVersion(
            _env: *mut (),
            _class: *mut (),
        ) -> i32 {
            -9
        }
        """;
    assertEquals(
        "the native library has ABI version -9, this jar needs "
            + NativeBridge.ABI_VERSION
            + " (loaded from "
            + temp.resolve(Platform.current().fileName("foreign"))
            + ")",
        loadLibraryOf(source));
  }

  @Test
  void libraryWithoutOurFunctionsIsNamed() throws Exception {
    String message = loadLibraryOf("");
    String start =
        "the library loaded from "
            + temp.resolve(Platform.current().fileName("foreign"))
            + " is not that of this jar: ";
    assertTrue(message.startsWith(start), message);
  }
}
