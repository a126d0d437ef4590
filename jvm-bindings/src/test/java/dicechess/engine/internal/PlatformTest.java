package dicechess.engine.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformTest {
  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, linux-x86_64, libengine.so",
    "Linux, aarch64, linux-aarch64, libengine.so",
    "Mac OS X, x86_64, macos-x86_64, libengine.dylib",
    "Darwin, arm64, macos-aarch64, libengine.dylib",
    "Windows 11, amd64, windows-x86_64, engine.dll",
    "Windows Server 2022, x64, windows-x86_64, engine.dll",
    "FreeBSD, RISCV64, freebsd-riscv64, libengine.so",
  })
  void namesOfTheJvmBecomeThoseOfTheBuild(
      String osName, String osArch, String directory, String file) {
    Platform platform = Platform.of(osName, osArch);
    assertEquals(directory, platform.toString());
    assertEquals(file, platform.fileName("engine"));
  }

  @Test
  void everyKnownPlatformKeepsItsName() {
    assertEquals(
        List.of(
            "linux-x86_64",
            "linux-aarch64",
            "macos-x86_64",
            "macos-aarch64",
            "windows-x86_64",
            "windows-aarch64"),
        Platform.KNOWN.stream().map(Platform::toString).toList());
    assertTrue(
        Platform.KNOWN.stream().allMatch(p -> Platform.of(p.os(), p.arch()).equals(p)),
        "a known name is its own short form");
  }
}
