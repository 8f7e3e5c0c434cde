import LMDB

/// Values within values that are begun and ended by calls, for what finds out as it goes on what is
/// in them, or is called too often for a closure each time.
extension PayloadWriter {
  /// A value that was begun, and is ended before what is around it.
  package struct Opening {
    fileprivate let start: Int
    fileprivate let number: Int
  }

  /// A writer of a payload that is handed over by ``take()``.
  package init(reserving byteCount: Int) {
    self.init()
    bytes.reserveCapacity(byteCount)
  }

  /// How many bytes were written.
  package var count: Int { bytes.count }

  /// A copy of the payload; the next one then begins in the memory that this one took.
  package mutating func take() -> [UInt8] {
    precondition(depth == 0, "a list or an item is not ended")
    let payload = bytes.raw.array
    restart()
    return payload
  }

  /// The bytes that were written.
  package var written: RawSpan {
    @_lifetime(borrow self) get { bytes.raw }
  }

  /// Begins a list; its items follow until its end.
  package mutating func beginList(_ number: Int) -> Opening {
    begin(.list, as: advance(to: number))
  }

  /// Begins fields that are an item of the list that was begun last.
  package mutating func beginItem() -> Opening { begin(.fields, as: 0) }

  /// Writes a text that is an item of the list that was begun last.
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
