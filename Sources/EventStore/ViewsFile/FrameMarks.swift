package import LMDB

/// The marks of the committed frames: a table of the views' file.
///
/// Holds at most ``countMax`` marks. Beyond that, old marks are thinned out: of two successive
/// marks, the second is removed if the records between them are fewer than a small share of all
/// records since. The marks thus reach back to the beginning, ever farther apart.
package struct FrameMarks {
  /// The maximum number of marks.
  package static let countMax = 1024
  /// The number of most recent marks that are all kept.
  package static let recentMax = 256
  /// The reciprocal of that share; large enough to leave fewer than ``countMax`` marks for any
  /// number of records.
  package static let spread: UInt64 = 24

  let table: Table<UInt64, [UInt8]>

  /// The marks in a table.
  package init(table: Table<UInt64, [UInt8]>) { self.table = table }

  /// Writes the mark of a frame, and thins out old marks if there are too many.
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

  /// Returns the marks up to a record, in order; skips damaged ones.
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
