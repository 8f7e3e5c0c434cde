#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A pipe, a terminal or a file, read or written at its current position.
package struct ByteStream: Sendable {
  private let descriptor: CInt
  private let name: String

  init(descriptor: CInt, name: String) { (self.descriptor, self.name) = (descriptor, name) }

  /// The standard input.
  package static let input = ByteStream(descriptor: 0, name: "standard input")
  /// The standard output, for results.
  package static let output = ByteStream(descriptor: 1, name: "standard output")
  /// The standard error, for diagnostics.
  package static let errors = ByteStream(descriptor: 2, name: "standard error")

  /// Opens those of the three standard streams that the process was started without, as empty and
  /// discarding; call this before anything else is opened.
  ///
  /// Otherwise the next files would get their numbers, and messages would be written into those.
  package static func openMissing() {
    var last: CInt
    repeat { last = unsafe open("/dev/null", O_RDWR) } while 0...2 ~= last
    if last > 2 { _ = close(last) }
  }

  /// Returns the next bytes as soon as there are any, at most `count`; none at the end.
  package func read(upTo count: Int) throws(LMDBError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    while true {
      let read = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe systemRead(descriptor, bytes.baseAddress, bytes.count)
      }
      if read < 0, errno == EINTR { continue }
      if read < 0 { throw .lastSystemError("read \(name)") }
      buffer.removeLast(count - read)
      return buffer
    }
  }

  /// Whether data or the end of the stream becomes readable within `limit` milliseconds.
  package func isReadable(withinMilliseconds limit: CInt) -> Bool {
    var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&question, 1, limit) > 0
  }

  /// Writes all of `bytes`.
  package func write(_ bytes: [UInt8]) throws(LMDBError) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        guard let base = buffer.baseAddress else { return 0 }
        return unsafe systemWrite(descriptor, base + done, buffer.count - done)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw .lastSystemError("write \(name)") }
      done += count
    }
  }
}

extension LMDBError {
  /// Whether the reader of the written data is gone.
  package var isBrokenPipe: Bool { code == .system(EPIPE) }
}

/// The system calls, whose names the methods shadow.
private let (systemRead, systemWrite) = unsafe (read, write)
