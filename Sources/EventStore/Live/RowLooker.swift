import LMDB

/// Somebody who watches a row by its id: what was delivered last, and how to deliver more.
final class RowLooker {
  /// The id.
  let id: String
  /// The collection, by its place among the reducer's.
  let collection: UInt8
  /// What the id's name is found by.
  let name: UInt64
  /// The row that the id stands for, present or not; none where the id is not known.
  ///
  /// Where it becomes another name, or loses one, it is touched, so by it alone all is noticed that
  /// happens.
  var target: RowHandle?
  private(set) var position: Position
  private(set) var row: Row?
  private let deliver: @Sendable (RowChange) -> Void

  init(
    _ id: String, _ collection: UInt8, name: UInt64, at position: Position,
    _ deliver: @escaping @Sendable (RowChange) -> Void
  ) {
    (self.id, self.collection, self.name) = (id, collection, name)
    self.position = position
    self.deliver = deliver
  }

  /// Begins with a row, of which nothing is delivered.
  func begin(_ target: RowHandle?, _ row: Row?) { (self.target, self.row) = (target, row) }

  /// Delivers what the row has become, where it is not as it was.
  func take(_ row: Row?, at position: Position) {
    guard let change = RowChange(from: self.position, to: position, old: self.row, new: row)
    else { return }
    (self.row, self.position) = (row, position)
    deliver(change)
  }
}
