import EventStore

/// Puts the lines of a stream together from the pieces in which they come.
///
/// A blank line is a line too: a server sends one now and then to show that it is there.
package struct LineSplitter: Sendable {
  /// The bytes that a line may have.
  package static let lineBytesMax = WireLimits.itemBytes + (1 << 10)

  /// The beginning of a line whose end has not come.
  private var rest: [UInt8] = []

  /// A splitter at the beginning of a stream.
  package init() {}

  /// The lines that end in a piece, without their ends.
  ///
  /// - Throws: ``JSONFault`` for a line that is too long: the stream is to be begun anew then.
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
