import EventStore

/// The subject of a record in a baseline.
struct KeptThing {
  /// The kind of subject.
  enum Role {
    /// An account, without its objects.
    case account
    /// An object, with its open operations.
    case object
    /// An object that doesn't exist, but has several ids by which it is found if it comes back.
    case gone
    /// A deletion.
    case tombstone
  }

  let role: Role
  let row: RowKey
  /// The record that reported it last, or created it; 0 if there is none.
  let number: UInt64
}

/// A row's key, valid until the next fold.
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
