import EventStore

/// Reads objects of a kind that has few members, such as a name and an address.
struct PartReader {
  /// What the members of one object are, in the order of their names.
  struct Parts {
    var first: JSONToken?
    var second: JSONToken?
    var third: JSONToken?
  }

  /// Members of the last object that have other names, as an object; empty where there were none.
  private(set) var unknown: [UInt8] = []
  private let names: JSONNames
  private var order = JSONNameOrder()

  /// A reader of members of such names, of which three count at most.
  init(_ names: JSONNames) { self.names = names }

  /// The members of the object that is next.
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
  /// Appends a member as it was written to an object of such, which is begun where there is none.
  mutating func append(member name: JSONToken, _ value: JSONToken, _ bytes: RawSpan) {
    append(isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
    append(payload: bytes.extracting(name.range))
    append(UInt8(ascii: ":"))
    append(payload: bytes.extracting(value.range))
  }
}
