import EventStore
import Tideline

/// The members of one object: the last value of each field, and the other members as written.
///
/// A set can be reused for many objects; it then allocates only to grow.
struct MemberSet: ~Copyable {
  /// The rows that have a value, one bit per row.
  private(set) var present: UInt64 = 0
  /// The members that have no field, as a JSON object; empty if there are none.
  private(set) var unknown: [UInt8] = []
  /// The rows whose lists are already written, one bit per row.
  private var listed: UInt64 = 0
  private var order = JSONNameOrder()
  private var values = [JSONToken](repeating: JSONToken(.null, 0, 0), count: 64)
  /// The range in which each row's list was written.
  private var pieces = [Range<Int>](repeating: 0..<0, count: 64)

  /// Removes all members.
  mutating func removeAll() {
    (present, listed) = (0, 0)
    if !unknown.isEmpty { unknown.removeAll(keepingCapacity: true) }
  }

  /// Takes the members of the next object, of a class.
  mutating func take(
    _ scanner: inout JSONScanner, as objectClass: ObjectClass, _ lists: inout FactWriter
  ) throws(JSONFault) {
    try FieldTable.with(objectClass) { table throws(JSONFault) in
      try take(&scanner, by: table, &lists)
    }
  }

  /// Takes the members of the next object, each into its row of the table.
  ///
  /// - Parameter lists: Writes lists at once, so that nothing is read twice.
  mutating func take<Lists: ListTaking & ~Copyable>(
    _ scanner: inout JSONScanner, by table: FieldTable, _ lists: inout Lists
  ) throws(JSONFault) {
    removeAll()
    lists.forget()
    order.begin()
    try scanner.open(.object)
    while let (name, index) = try scanner.nextName(of: table.names, &order) {
      guard let index else {
        unknown.append(member: name, try scanner.value(), scanner.bytes)
        continue
      }
      let row = table.row(ofName: index)
      let bit: UInt64 = 1 << UInt64(row)
      present |= bit
      listed &= ~bit
      let kind = try scanner.kindHere()
      if kind == .array, table.listRows & bit != 0,
        let piece = lists.take(row, of: table, &scanner)
      {
        pieces[row] = piece
        listed |= bit
        continue
      }
      let value = try scanner.value(kind)
      values[row] = value
      if table.lossyRows & bit != 0, loses(value, table, row, scanner.bytes) {
        unknown.append(member: name, value, scanner.bytes)
      }
    }
    if !unknown.isEmpty { unknown.append(UInt8(ascii: "}")) }
  }

  /// Whether the row's field cannot hold all of a value, which is then also kept as written.
  private func loses(
    _ value: JSONToken, _ table: FieldTable, _ row: Int, _ bytes: RawSpan
  ) -> Bool {
    if case .media = table.rows[row].reading { return value.kind == .object }
    return value.kind == .array && bytes.hasObject(in: value)
  }

  /// Whether a row has a value.
  func has(_ row: Int) -> Bool { present & 1 << UInt64(row) != 0 }

  /// Returns the range in which a row's list was written, if it was.
  func piece(ofRow row: Int) -> Range<Int>? { listed & 1 << UInt64(row) != 0 ? pieces[row] : nil }

  /// The value of a row; `nil` for a list that is already written.
  subscript(row: Int) -> JSONToken? {
    (present & ~listed) & 1 << UInt64(row) != 0 ? values[row] : nil
  }
}

/// A writer that receives the lists of objects as soon as they are met.
protocol ListTaking: ~Copyable {
  /// Discards what was written for the previous object.
  mutating func forget()

  /// Writes the next list for a row of a table. Returns its range, or `nil` if the list is to be
  /// read later, on its own.
  mutating func take(_ row: Int, of table: FieldTable, _ scanner: inout JSONScanner) -> Range<Int>?
}

/// A list writer that takes no lists: all are read later.
struct NoLists: ListTaking {
  mutating func forget() {}

  mutating func take(_ row: Int, of table: FieldTable, _ scanner: inout JSONScanner) -> Range<Int>?
  {
    nil
  }
}

extension RawSpan {
  /// Whether any item of an array is an object.
  fileprivate func hasObject(in array: JSONToken) -> Bool {
    var scanner = JSONScanner(self, at: array.start)
    do throws(JSONFault) {
      try scanner.open(.array)
      while try scanner.nextItem() { if try scanner.value().kind == .object { return true } }
    } catch {}
    return false
  }
}
