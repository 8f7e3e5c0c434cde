import EventStore
import Tideline

/// The members of one object: of each field the last that was said, and others as they were
/// written.
///
/// One may be used for many objects after each other, and then allocates only as it grows.
struct MemberSet: ~Copyable {
  /// The rows that have a value, a bit for each.
  private(set) var present: UInt64 = 0
  /// Members that no field is for, as an object; empty where there are none.
  private(set) var unknown: [UInt8] = []
  /// The rows whose lists were written, a bit for each.
  private var listed: UInt64 = 0
  private var order = JSONNameOrder()
  private var values = [JSONToken](repeating: JSONToken(.null, 0, 0), count: 64)
  /// Where the list of a row was written.
  private var pieces = [Range<Int>](repeating: 0..<0, count: 64)

  /// Forgets all members.
  mutating func removeAll() {
    (present, listed) = (0, 0)
    if !unknown.isEmpty { unknown.removeAll(keepingCapacity: true) }
  }

  /// Takes the members of the object that is next, each as the field that a table has for it.
  ///
  /// - Parameter lists: Who is given lists to write at once, so that nothing is read twice.
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

  /// Whether something of a value has no place in a field that may hold less, so that all of it is
  /// kept.
  private func loses(
    _ value: JSONToken, _ table: FieldTable, _ row: Int, _ bytes: RawSpan
  ) -> Bool {
    if case .media = table.rows[row].reading { return value.kind == .object }
    return value.kind == .array && bytes.hasObject(in: value)
  }

  /// Whether a row has a value.
  func has(_ row: Int) -> Bool { present & 1 << UInt64(row) != 0 }

  /// Where the list of a row was written, if it was.
  func piece(ofRow row: Int) -> Range<Int>? { listed & 1 << UInt64(row) != 0 ? pieces[row] : nil }

  /// What a row was said to be; `nil` for a list that was written.
  subscript(row: Int) -> JSONToken? {
    (present & ~listed) & 1 << UInt64(row) != 0 ? values[row] : nil
  }
}

/// Who is given the lists of objects as soon as they are met.
protocol ListTaking: ~Copyable {
  /// Forgets what was written of another object.
  mutating func forget()

  /// Writes the list that is next, for a row of a table; returns where, or `nil` where it is to be
  /// read later, by itself.
  mutating func take(_ row: Int, of table: FieldTable, _ scanner: inout JSONScanner) -> Range<Int>?
}

/// Nobody: lists are read later.
struct NoLists: ListTaking {
  mutating func forget() {}

  mutating func take(_ row: Int, of table: FieldTable, _ scanner: inout JSONScanner) -> Range<Int>?
  {
    nil
  }
}

extension RawSpan {
  /// Whether an item of an array is an object.
  fileprivate func hasObject(in array: JSONToken) -> Bool {
    var scanner = JSONScanner(self, at: array.start)
    do throws(JSONFault) {
      try scanner.open(.array)
      while try scanner.nextItem() { if try scanner.value().kind == .object { return true } }
    } catch {}
    return false
  }
}
