/// Which name usually follows which.
///
/// Objects of a kind mostly have their members in one order, so that a name need only be compared
/// with the expected one.
package struct JSONNameOrder {
  /// For each name, the name that last followed it, both counted from 1, or 0 if none did.
  ///
  /// The first entry is the name that begins an object.
  private var followers = [UInt8](repeating: 0, count: 128)
  private var last = 0

  /// Creates an order that expects nothing yet.
  package init() {}

  /// Expects the first name of an object.
  package mutating func begin() { last = 0 }

  /// The index of the expected name.
  @inline(__always)
  var next: Int? {
    let next = followers[last]
    return next == 0 ? nil : Int(next) - 1
  }

  /// Moves on past a name.
  @inline(__always)
  mutating func pass(_ index: Int) {
    let name = UInt8(truncatingIfNeeded: index + 1)
    if followers[last] != name { followers[last] = name }
    last = index + 1
  }
}

extension JSONScanner {
  /// Returns the name of an object's next member and its index among the names, as ``nextName()``.
  @inline(__always)
  package mutating func nextName(
    of names: borrowing JSONNames, _ order: inout JSONNameOrder
  ) throws(JSONFault) -> (name: JSONToken, index: Int?)? {
    guard try goOn(until: JSONByte.objectEnd) else { return nil }
    if let expected = order.next, let end = names.end(of: expected, at: place, in: bytes) {
      let name = JSONToken(.string, place, end)
      try skipColon(after: name)
      order.pass(expected)
      return (name, expected)
    }
    let name = try name()
    let index = names.index(of: name, in: bytes)
    if let index { order.pass(index) }
    return (name, index)
  }
}
