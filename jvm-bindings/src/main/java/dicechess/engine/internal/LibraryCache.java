package dicechess.engine.internal;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A directory of this user's own that keeps one copy of every library, named by its content.
 *
 * <p>Any number of processes and class loaders may use it at once: a copy appears complete or not
 * at all. Files are read and written by {@code java.io} streams, which the interruption of the
 * calling thread does not close.
 */
final class LibraryCache {
  private static final String TEMPORARY = ".tmp";

  private final Path directory;

  private LibraryCache(Path directory) {
    this.directory = directory;
  }

  /**
   * Opens the cache below a directory, creating what is missing, and removes what killed processes
   * left there.
   *
   * @throws IOException if the cache cannot be written, or other users could write to it
   */
  static LibraryCache below(Path base) throws IOException {
    String user = System.getProperty("user.name").replaceAll("[^A-Za-z0-9._-]", "_");
    LibraryCache cache = new LibraryCache(base.resolve("dicechess-native-" + user));
    if (!Files.isDirectory(base)) { // createDirectories refuses a link to a directory
      Files.createDirectories(base);
    }
    try {
      Files.createDirectory(cache.directory, cache.ownerOnly());
    } catch (FileAlreadyExistsException e) {
      cache.requirePrivate();
    }
    cache.removeLeftovers();
    return cache;
  }

  Path directory() {
    return directory;
  }

  /**
   * The copy that all processes share. One that is missing, cut short or changed is written anew.
   *
   * @param platform decides how the file is called
   * @param content what the file holds
   */
  Path shared(Platform platform, byte[] content) throws IOException {
    Path file = directory.resolve(platform.fileName(NativeLibrary.NAME + "-" + hash(content)));
    if (!holds(file, content)) {
      Path complete = temporary(content);
      try {
        Files.move(complete, file, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        // Windows does not replace a file in use: then another process was first.
        if (!holds(file, content)) {
          throw e;
        }
      } finally {
        remove(complete);
      }
    }
    return file;
  }

  /** A copy for the caller alone, to be removed as soon as possible. */
  Path temporary(byte[] content) throws IOException {
    String unique = Long.toHexString(ThreadLocalRandom.current().nextLong());
    Path file = directory.resolve(ProcessHandle.current().pid() + "-" + unique + TEMPORARY);
    Files.createFile(file, ownerOnly());
    try (OutputStream out = new FileOutputStream(file.toFile())) {
      out.write(content);
    } catch (IOException e) {
      remove(file);
      throw e;
    }
    return file;
  }

  /** Removes a file if the system allows it; what Windows still uses, a later start removes. */
  static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // Left for removeLeftovers().
    }
  }

  private static boolean holds(Path file, byte[] content) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        || Files.size(file) != content.length) {
      return false;
    }
    try (InputStream in = new FileInputStream(file.toFile())) {
      return Arrays.equals(in.readNBytes(content.length), content);
    }
  }

  private static String hash(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM has SHA-256", e);
    }
  }

  private boolean posix() {
    return directory.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /** Also executable, so that {@link Files#isExecutable} tells what the file system allows. */
  private FileAttribute<?>[] ownerOnly() {
    return posix()
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
  }

  /** Refuses a directory that another user made or may write to: a copy could be exchanged. */
  private void requirePrivate() throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileSystemException(directory.toString(), null, "is not a directory");
    }
    if (!posix()) {
      return; // Windows: the directories of the defaults are the user's own.
    }
    Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(directory);
    if (allowed.contains(PosixFilePermission.GROUP_WRITE)
        || allowed.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new FileSystemException(directory.toString(), null, "others may write to it");
    }
    Path ours = temporary(new byte[0]);
    try {
      if (!Files.getOwner(ours).equals(Files.getOwner(directory))) {
        throw new FileSystemException(directory.toString(), null, "belongs to another user");
      }
    } finally {
      remove(ours);
    }
  }

  private void removeLeftovers() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + TEMPORARY)) {
      for (Path file : files) {
        if (isLeftover(file)) {
          remove(file);
        }
      }
    }
  }

  /** Whether the process that made a temporary file is gone, even if its number is in use again. */
  private static boolean isLeftover(Path file) {
    try {
      String name = file.getFileName().toString();
      long pid = Long.parseLong(name.substring(0, name.indexOf('-')));
      Optional<ProcessHandle> process = ProcessHandle.of(pid);
      Instant written = Files.getLastModifiedTime(file).toInstant();
      return process.isEmpty()
          || process.get().info().startInstant().filter(written::isBefore).isPresent();
    } catch (IOException | RuntimeException e) {
      return false; // Gone meanwhile, or not one of ours.
    }
  }
}
