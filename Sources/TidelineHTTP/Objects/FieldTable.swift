import EventStore
package import Tideline

/// How the value of a member is read.
package enum Reading: Sendable {
  /// A text; a number is taken for its digits.
  case text
  /// A text that has a limit of its own, as it is part of names.
  case id
  /// An integer; a text is taken for the number that it is.
  case integer
  /// A boolean, or a number or a word that stands for one.
  case flag
  /// Seconds or milliseconds since 1970, or a text.
  case time
  /// A list of names with addresses, or of addresses.
  case people
  /// A list of ids, or of objects that have one; one alone is a list.
  case labels
  /// A list of texts.
  case texts
  /// A list of telephone numbers: texts, or objects that have a `number`.
  case numbers
  /// A list of files, or of their ids.
  case files
  /// Whatever it is.
  case json
  /// An object with the address of a picture and what stands for it.
  case media
  /// The name of the class, which is read elsewhere.
  case className
}

extension Reading {
  /// Whether there are values that have more in them than their field can hold.
  fileprivate var mayLose: Bool {
    switch self {
    case .numbers, .media: true
    default: false
    }
  }

  /// Whether it is of lists that are read as soon as they are met: not of those that may lose
  /// something, which is looked for afterwards.
  fileprivate var isOfList: Bool {
    switch self {
    case .people, .labels, .texts, .files: true
    default: false
    }
  }
}

/// The members that objects of a class have, and which fields they are read into.
///
/// Rows are in the order of the fields, so that what was found is written in that order.
package final class FieldTable: Sendable {
  /// A field and how it is read.
  package struct Row: Sendable {
    package let field: ObjectField
    package let reading: Reading
    /// The first of its names, for whoever is told what is wrong with it.
    package let name: StaticString
  }

  package let rows: [Row]
  /// The row of the ids of files, if there is one.
  let fileIDsRow: Int?
  /// The names of all rows.
  let names: JSONNames
  /// The row of each name.
  private let rowsOfNames: [UInt8]
  /// The rows whose values may be more than their field can hold, a bit for each.
  let lossyRows: UInt64

  /// The rows of lists that are read as soon as they are met, a bit for each.
  let listRows: UInt64

  /// A table of fields with their names; every object has an id, a version and a class.
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

  /// The row of a name.
  func row(ofName index: Int) -> Int { Int(rowsOfNames[index]) }
}
