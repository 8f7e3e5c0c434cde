import EventStore

/// What a record of a baseline tells of.
struct KeptThing {
  /// What is to be told.
  enum Role {
    /// All of an account but its objects.
    case account
    /// An object, and what is open on it.
    case object
    /// An object that is not there, but is found by several ids should it come back.
    case gone
    /// That something was deleted.
    case tombstone
  }

  let role: Role
  let row: RowKey
  /// The record that told of it last, or made it; it has none where that is 0.
  let number: UInt64
}

/// A row, while nothing is folded.
struct RowKey: Hashable {
  let collection: RowCollection
  let row: RowID

  init(_ row: RowID, in collection: RowCollection) {
    self.collection = collection
    self.row = row
  }

  static func == (a: RowKey, b: RowKey) -> Bool {
    a.collection.number == b.collection.number && a.row == b.row
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(collection.number)
    hasher.combine(row)
  }
}
