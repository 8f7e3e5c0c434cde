import LMDB

/// Lines on their way to standard output, written many at a time.
struct Output {
  private let isJSON: Bool
  private var bytes: [UInt8] = []
  private static let bytesMax = 1 << 16

  /// Lines for people, or for programs: JSON.
  init(isJSON: Bool = false) { self.isJSON = isJSON }

  /// Shows what was found as ``show(_:json:)`` does, and nothing else.
  static func show(
    _ lines: @autoclosure () -> [String], json: @autoclosure () -> String, isJSON: Bool
  ) throws(LMDBError) {
    var output = Output(isJSON: isJSON)
    try output.show(lines(), json: json())
    try output.flush()
  }

  /// Adds what was found: lines for people, or the same as JSON on a line.
  mutating func show(
    _ lines: @autoclosure () -> [String], json: @autoclosure () -> String
  ) throws(LMDBError) {
    for line in isJSON ? [json()] : lines() { try self.line(line) }
  }

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
