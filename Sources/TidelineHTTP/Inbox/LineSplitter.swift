import EventStore

/// Assembles the lines of a stream from the pieces in which they arrive.
///
/// A blank line counts as a line: servers send one now and then as a sign of life.
package struct LineSplitter: Sendable {
  /// The maximum length of a line, in bytes.
  package static let lineBytesMax = WireLimits.itemBytes + (1 << 10)

  /// The beginning of a line whose end has not arrived.
  private var rest: [UInt8] = []

  /// Creates a splitter at the beginning of a stream.
  package init() {}

  /// Returns the lines that a piece completes, without their line ends.
  ///
  /// - Throws: ``JSONFault`` for a line that is too long; the stream must then be restarted.
  package mutating func take(_ piece: [UInt8]) throws(JSONFault) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var start = 0
    while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
      try append(piece[start..<end])
      if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
      lines.append(rest)
      rest = []
      start = end + 1
    }
    try append(piece[start...])
    return lines
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) throws(JSONFault) {
    guard rest.count + bytes.count <= Self.lineBytesMax else {
      throw JSONFault(.tooLong("the line", limit: Self.lineBytesMax), at: 0)
    }
    rest += bytes
  }
}
