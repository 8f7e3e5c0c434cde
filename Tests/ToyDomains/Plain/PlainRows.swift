import EventStore

/// The rows that plain values come to, each made once.
struct PlainRows<Item: PlainItem>: Sendable {
  private var made: [String: Row] = [:]

  /// The row that an item comes to, which has not changed since it was forgotten.
  mutating func row(of item: Item) -> Row {
    if let known = made[item.id] { return known }
    let row = item.row
    made[item.id] = row
    return row
  }

  /// The item is not what it was.
  mutating func forget(_ id: String) { made[id] = nil }
}

extension Row {
  /// A row whose values fit, as those of all plain values do.
  init(plain id: String, in collection: RowCollection, _ body: (inout MutableRow) -> Void) {
    do throws(RowError) {
      try self.init(id, in: collection, body)
    } catch {
      preconditionFailure("a plain value fits into no row: \(error)")
    }
  }
}
