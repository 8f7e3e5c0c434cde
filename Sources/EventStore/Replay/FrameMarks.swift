import LMDB

/// The marks of the frames that were committed: a table of the views' file.
///
/// There are never more than ``countMax``. When there would be, every second one of the older half
/// goes: so they reach back to the beginning, ever farther apart.
struct FrameMarks {
  /// How many marks are kept.
  static let countMax = 1024

  let table: Table<UInt64, [UInt8]>

  /// Writes the mark of a frame, and lets go of old ones where there are too many.
  ///
  /// - Complexity: O(log n), and once in ``countMax`` / 4 frames O(n).
  func write(
    _ mark: FrameMark, to transaction: inout WriteTransaction
  ) throws(LMDBError) {
    try transaction.put(mark.bytes, for: mark.number.rawValue, in: table)
    guard try transaction.count(of: table) > Self.countMax else { return }
    var keys: [UInt64] = []
    try forEachKey(in: transaction) { keys.append($0) }
    for index in stride(from: 1, to: Self.countMax / 2, by: 2) {
      try transaction.remove(keys[index], from: table)
    }
  }

  private func forEachKey(
    in transaction: borrowing WriteTransaction, _ body: (UInt64) -> Void
  ) throws(LMDBError) {
    var cursor = try transaction.cursor(over: table)
    while try cursor.next() { body(cursor.key.nativeInteger) }
  }

  /// The marks in their order, up to a number; those that are damaged are left out.
  func marks(through last: RecordNumber, in reader: KeptReader) throws(LMDBError) -> [FrameMark] {
    try reader.read { loan throws(LMDBError) in
      var marks: [FrameMark] = []
      var cursor = try loan.cursor(over: table, in: .through(0, last.rawValue))
      while try cursor.next() {
        let number = RecordNumber(rawValue: cursor.key.nativeInteger)
        if let mark = FrameMark(number, cursor.value) { marks.append(mark) }
      }
      return marks
    }
  }
}
