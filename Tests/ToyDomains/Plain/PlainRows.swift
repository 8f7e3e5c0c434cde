import EventStore

/// The rows of plain values, each made once.
struct PlainRows<Item: PlainItem>: Sendable {
  private var made: [String: Row] = [:]

  /// Returns an item's row, cached until the item is forgotten.
  mutating func row(of item: Item) -> Row {
    if let known = made[item.id] { return known }
    let row = item.row
    made[item.id] = row
    return row
  }

  /// Drops the row of a changed item.
  mutating func forget(_ id: String) { made[id] = nil }
}

extension Row {
  /// A row whose values fit, as all plain values do.
  init(plain id: String, in collection: RowCollection, _ body: (inout MutableRow) -> Void) {
    do throws(RowError) {
      try self.init(id, in: collection, body)
    } catch {
      preconditionFailure("a plain value fits into no row: \(error)")
    }
  }
}
