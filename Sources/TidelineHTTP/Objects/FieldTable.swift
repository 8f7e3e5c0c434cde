import EventStore
package import Tideline

/// How the value of a member is read.
package enum Reading: Sendable {
  /// A text; a number is read as its digits.
  case text
  /// A text with a limit of its own, because it becomes part of names.
  case id
  /// An integer; a text is read as the number it spells.
  case integer
  /// A Boolean, or a number or word that stands for one.
  case flag
  /// Seconds or milliseconds since 1970, or a text.
  case time
  /// A list of names with addresses, or of addresses.
  case people
  /// A list of ids, or of objects that have one; a single value counts as a list.
  case labels
  /// A list of texts.
  case texts
  /// A list of telephone numbers: texts, or objects that have a `number`.
  case numbers
  /// A list of files, or of their ids.
  case files
  /// Any JSON.
  case json
  /// An object with the address of a picture and its alternative text.
  case media
  /// The name of the class, which other code reads.
  case className
}

extension Reading {
  /// Whether values may contain more than their field can hold.
  fileprivate var mayLose: Bool {
    switch self {
    case .numbers, .media: true
    default: false
    }
  }

  /// Whether the lists are written as soon as they are met.
  ///
  /// Lists that may lose something are not: they are checked afterwards.
  fileprivate var isOfList: Bool {
    switch self {
    case .people, .labels, .texts, .files: true
    default: false
    }
  }
}

/// The members of objects of a class, and the fields they are read into.
///
/// Rows are in field order, so that found members are written in that order.
package final class FieldTable: Sendable {
  /// A field and how to read it.
  package struct Row: Sendable {
    package let field: ObjectField
    package let reading: Reading
    /// The first of its names, used in error messages.
    package let name: StaticString
  }

  package let rows: [Row]
  /// The row of the file ids, if the table has one.
  let fileIDsRow: Int?
  /// The names of all rows.
  let names: JSONNames
  /// The row of each name.
  private let rowsOfNames: [UInt8]
  /// The rows whose values may contain more than their field can hold, one bit per row.
  let lossyRows: UInt64

  /// The rows of lists that are written as soon as they are met, one bit per row.
  let listRows: UInt64

  /// Creates a table of fields with their names, plus the fields common to every object.
  init(_ fields: [ObjectField: (Reading, [StaticString])]) {
    let common: [ObjectField: (Reading, [StaticString])] = [
      .id: (.id, ["id"]), .version: (.integer, ["version"]), .className: (.className, ["object"]),
      .namespace: (.id, ["namespace_id", "account_id"]), .createdAt: (.time, ["created_at"]),
      .updatedAt: (.time, ["updated_at"]),
    ]
    let all = common.merging(fields) { $1 }.sorted { $0.key.rawValue < $1.key.rawValue }
    rows = all.map { Row(field: $0.key, reading: $0.value.0, name: $0.value.1.first ?? "") }
    names = JSONNames(all.flatMap(\.value.1).map(\.description))
    fileIDsRow = rows.firstIndex { $0.field == .fileIDs }
    rowsOfNames = all.enumerated().flatMap { row, entry in entry.value.1.map { _ in UInt8(row) } }
    lossyRows = Self.bits(of: rows) { $0.mayLose }
    listRows = Self.bits(of: rows) { $0.isOfList }
    precondition(rows.count <= 64, "a class has too many fields")
  }

  private static func bits(of rows: [Row], where isSuch: (Reading) -> Bool) -> UInt64 {
    rows.enumerated().reduce(0) { bits, row in
      isSuch(row.element.reading) ? bits | 1 << UInt64(row.offset) : bits
    }
  }

  /// Returns the row of a name.
  func row(ofName index: Int) -> Int { Int(rowsOfNames[index]) }
}
