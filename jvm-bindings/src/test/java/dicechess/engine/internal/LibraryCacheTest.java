package dicechess.engine.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibraryCacheTest {
  private static final Platform LINUX = new Platform("linux", "x86_64");
  private static final byte[] CONTENT = "a library".getBytes(StandardCharsets.UTF_8);

  @TempDir Path base;

  private LibraryCache open() throws IOException {
    return LibraryCache.below(base);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(open().directory())) {
      return files.toList();
    }
  }

  @Test
  void sharedCopyIsNamedByTheSha256OfItsContent() throws IOException {
    // printf 'a library' | sha256sum
    String hash = "31f109ab38348582abdc9e1c9942f74505c719e98c6d0ab6fbcfdccfd8c9935b";
    Path copy = open().shared(LINUX, CONTENT);
    assertEquals("libdicechess_native-" + hash + ".so", copy.getFileName().toString());
  }

  @Test
  void directoryAndCopiesBelongToTheOwnerAlone() throws IOException {
    LibraryCache cache = open();
    for (Path path :
        List.of(cache.directory(), cache.shared(LINUX, CONTENT), cache.temporary(CONTENT))) {
      assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    }
  }

  @Test
  void goodCopyIsNotWrittenAgain() throws IOException {
    Path copy = open().shared(LINUX, CONTENT);
    FileTime longAgo = FileTime.fromMillis(1_000_000);
    Files.setLastModifiedTime(copy, longAgo);
    Object inode = Files.getAttribute(copy, "unix:ino");
    assertEquals(copy, open().shared(LINUX, CONTENT));
    assertEquals(longAgo, Files.getLastModifiedTime(copy));
    assertEquals(inode, Files.getAttribute(copy, "unix:ino"));
    assertEquals(List.of(copy), files());
  }

  @Test
  void copyThatIsCutShortIsReplaced() throws IOException {
    Path copy = open().shared(LINUX, CONTENT);
    Files.write(copy, new byte[] {CONTENT[0]});
    open().shared(LINUX, CONTENT);
    assertArrayEquals(CONTENT, Files.readAllBytes(copy));
    assertEquals(List.of(copy), files());
  }

  @Test
  void copyThatWasChangedIsReplacedByANewFileAndNotRewritten() throws IOException {
    Path copy = open().shared(LINUX, CONTENT);
    byte[] changed = CONTENT.clone();
    changed[3] ^= 1;
    Files.write(copy, changed);
    Object inode = Files.getAttribute(copy, "unix:ino");
    open().shared(LINUX, CONTENT);
    assertArrayEquals(CONTENT, Files.readAllBytes(copy));
    // Rewriting would pull the code from under a process that runs it.
    assertNotEquals(inode, Files.getAttribute(copy, "unix:ino"));
  }

  @Test
  void linkInPlaceOfTheCopyIsReplacedAndNotFollowed() throws IOException {
    Path copy = open().shared(LINUX, CONTENT);
    Path elsewhere = Files.write(base.resolve("elsewhere"), CONTENT);
    Files.delete(copy);
    Files.createSymbolicLink(copy, elsewhere);
    open().shared(LINUX, CONTENT);
    assertFalse(Files.isSymbolicLink(copy));
    assertTrue(Files.exists(elsewhere));
  }

  @Test
  void directoryThatOthersMayWriteToIsRefused() throws IOException {
    Path directory = open().directory();
    for (String permissions : List.of("rwxrwx---", "rwx----w-")) {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
      var error = assertThrows(FileSystemException.class, this::open);
      assertEquals(directory + ": others may write to it", error.getMessage());
    }
  }

  @Test
  void baseMayBeALinkToADirectoryOrMissing() throws IOException {
    Path link = Files.createSymbolicLink(base.resolve("link"), base);
    assertTrue(Files.isDirectory(LibraryCache.below(link).directory()));
    Path missing = base.resolve("missing").resolve("directory");
    assertTrue(Files.isDirectory(LibraryCache.below(missing).directory()));
  }

  @Test
  void linkInPlaceOfTheDirectoryIsRefused() throws IOException {
    Path directory = open().directory();
    Files.move(directory, base.resolve("moved"));
    Files.createSymbolicLink(directory, base.resolve("moved"));
    var error = assertThrows(FileSystemException.class, this::open);
    assertEquals(directory + ": is not a directory", error.getMessage());
  }

  @Test
  void leftoversOfDeadProcessesAreRemovedAndThoseOfLivingOnesAreKept() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    LibraryCache cache = open();
    Path ours = cache.temporary(CONTENT);
    Path ofTheDead = Files.write(cache.directory().resolve(dead.pid() + "-1.tmp"), CONTENT);
    // Our number, but written before we started: a process that had it before us.
    Path ofAnEarlierProcess = cache.temporary(CONTENT);
    Files.setLastModifiedTime(ofAnEarlierProcess, FileTime.fromMillis(1_000_000));
    Path foreign = Files.write(cache.directory().resolve("notes.tmp"), CONTENT);
    open();
    assertTrue(Files.exists(ours));
    assertTrue(Files.exists(foreign));
    assertFalse(Files.exists(ofTheDead));
    assertFalse(Files.exists(ofAnEarlierProcess));
  }

  @Test
  void interruptedThreadUnpacksToo() throws IOException {
    Thread.currentThread().interrupt();
    try {
      Path copy = open().shared(LINUX, CONTENT);
      assertEquals(copy, open().shared(LINUX, CONTENT));
    } finally {
      assertTrue(Thread.interrupted(), "the interruption is kept for the caller");
    }
  }
}
