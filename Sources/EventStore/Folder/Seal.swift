import LMDB

/// What the small files of the views' folder begin with: a magic, a format, and the checksum of all
/// other sealed bytes.
///
/// See <doc:ViewsFormat>.
struct Seal: Sendable {
  /// The bytes that it takes.
  static let byteCount = 16
  private static let checksumOffset = 12

  /// Eight characters that tell the kind of file.
  let magic: StaticString
  /// The format that this version reads and writes: the file is disposable, so others are not read.
  let format: UInt32

  /// A body behind its seal.
  func bytes(sealing body: [UInt8]) -> [UInt8] {
    var bytes = beginning
    bytes.append(littleEndian: Self.checksum(beginning.raw, body.raw))
    return bytes + body
  }

  /// Whether bytes are a seal of this kind and the body that it was made for.
  func isWhole(_ bytes: RawSpan) -> Bool {
    guard bytes.byteCount >= Self.byteCount else { return false }
    let found = bytes.extracting(first: Self.checksumOffset)
    let body = bytes.extracting(droppingFirst: Self.byteCount)
    return found.equals(beginning.raw)
      && bytes.integer(UInt32.self, at: Self.checksumOffset) == Self.checksum(found, body)
  }

  /// The bytes in front of the checksum.
  private var beginning: [UInt8] {
    var bytes = Array("\(magic)".utf8)
    bytes.append(littleEndian: format)
    return bytes
  }

  private static func checksum(_ beginning: RawSpan, _ body: RawSpan) -> UInt32 {
    Checksum.of(body, continuing: Checksum.of(beginning))
  }
}
