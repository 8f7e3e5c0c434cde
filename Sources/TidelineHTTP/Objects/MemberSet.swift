import EventStore
import Tideline

/// The members of one object: of each field the last that was said, and others as they were
/// written.
///
/// One may be used for many objects after each other, and then allocates only as it grows.
struct MemberSet {
  /// The rows that have a value, a bit for each.
  private(set) var present: UInt64 = 0
  /// Members that no field is for, as an object; empty where there are none.
  private(set) var unknown: [UInt8] = []
  private var order = JSONNameOrder()
  private var values = [JSONToken](repeating: JSONToken(.null, 0, 0), count: 64)

  /// Forgets all members.
  mutating func removeAll() {
    present = 0
    if !unknown.isEmpty { unknown.removeAll(keepingCapacity: true) }
  }

  /// Takes the members of the object that is next, each as the field that a table has for it.
  mutating func take(
    _ scanner: inout JSONScanner, by table: FieldTable
  ) throws(JSONFault) {
    removeAll()
    order.begin()
    try scanner.open(.object)
    while let (name, index) = try scanner.nextName(of: table.names, &order) {
      let value = try scanner.value()
      guard let index else {
        keep(name, value, scanner.bytes)
        continue
      }
      let row = table.row(ofName: index)
      values[row] = value
      present |= 1 << UInt64(row)
      if table.lossyRows & 1 << UInt64(row) != 0, loses(value, table, row, scanner.bytes) {
        keep(name, value, scanner.bytes)
      }
    }
    if !unknown.isEmpty { unknown.append(UInt8(ascii: "}")) }
  }

  private mutating func keep(_ name: JSONToken, _ value: JSONToken, _ bytes: RawSpan) {
    unknown.append(unknown.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
    unknown.append(payload: bytes.extracting(name.range))
    unknown.append(UInt8(ascii: ":"))
    unknown.append(payload: bytes.extracting(value.range))
  }

  /// Whether something of a value has no place in a field that may hold less, so that all of it is
  /// kept.
  private func loses(
    _ value: JSONToken, _ table: FieldTable, _ row: Int, _ bytes: RawSpan
  ) -> Bool {
    if case .media = table.rows[row].reading { return value.kind == .object }
    return value.kind == .array && bytes.hasObject(in: value)
  }

  /// What a row was said to be.
  subscript(row: Int) -> JSONToken? { present & 1 << UInt64(row) != 0 ? values[row] : nil }
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
