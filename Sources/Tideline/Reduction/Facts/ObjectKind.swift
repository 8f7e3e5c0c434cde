package import EventStore

/// How objects of a class are kept: in which rows, and what facts write into these.
package final class ObjectKind: Sendable {
  /// What they are.
  package let objectClass: ObjectClass
  /// Where they are kept.
  package let collection: RowCollection
  /// Where the base is kept while something is open, of objects whose fields operations change.
  let bases: RowCollection?
  /// What each field of a fact is written as, by the field's number.
  let columns: [FactColumn?]
  /// The fields that only refer to a text.
  let references: FieldBits
  /// The field for the id that a server gave later.
  let serverID: Field<String>?
  private let derive: @Sendable (inout MutableRow, FieldBits) -> Void

  /// - Parameter derive: Computes of a row what follows from the fields that were written.
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

  /// The kind of objects of a class, or `nil` for a class that nothing is kept of.
  package static func of(_ objectClass: ObjectClass) -> ObjectKind? {
    switch objectClass {
    case .account, .other: nil
    case .thread: .thread
    case .message, .draft: .message
    case .tag: .tag
    case .contact: .contact
    case .file: .file
    case .rich: .rich
    }
  }

  /// The kind of what facts of a class say something of: objects, and the account itself.
  static func told(_ objectClass: ObjectClass) -> ObjectKind? {
    objectClass == .account ? .account : of(objectClass)
  }

  /// The kinds of objects that an account has.
  static let all = [thread, message, tag, contact, file, rich]

  /// Computes of a row what follows from the fields that were written.
  func finish(_ row: inout MutableRow, having said: FieldBits) { derive(&row, said) }
}
