import Foundation

/// A preloaded library that makes a process's disk full or broken when a test says so.
///
/// Files in a folder say what fails. While `space` exists, writes fail once as many bytes were
/// written as it says; if `where` exists too, only writes to files whose paths contain its text.
/// While `flush` exists, each flush removes a byte from it; the flush that finds it empty removes
/// the file and fails. While `call` exists, each call that opens a file for writing, or writes,
/// flushes, truncates or renames it, removes a byte from `call`, if the path contains the text of
/// `where`; the call that finds it empty removes the file and fails.
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

  /// Whether the system can preload libraries, and has a compiler to build this one.
  package static let areAvailable: Bool = {
    #if os(Linux)
      (try? run("cc", "--version")) != nil
    #else
      false
    #endif
  }()

  /// The environment of a process that the faults apply to.
  package var environment: [String: String] { ["LD_PRELOAD": library, "FAULTS": folder.path] }

  /// Allows so many more bytes to be written, or any number if `nil`.
  package func setSpace(_ bytes: Int?) throws {
    let path = folder.path(of: "space")
    guard let bytes else { return try FileManager.default.removeItem(atPath: path) }
    try Data("\(bytes)".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  /// Limits space only for files whose paths contain a text.
  package func limitSpace(to text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(of: "where")))
  }

  /// Makes a flush fail: the next one, or one `count` later.
  package func failFlush(after count: Int = 0) throws {
    let bytes = [UInt8](repeating: 0, count: count)
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path(of: "flush")))
  }

  /// Whether the requested failure of a flush is still to come.
  package var isFlushAwaited: Bool {
    FileManager.default.fileExists(atPath: folder.path(of: "flush"))
  }

  /// Makes a call fail that writes a file whose path contains a text: the next one, or one `count`
  /// later.
  package func failCall(after count: Int, to text: String) throws {
    try limitSpace(to: text)
    let bytes = [UInt8](repeating: 0, count: count)
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path(of: "call")), options: .atomic)
  }

  /// Stops failing calls, and returns whether one failed since that was requested.
  package func endCallFailure() -> Bool {
    (try? FileManager.default.removeItem(atPath: folder.path(of: "call"))) == nil
  }

  struct Failure: Error {}

  private static func run(_ words: String...) throws {
    guard try Program.named.run(words, takesErrors: true).failure == nil else { throw Failure() }
  }

  /// Only the calls that LMDB makes and the appender doesn't can fail.
  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <stdarg.h>
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

    static int is_named(const char *target) {
      char text[256] = "";
      FILE *file = fopen(path("where"), "r");
      if (!file) return 1;
      if (fscanf(file, "%255s", text) != 1) text[0] = 0;
      fclose(file);
      return strstr(target, text) != NULL;
    }

    static int is_concerned(int fd) {
      char link[64], target[4096] = "";
      snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
      if (readlink(link, target, sizeof target - 1) < 0) return 0;
      return is_named(target);
    }

    static int takes_turn(const char *name) {
      struct stat status;
      if (stat(path(name), &status) != 0) return 0;
      if (status.st_size > 0) { truncate(path(name), status.st_size - 1); return 0; }
      if (unlink(path(name)) != 0) return 0;
      errno = EIO;
      return 1;
    }

    static int is_struck(int fd) {
      struct stat status;
      return stat(path("call"), &status) == 0 && is_concerned(fd) && takes_turn("call");
    }

    static int is_full(int fd, size_t count) {
      struct stat status;
      if (is_struck(fd)) return 1;
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
      return is_struck(fd) || takes_turn("flush") ? -1 : real(fd);
    }

    int fsync(int fd) {
      int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
      return is_struck(fd) ? -1 : real(fd);
    }

    int ftruncate(int fd, off_t count) {
      int (*real)(int, off_t) = dlsym(RTLD_NEXT, "ftruncate");
      return is_struck(fd) ? -1 : real(fd, count);
    }
    int ftruncate64(int fd, off_t count) { return ftruncate(fd, count); }

    int renameat(int from, const char *old, int to, const char *new) {
      int (*real)(int, const char *, int, const char *) = dlsym(RTLD_NEXT, "renameat");
      struct stat status;
      if (stat(path("call"), &status) == 0 && is_named(new) && takes_turn("call")) return -1;
      return real(from, old, to, new);
    }

    int open(const char *name, int flags, ...) {
      int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
      struct stat status;
      va_list rest;
      va_start(rest, flags);
      mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
      va_end(rest);
      if ((flags & O_ACCMODE) != O_RDONLY && stat(path("call"), &status) == 0 && is_named(name)
        && takes_turn("call")) return -1;
      return real(name, flags, mode);
    }
    int open64(const char *name, int flags, ...) {
      va_list rest;
      va_start(rest, flags);
      mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
      va_end(rest);
      return open(name, flags, mode);
    }

    """
}
