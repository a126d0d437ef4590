package dicechess.engine.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dicechess.engine.Jvm;
import dicechess.engine.domain.GameState;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** What is in the jars that are published. */
class ArtifactIT {
  private static final Path PROJECT = Path.of(System.getProperty("basedir"));

  private static Path jar(String classifier) {
    String name = "dicechess-native-" + System.getProperty("project.version") + classifier + ".jar";
    return PROJECT.resolve("target").resolve(name);
  }

  /** The files in a jar by their names. */
  private static Map<String, byte[]> files(String classifier) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (JarFile jar = new JarFile(jar(classifier).toFile())) {
      for (ZipEntry entry : jar.stream().filter(entry -> !entry.isDirectory()).toList()) {
        files.put(
            entry.getName(), jar.getInputStream(jar.getEntry(entry.getName())).readAllBytes());
      }
    }
    return files;
  }

  private static Set<String> withSuffix(Set<String> names, String suffix) {
    return names.stream()
        .filter(name -> name.endsWith(suffix))
        .map(name -> name.substring(0, name.length() - suffix.length()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void testsRunAgainstTheJar() {
    String place = GameState.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    assertEquals(jar("").toString(), new File(place).getPath());
    NativeBridge.requireLoaded();
  }

  @Test
  void jarHoldsTheLibraryThatCargoBuiltAndNoOther() throws IOException {
    Platform platform = Platform.current();
    String file = platform.fileName(NativeLibrary.NAME);
    Map<String, byte[]> files = files("");
    assertEquals(
        List.of("META-INF/native/" + platform + "/" + file),
        files.keySet().stream().filter(name -> name.contains("/native/")).toList());
    assertArrayEquals(
        Files.readAllBytes(PROJECT.resolve("../target/release").resolve(file)),
        files.get("META-INF/native/" + platform + "/" + file));
  }

  @Test
  void jarHoldsBothLicences() throws IOException {
    Map<String, byte[]> files = files("");
    for (String name : List.of("LICENSE-MIT", "LICENSE-APACHE")) {
      byte[] packed = files.get("META-INF/" + name);
      assertNotNull(packed, name);
      assertArrayEquals(Files.readAllBytes(PROJECT.resolve("..").resolve(name)), packed);
    }
  }

  /** If this fails, run .ci/third-party-licenses. */
  @Test
  void jarHoldsTheLicenceOfEveryCrateThatIsLinked() throws Exception {
    ProcessBuilder cargo =
        new ProcessBuilder("cargo", "tree", "--locked", "--target", "all", "--prefix", "none");
    cargo.command().addAll(List.of("--edges", "normal,no-proc-macro", "--format", "{p} {l}"));
    Jvm.Run tree = Jvm.run(cargo.directory(PROJECT.resolve("..").toFile()));
    assertEquals(0, tree.exitCode(), tree::err);
    Set<String> linked =
        tree.out()
            .lines()
            .filter(line -> !line.startsWith("dicechess-native "))
            .map(line -> "* " + line.replace(" (*)", "").replaceFirst(" v", " "))
            .collect(Collectors.toCollection(TreeSet::new));
    byte[] licences = files("").get("META-INF/THIRD-PARTY-LICENSES");
    assertNotNull(licences);
    Set<String> listed =
        new String(licences, StandardCharsets.UTF_8)
            .lines()
            .filter(line -> line.startsWith("* ") && !line.contains("Rust standard library"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(linked, listed);
  }

  @Test
  void moduleNeedsNothingAtRunTimeAndExportsTheApi() {
    ModuleDescriptor module =
        ModuleFinder.of(jar(""))
            .find("io.github.dicechess.dicechess_native")
            .orElseThrow()
            .descriptor();
    assertEquals(
        Set.of("java.base", "static org.jspecify"),
        module.requires().stream().map(ArtifactIT::describe).collect(Collectors.toSet()));
    assertTrue(module.exports().stream().noneMatch(e -> e.source().contains("internal")));
    assertTrue(module.exports().stream().noneMatch(ModuleDescriptor.Exports::isQualified));
  }

  private static String describe(Requires requires) {
    boolean compileOnly = requires.modifiers().contains(Requires.Modifier.STATIC);
    return (compileOnly ? "static " : "") + requires.name();
  }

  @Test
  void classesRunOnJava17() throws IOException {
    Map<String, byte[]> files = files("");
    for (String name : files.keySet()) {
      if (name.endsWith(".class")) {
        var in = new DataInputStream(new ByteArrayInputStream(files.get(name)));
        assertEquals(0xCAFEBABE, in.readInt(), name);
        assertEquals(0, in.readUnsignedShort(), name);
        assertEquals(61, in.readUnsignedShort(), name);
      }
    }
  }

  @Test
  void sourcesJarHoldsTheSourceOfEveryClassAndNoLibrary() throws IOException {
    Set<String> sources = files("-sources").keySet();
    Set<String> classes =
        withSuffix(files("").keySet(), ".class").stream()
            .filter(name -> !name.contains("$"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(classes, withSuffix(sources, ".java"));
    assertTrue(
        sources.stream().noneMatch(name -> name.contains("dicechess_native")), sources::toString);
  }

  @Test
  void javadocJarHoldsThePagesOfTheApiAndNothingInternal() throws IOException {
    Set<String> pages = withSuffix(files("-javadoc").keySet(), "/package-summary.html");
    ModuleDescriptor module = ModuleFinder.of(jar("")).findAll().iterator().next().descriptor();
    assertEquals(
        module.exports().stream()
            .map(e -> module.name() + "/" + e.source().replace('.', '/'))
            .collect(Collectors.toCollection(TreeSet::new)),
        pages);
  }
}
