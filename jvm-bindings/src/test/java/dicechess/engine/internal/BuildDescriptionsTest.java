package dicechess.engine.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The build descriptions for Maven, Gradle and Cargo say the same. */
class BuildDescriptionsTest {
  private static final Path ROOT = Path.of(System.getProperty("basedir"), "..");
  private static final XPath XPATH = XPathFactory.newInstance().newXPath();

  private final Node pom;
  private final String gradle = Files.readString(ROOT.resolve("build.gradle.kts"));
  private final String settings = Files.readString(ROOT.resolve("settings.gradle.kts"));
  private final String cargo = Files.readString(ROOT.resolve("Cargo.toml"));

  BuildDescriptionsTest() throws Exception {
    Path file = ROOT.resolve("jvm-bindings/pom.xml");
    pom = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
  }

  /** The texts at a path of the POM, with the versions among its properties put in. */
  private List<String> maven(String path) throws XPathExpressionException {
    NodeList nodes = (NodeList) XPATH.evaluate(path, pom, XPathConstants.NODESET);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      String text = nodes.item(i).getTextContent();
      String property = text.replaceFirst("\\$\\{(.*\\.version)}", "$1");
      texts.add(property.equals(text) ? text : maven("//properties/" + property).get(0));
    }
    return texts;
  }

  /** What the group of a pattern matches in a text, each time. */
  private static List<String> all(String text, String pattern) {
    return Pattern.compile(pattern, Pattern.MULTILINE)
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  @Test
  void coordinatesDescriptionAndLicencesAreEqual() throws Exception {
    assertEquals(maven("/project/groupId"), all(gradle, "^group = \"(.*)\""));
    assertEquals(maven("/project/artifactId"), all(settings, "^rootProject.name = \"(.*)\""));
    assertEquals(maven("/project/version"), all(gradle, "^version = \"(.*)\""));
    assertEquals(maven("/project/description"), all(gradle, "^description = \"(.*)\""));
    assertEquals(maven("//license/name"), all(gradle, "license \\{ name = \"(.*)\""));
  }

  @Test
  void cargoHasTheSameNameVersionAndLicences() throws Exception {
    assertEquals(maven("/project/artifactId"), all(cargo, "(?<=\\[package]\nname = \")(.*)\""));
    assertEquals(maven("/project/version"), all(cargo, "^version = \"(.*)\""));
    String licences = String.join(" OR ", maven("//license/name"));
    assertEquals(List.of(licences), all(cargo, "^license = \"(.*)\""));
  }

  /** Where users are told which version to take. */
  @Test
  void readmeAndConsumersNameThisVersion() throws Exception {
    String published = String.join(":", maven("/project/groupId | /project/artifactId"));
    List<String> version = maven("/project/version");
    for (String file :
        List.of(
            "README.md",
            "jvm-bindings/consumers/gradle/build.gradle",
            "jvm-bindings/consumers/maven/pom.xml")) {
      String text = Files.readString(ROOT.resolve(file));
      Set<String> named = new TreeSet<>();
      named.addAll(all(text, published + ":([0-9][^\"')]*)"));
      named.addAll(
          all(text, "<artifactId>dicechess-native</artifactId>\\s*<version>(.*)</version>"));
      named.addAll(all(text, "dicechess-native-([0-9.]+)\\.jar"));
      assertEquals(new TreeSet<>(version), named, file);
    }
  }

  @Test
  void dependenciesAreEqual() throws Exception {
    Set<String> expected = new TreeSet<>();
    for (String name : maven("//dependency/artifactId")) {
      String dependency = "//dependency[artifactId='" + name + "']";
      String group = maven(dependency + "/groupId").get(0);
      List<String> coordinates = new ArrayList<>(List.of(group, name));
      coordinates.addAll(maven(dependency + "/version"));
      String quoted = "(\"" + String.join(":", coordinates) + "\")";
      expected.addAll(
          switch (maven(dependency + "/scope").get(0)) {
            case "provided" -> List.of("compileOnly" + quoted, "testCompileOnly" + quoted);
            case "test" -> List.of("testImplementation" + quoted);
            default -> List.of(quoted + " would be needed at run time");
          });
    }
    // Maven's test runner brings its own.
    expected.add("testRuntimeOnly(\"org.junit.platform:junit-platform-launcher\")");
    assertEquals(expected, new TreeSet<>(all(gradle, "^    (\\w+\\(\"[^\"]*:.*\"\\)+)$")));
  }

  @Test
  void compilersAndMainClassAreEqual() throws Exception {
    assertEquals(
        maven("//plugin[artifactId='kotlin-maven-plugin']/version"),
        all(gradle, "kotlin\\(\"jvm\"\\) version \"(.*)\""));
    assertEquals(maven("//maven.compiler.release"), all(gradle, "options.release = (.*)"));
    assertEquals(
        maven("//plugin[artifactId='maven-compiler-plugin']//compilerArgs/arg"),
        all(gradle, "\"(-X[^\"]*|-Werror)\""));
    assertEquals(maven("//mainClass"), all(gradle, "\"Main-Class\" to \"(.*)\""));
  }
}
