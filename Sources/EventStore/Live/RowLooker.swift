import LMDB

/// An observer of a row by its id: the state delivered last, and how to deliver more.
final class RowLooker {
  /// The id.
  let id: String
  /// The place of the collection among the reducer's.
  let collection: UInt8
  /// The hash by which the id's name is found.
  let name: UInt64
  /// The row that the id stands for, present or not, or `nil` if the id is unknown.
  ///
  /// A row is touched when it gains or loses a name, so watching it alone notices everything.
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

  /// Sets the initial row without delivering it.
  func begin(_ target: RowHandle?, _ row: Row?) { (self.target, self.row) = (target, row) }

  /// Delivers the row's new state if it differs from the previous one.
  func take(_ row: Row?, at position: Position) {
    guard let change = RowChange(from: self.position, to: position, old: self.row, new: row)
    else { return }
    (self.row, self.position) = (row, position)
    deliver(change)
  }
}
