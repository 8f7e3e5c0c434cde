import LMDB

/// The header of the small files in the views folder: a magic, a format, and the checksum of all
/// other sealed bytes.
///
/// See <doc:ViewsFormat>.
struct Seal: Sendable {
  /// The number of bytes in a seal.
  static let byteCount = 16
  private static let checksumOffset = 12

  /// The bytes before the checksum.
  private let beginning: [UInt8]

  /// Creates the seal of a kind of file, identified by eight characters, in the only format that
  /// this version reads and writes; files in other formats are disposable.
  init(magic: String, format: UInt32) {
    var beginning = Array(magic.utf8)
    beginning.append(littleEndian: format)
    precondition(beginning.count == Self.checksumOffset, "a magic has eight bytes")
    self.beginning = beginning
  }

  /// Returns a body preceded by its seal.
  func bytes(sealing body: [UInt8]) -> [UInt8] {
    var bytes = beginning
    bytes.reserveCapacity(Self.byteCount + body.count)
    bytes.append(littleEndian: Self.checksum(beginning.raw, body.raw))
    return bytes + body
  }

  /// Returns whether the bytes are a seal of this kind, followed by the body it was made for.
  func isWhole(_ bytes: RawSpan) -> Bool {
    guard bytes.byteCount >= Self.byteCount else { return false }
    let found = bytes.extracting(first: Self.checksumOffset)
    let body = bytes.extracting(droppingFirst: Self.byteCount)
    return found.equals(beginning.raw)
      && bytes.integer(UInt32.self, at: Self.checksumOffset) == Self.checksum(found, body)
  }

  private static func checksum(_ beginning: RawSpan, _ body: RawSpan) -> UInt32 {
    Checksum.of(body, continuing: Checksum.of(beginning))
  }
}
