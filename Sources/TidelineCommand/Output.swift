import LMDB

/// Lines on their way to standard output, written many at a time.
struct Output {
  private var bytes: [UInt8] = []
  private static let bytesMax = 1 << 16

  /// Adds a line; it is shown by the next ``flush()`` at the latest.
  mutating func line(_ text: String) throws(LMDBError) {
    bytes += text.utf8
    bytes.append(UInt8(ascii: "\n"))
    if bytes.count >= Self.bytesMax { try flush() }
  }

  /// Shows what was added.
  mutating func flush() throws(LMDBError) {
    try ByteStream.output.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Says on standard error what is wrong; where that can't be written, nobody wants to know.
  static func complain(_ text: String) {
    try? ByteStream.errors.write(Array("\(text)\n".utf8))
  }
}
