import EventStore

/// Reads objects that have few members, such as a name and an address.
struct PartReader {
  /// The values of the members of one object, in the order of their names.
  struct Parts {
    var first: JSONToken?
    var second: JSONToken?
    var third: JSONToken?
  }

  /// The members of the last object that have other names, as a JSON object; empty if there are
  /// none.
  private(set) var unknown: [UInt8] = []
  private let names: JSONNames
  private var order = JSONNameOrder()

  /// Creates a reader of members with these names; only the first three are used.
  init(_ names: JSONNames) { self.names = names }

  /// Returns the members of the next object.
  mutating func take(_ scanner: inout JSONScanner) throws(JSONFault) -> Parts {
    var parts = Parts()
    if !unknown.isEmpty { unknown.removeAll(keepingCapacity: true) }
    order.begin()
    try scanner.open(.object)
    while let (name, index) = try scanner.nextName(of: names, &order) {
      let value = try scanner.value(try scanner.kindHere())
      switch index {
      case 0: parts.first = value
      case 1: parts.second = value
      case 2: parts.third = value
      default: unknown.append(member: name, value, scanner.bytes)
      }
    }
    if !unknown.isEmpty { unknown.append(UInt8(ascii: "}")) }
    return parts
  }
}

extension [UInt8] {
  /// Appends a member, as written, to an unclosed JSON object; begins the object if this is empty.
  mutating func append(member name: JSONToken, _ value: JSONToken, _ bytes: RawSpan) {
    append(isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
    append(payload: bytes.extracting(name.range))
    append(UInt8(ascii: ":"))
    append(payload: bytes.extracting(value.range))
  }
}
