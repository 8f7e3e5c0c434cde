/// Which of some names comes behind which: objects of a kind mostly have theirs in one order, so
/// that a name need but be compared with the one that is expected.
package struct JSONNameOrder {
  /// For each name that of the one that came behind it last, each from 1 on, or 0 where none did;
  /// the first is of what an object begins with.
  private var followers = [UInt8](repeating: 0, count: 128)
  private var last = 0

  /// One that expects nothing yet.
  package init() {}

  /// Expects what an object begins with.
  package mutating func begin() { last = 0 }

  /// The index of the name that is expected.
  @inline(__always)
  var next: Int? {
    let next = followers[last]
    return next == 0 ? nil : Int(next) - 1
  }

  /// Goes on behind a name.
  @inline(__always)
  mutating func pass(_ index: Int) {
    let name = UInt8(truncatingIfNeeded: index + 1)
    if followers[last] != name { followers[last] = name }
    last = index + 1
  }
}

extension JSONScanner {
  /// The name of an object's next member and its index among some, as ``nextName()``.
  @inline(__always)
  package mutating func nextName(
    of names: borrowing JSONNames, _ order: inout JSONNameOrder
  ) throws(JSONFault) -> (name: JSONToken, index: Int?)? {
    guard try goOn(until: JSONByte.objectEnd) else { return nil }
    if let expected = order.next, let end = names.end(of: expected, at: place, in: bytes) {
      let name = JSONToken(.string, place, end)
      try skipColon(behind: name)
      order.pass(expected)
      return (name, expected)
    }
    let name = try name()
    let index = names.index(of: name, in: bytes)
    if let index { order.pass(index) }
    return (name, index)
  }
}
