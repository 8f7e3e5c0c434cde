#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files of people, which may be pipes and devices as well: each is opened, and closed again.
extension ByteStream {
  /// The bytes of a file.
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

  /// Gives a file other bytes; it is made where it is missing.
  package static func write(_ bytes: [UInt8], to path: String) throws(LMDBError) {
    try opening(path, O_WRONLY | O_CREAT | O_TRUNC) { stream throws(LMDBError) in
      try stream.write(bytes)
    }
  }

  /// Adds bytes to a file, behind those of everyone else; it is made where it is missing.
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
