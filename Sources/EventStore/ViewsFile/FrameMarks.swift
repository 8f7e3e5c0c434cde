package import LMDB

/// The marks of the frames that were committed: a table of the views' file.
///
/// There are never more than ``countMax``. When there would be, those that are long past are
/// thinned out: of two that follow each other, the second goes where there are fewer records
/// between than a small share of all since. So they reach back to the beginning, ever farther
/// apart.
package struct FrameMarks {
  /// How many marks are kept.
  package static let countMax = 1024
  /// How many of the last are all kept.
  package static let recentMax = 256
  /// The share, as its reciprocal: so small that for any number of records there are fewer than
  /// ``countMax`` left.
  package static let spread: UInt64 = 24

  let table: Table<UInt64, [UInt8]>

  /// The marks in a table.
  package init(table: Table<UInt64, [UInt8]>) { self.table = table }

  /// Writes the mark of a frame, and lets go of old ones where there are too many.
  ///
  /// - Complexity: O(log n), and O(``countMax``) now and then.
  package func write(
    _ mark: FrameMark, to transaction: inout WriteTransaction
  ) throws(LMDBError) {
    try transaction.put(mark.bytes, for: mark.number.rawValue, in: table)
    guard try transaction.count(of: table) > Self.countMax else { return }
    var keys: [UInt64] = []
    try forEachKey(in: transaction) { keys.append($0) }
    var kept: UInt64 = 0
    for (index, key) in keys.dropLast(Self.recentMax).enumerated() {
      guard index > 0, key - kept < (mark.number.rawValue - key) / Self.spread else {
        kept = key
        continue
      }
      try transaction.remove(key, from: table)
    }
  }

  private func forEachKey(
    in transaction: borrowing WriteTransaction, _ body: (UInt64) -> Void
  ) throws(LMDBError) {
    var cursor = try transaction.cursor(over: table)
    while try cursor.next() { body(cursor.key.nativeInteger) }
  }

  /// The marks in their order, up to a number; those that are damaged are left out.
  package func marks(
    through last: RecordNumber, in reader: KeptReader
  ) throws(LMDBError) -> [FrameMark] {
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
