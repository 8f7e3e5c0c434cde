import LMDB

/// Buffered lines for standard output.
struct Output {
  private let isJSON: Bool
  private var bytes: [UInt8] = []
  private static let bytesMax = 1 << 16

  /// Creates an output of lines for people, or of JSON for programs.
  init(isJSON: Bool = false) { self.isJSON = isJSON }

  /// Shows results as ``show(_:json:)`` does, and flushes.
  static func show(
    _ lines: @autoclosure () -> [String], json: @autoclosure () -> String, isJSON: Bool
  ) throws(LMDBError) {
    var output = Output(isJSON: isJSON)
    try output.show(lines(), json: json())
    try output.flush()
  }

  /// Adds results, as lines for people or as one line of JSON.
  mutating func show(
    _ lines: @autoclosure () -> [String], json: @autoclosure () -> String
  ) throws(LMDBError) {
    for line in isJSON ? [json()] : lines() { try self.line(line) }
  }

  /// Adds a line, which is written by the next ``flush()`` at the latest; lines for people have
  /// nothing in them that would move a terminal's cursor.
  mutating func line(_ text: String) throws(LMDBError) {
    bytes += (isJSON ? text : text.printable).utf8
    bytes.append(UInt8(ascii: "\n"))
    if bytes.count >= Self.bytesMax { try flush() }
  }

  /// Writes the added lines.
  mutating func flush() throws(LMDBError) {
    try ByteStream.output.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes a message to standard error; ignores a failure to do so.
  static func complain(_ text: String) {
    try? ByteStream.errors.write(Array("\(text.printable)\n".utf8))
  }
}
