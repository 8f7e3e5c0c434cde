import Foundation

/// A library loaded before others that makes a process's disk full or broken when a test says so.
///
/// What is to fail is said by files in a folder. While `space` is there, writing fails once as many
/// bytes were written as it says; where `where` is there, too, only to files whose paths have in
/// them what it says. While `flush` is there, each flush takes a byte from it; the one
/// that finds it empty removes it, and fails.
package final class Faults: Sendable {
  private let folder: TemporaryFolder
  private let library: String

  package init() throws {
    folder = try TemporaryFolder()
    library = folder.path(of: "faults.so")
    let source = folder.path(of: "faults.c")
    try Data(Self.source.utf8).write(to: URL(fileURLWithPath: source))
    try Self.run("cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl")
  }

  /// Whether the system has a compiler to make the library with, and loads it before others.
  package static let areAvailable: Bool = {
    #if os(Linux)
      (try? run("cc", "--version")) != nil
    #else
      false
    #endif
  }()

  /// What a process has in its environment that this is to happen to.
  package var environment: [String: String] { ["LD_PRELOAD": library, "FAULTS": folder.path] }

  /// Lets so many bytes more be written, or as many as one likes.
  package func setSpace(_ bytes: Int?) throws {
    let path = folder.path(of: "space")
    guard let bytes else { return try FileManager.default.removeItem(atPath: path) }
    try Data("\(bytes)".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  /// Lets only files run out of space whose paths have a text in them.
  package func limitSpace(to text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(of: "where")))
  }

  /// Has a flush fail, the next one or so many later.
  package func failFlush(after count: Int = 0) throws {
    let bytes = [UInt8](repeating: 0, count: count)
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path(of: "flush")))
  }

  /// Whether no flush failed since it was told to.
  package var isFlushAwaited: Bool {
    FileManager.default.fileExists(atPath: folder.path(of: "flush"))
  }

  struct Failure: Error {}

  private static func run(_ words: String...) throws {
    let (process, _) = try Process.begun { process in
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = words
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
    }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure() }
  }

  /// Only those calls that LMDB makes and who appends does not are made to fail.
  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/stat.h>
    #include <sys/uio.h>
    #include <unistd.h>

    static const char *path(const char *name) {
      static __thread char path[4096];
      snprintf(path, sizeof path, "%s/%s", getenv("FAULTS"), name);
      return path;
    }

    static long left;
    static struct timespec told;

    static int is_concerned(int fd) {
      char text[256] = "", link[64], target[4096] = "";
      FILE *file = fopen(path("where"), "r");
      if (!file) return 1;
      if (fscanf(file, "%255s", text) != 1) text[0] = 0;
      fclose(file);
      snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
      if (readlink(link, target, sizeof target - 1) < 0) return 0;
      return strstr(target, text) != NULL;
    }

    static int is_full(int fd, size_t count) {
      struct stat status;
      FILE *file = fopen(path("space"), "r");
      if (!file) return 0;
      if (!is_concerned(fd)) { fclose(file); return 0; }
      fstat(fileno(file), &status);
      if (memcmp(&told, &status.st_mtim, sizeof told) && fscanf(file, "%ld", &left) != 1) left = 0;
      told = status.st_mtim;
      fclose(file);
      if (left < (long)count) { errno = ENOSPC; return 1; }
      left -= count;
      return 0;
    }

    ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
      ssize_t (*real)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, "pwrite");
      return is_full(fd, count) ? -1 : real(fd, bytes, count, offset);
    }
    ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t offset) {
      return pwrite(fd, bytes, count, offset);
    }

    static size_t total(const struct iovec *parts, int count) {
      size_t bytes = 0;
      for (int i = 0; i < count; i++) bytes += parts[i].iov_len;
      return bytes;
    }

    ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
      ssize_t (*real)(int, const struct iovec *, int, off_t) = dlsym(RTLD_NEXT, "pwritev");
      return is_full(fd, total(parts, count)) ? -1 : real(fd, parts, count, offset);
    }
    ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t offset) {
      return pwritev(fd, parts, count, offset);
    }

    ssize_t writev(int fd, const struct iovec *parts, int count) {
      ssize_t (*real)(int, const struct iovec *, int) = dlsym(RTLD_NEXT, "writev");
      return is_full(fd, total(parts, count)) ? -1 : real(fd, parts, count);
    }

    int fdatasync(int fd) {
      int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync");
      struct stat status;
      if (stat(path("flush"), &status) != 0) return real(fd);
      if (status.st_size > 0) {
        truncate(path("flush"), status.st_size - 1);
        return real(fd);
      }
      unlink(path("flush"));
      errno = EIO;
      return -1;
    }

    """
}
