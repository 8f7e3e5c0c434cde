#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open file: read and written at offsets, closed when it goes out of scope.
package struct File: ~Copyable {
  /// The mode for opening a file.
  package enum Mode: Sendable {
    /// An existing file, for reading; never waits for a pipe.
    case read
    /// A file that must not exist yet, for writing.
    case create
    /// An existing file, for reading and writing.
    case update
    /// A file that is created if missing, for reading and writing.
    case open
  }

  /// The identity of a file, whatever its name.
  package struct Identity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64

    package init(device: UInt64, inode: UInt64) {
      self.device = device
      self.inode = inode
    }
  }

  package let path: String
  package let descriptor: CInt

  package init(_ path: String, _ mode: Mode) throws(LMDBError) {
    let flags =
      switch mode {
      case .read: O_RDONLY | O_NONBLOCK
      case .create: O_WRONLY | O_CREAT | O_EXCL
      case .update: O_RDWR
      case .open: O_RDWR | O_CREAT
      }
    self.path = path
    descriptor = unsafe open(path, flags | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw .lastSystemError("open \(path)") }
  }

  deinit {
    if descriptor >= 0 { _ = close(descriptor) }
  }

  /// Returns the size in bytes.
  package func size() throws(LMDBError) -> Int {
    Int(try status().st_size)
  }

  /// Returns the identity of the file.
  package func identity() throws(LMDBError) -> Identity {
    Identity(try status())
  }

  /// Whether it is a regular file, not a folder, pipe or device.
  package func isRegular() throws(LMDBError) -> Bool {
    try status().st_mode & S_IFMT == S_IFREG
  }

  private func status() throws(LMDBError) -> stat {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .lastSystemError("stat \(path)") }
    return status
  }

  /// Fills `buffer` with as many bytes as the file has from `offset` on, and returns their number.
  package func read(at offset: Int, into buffer: inout [UInt8]) throws(LMDBError) -> Int {
    var done = 0
    while done < buffer.count {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        guard let base = bytes.baseAddress else { return 0 }
        return unsafe pread(descriptor, base + done, bytes.count - done, off_t(offset + done))
      }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw .lastSystemError("read \(path)") }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Returns `count` bytes from `offset` on, or fewer at the end of the file.
  package func bytes(at offset: Int, count: Int) throws(LMDBError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let read = try read(at: offset, into: &buffer)
    buffer.removeLast(count - read)
    return buffer
  }

  /// Writes all of `bytes` at `offset`.
  package func write(_ bytes: [UInt8], at offset: Int = 0) throws(LMDBError) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        guard let base = buffer.baseAddress else { return 0 }
        return unsafe pwrite(descriptor, base + done, buffer.count - done, off_t(offset + done))
      }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw .lastSystemError("write \(path)") }
      done += count
    }
  }

  /// Returns once everything written is durable.
  package func flush() throws(LMDBError) {
    #if canImport(Darwin)
      guard fcntl(descriptor, F_FULLFSYNC) != -1 else { throw .lastSystemError("flush \(path)") }
    #else
      guard fsync(descriptor) == 0 else { throw .lastSystemError("flush \(path)") }
    #endif
  }

  /// Waits until nothing else has locked the file, and locks it until it is closed or unlocked.
  package func lock() throws(LMDBError) {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw .lastSystemError("lock \(path)") }
    }
  }

  /// Locks the file until it is closed or unlocked, unless another lock conflicts; returns whether
  /// it did.
  ///
  /// A shared lock excludes only exclusive ones. The system unlocks the file when the process dies.
  package func tryLock(shared: Bool = false) throws(LMDBError) -> Bool {
    while flock(descriptor, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      guard errno == EINTR else { throw .lastSystemError("lock \(path)") }
    }
    return true
  }

  /// Releases the lock.
  package func unlock() { _ = flock(descriptor, LOCK_UN) }
}

extension File.Identity {
  /// The identity of the file with that status.
  init(_ status: stat) {
    // Darwin declares a device's number as signed, so it may be negative.
    self.init(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(truncatingIfNeeded: status.st_ino))
  }
}
