package import EventStore

/// How objects of a class are stored: in which rows, and how facts are written to them.
package final class ObjectKind: Sendable {
  /// The class of the objects.
  package let objectClass: ObjectClass
  /// The collection of the rows.
  package let collection: RowCollection
  /// The collection of bases while operations are open, if operations change fields of such
  /// objects.
  let bases: RowCollection?
  /// The column for each field of a fact, by field number.
  let columns: [FactColumn?]
  /// The bit of each column's target, or 0 if there is no column.
  let bits: [FieldBits]
  /// The fields that hold references to texts.
  let references: FieldBits
  /// The field for a later id from the server.
  let serverID: Field<String>?
  private let derive: @Sendable (inout MutableRow, FieldBits) -> Void

  /// - Parameter derive: Computes the fields that depend on those written.
  init(
    _ objectClass: ObjectClass, _ collection: RowCollection, bases: RowCollection? = nil,
    serverID: Field<String>? = nil, _ columns: [ObjectField: FactColumn],
    derive: @escaping @Sendable (_ row: inout MutableRow, _ said: FieldBits) -> Void
  ) {
    self.objectClass = objectClass
    self.collection = collection
    self.bases = bases
    self.serverID = serverID
    self.derive = derive
    var table = [FactColumn?](repeating: nil, count: ObjectField.deepLink.rawValue + 1)
    for (field, column) in Self.common.merging(columns, uniquingKeysWith: { $1 }) {
      table[field.rawValue] = column
    }
    self.columns = table
    bits = table.map { $0?.field.bit ?? 0 }
    references = table.reduce(0) { bits, column in
      if case .reference(let field)? = column { bits | field.bit } else { bits }
    }
  }

  private static let common: [ObjectField: FactColumn] = [
    .version: .version(InboxFields.version),
    .unknown: .reference(InboxFields.unknownFields),
    .createdAt: .time(InboxFields.createdAt),
    .updatedAt: .time(InboxFields.updatedAt),
  ]

  /// Returns the kind of objects of a class, or `nil` for a class that is not stored.
  package static func of(_ objectClass: ObjectClass) -> ObjectKind? {
    var found: ObjectKind?
    with(objectClass) { found = $0 }
    return found
  }

  /// Calls `body` with the kind of objects of a class, unless the class is not stored.
  ///
  /// For the folding of facts, and for what runs beside it: a kind that is returned is counted, and
  /// both threads would wait for each other's counting.
  static func with<E: Error>(
    _ objectClass: ObjectClass, _ body: (ObjectKind) throws(E) -> Void
  ) throws(E) {
    switch objectClass {
    case .account, .other: return
    case .thread: try body(.thread)
    case .message, .draft: try body(.message)
    case .tag: try body(.tag)
    case .contact: try body(.contact)
    case .file: try body(.file)
    case .rich: try body(.rich)
    }
  }

  /// Returns the kind that facts of a class report: objects, and the account itself.
  static func told(_ objectClass: ObjectClass) -> ObjectKind? {
    objectClass == .account ? .account : of(objectClass)
  }

  /// The kinds of objects in an account.
  package static let all = [thread, message, tag, contact, file, rich]

  /// Computes the fields that depend on those written.
  func finish(_ row: inout MutableRow, having said: FieldBits) { derive(&row, said) }
}
