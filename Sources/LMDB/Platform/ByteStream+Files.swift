#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// User files, which may also be pipes and devices: each is opened and closed again.
extension ByteStream {
  /// Returns the bytes of a file.
  package static func bytes(of path: String) throws(LMDBError) -> [UInt8] {
    try opening(path, O_RDONLY) { stream throws(LMDBError) in
      var bytes: [UInt8] = []
      while true {
        let part = try stream.read(upTo: 1 << 16)
        if part.isEmpty { return bytes }
        bytes += part
      }
    }
  }

  /// Replaces the contents of a file; creates it if missing.
  package static func write(_ bytes: [UInt8], to path: String) throws(LMDBError) {
    try opening(path, O_WRONLY | O_CREAT | O_TRUNC) { stream throws(LMDBError) in
      try stream.write(bytes)
    }
  }

  /// Appends bytes to a file, after those of concurrent writers; creates it if missing.
  package static func append(_ bytes: [UInt8], to path: String) throws(LMDBError) {
    try opening(path, O_WRONLY | O_CREAT | O_APPEND) { stream throws(LMDBError) in
      try stream.write(bytes)
    }
  }

  private static func opening<R>(
    _ path: String, _ flags: CInt, _ body: (ByteStream) throws(LMDBError) -> R
  ) throws(LMDBError) -> R {
    let descriptor = unsafe open(path, flags | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .lastSystemError("open \(path)") }
    defer { _ = close(descriptor) }
    return try body(ByteStream(descriptor: descriptor, name: path))
  }
}
