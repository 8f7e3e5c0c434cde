import LMDB

/// Nested values that are begun and ended by calls, for callers that discover the content as they
/// go, or that run too often for closures.
extension PayloadWriter {
  /// A value that was begun, and must be ended before the value around it.
  package struct Opening {
    fileprivate let start: Int
    fileprivate let number: Int
  }

  /// Creates a writer of payloads that ``takeAll()`` returns.
  package init(reserving byteCount: Int) {
    self.init()
    bytes.reserveCapacity(byteCount)
  }

  /// The number of bytes written.
  package var count: Int { bytes.count }

  /// Ends a payload; the next one follows it.
  package mutating func endPayload() {
    precondition(depth == 0, "a list or an item is not ended")
    beginPiece()
  }

  /// Returns the bytes of all payloads, and leaves the writer without memory.
  package mutating func takeAll() -> [UInt8] {
    endPayload()
    var all: [UInt8] = []
    swap(&all, &bytes)
    return all
  }

  /// The bytes written.
  package var written: RawSpan {
    @_lifetime(borrow self) get { bytes.raw }
  }

  /// Begins a list; its items follow until the list is ended.
  package mutating func beginList(_ number: Int) -> Opening {
    begin(.list, as: advance(to: number))
  }

  /// Begins fields as an item of the list that was begun last.
  package mutating func beginItem() -> Opening { begin(.fields, as: 0) }

  /// Writes a text as an item of the list that was begun last.
  package mutating func item(utf8: RawSpan) { bytes.append(utf8, as: 0, .text) }

  /// Ends the value that was begun last.
  package mutating func end(_ opening: Opening) {
    bytes.fillLength(at: opening.start)
    leave(opening.number)
  }

  private mutating func begin(_ code: PayloadCode, as number: Int) -> Opening {
    enter(number)
    bytes.append(tag: number, code)
    bytes.append(0)
    return Opening(start: bytes.count - 1, number: number)
  }
}
