/// The windows open on one list, found by the rank that changed.
///
/// They are grouped into classes of similar width, each sorted by where its windows begin: a window
/// that contains a rank begins at most one width before it. So a lookup costs the number found and
/// one search per width class, however many windows are open.
struct WindowSet<ID: Hashable> {
  private struct Entry {
    let lower: Int
    let upper: Int
    let id: ID
  }

  /// Windows of at least 2ⁿ and fewer than 2ⁿ⁺¹ ranks, by n.
  private var classes: [Int: [Entry]] = [:]

  /// The number of windows.
  private(set) var count = 0

  /// Whether the set is empty.
  var isEmpty: Bool { count == 0 }

  /// The greatest end of a window, or 0 if there is none.
  ///
  /// - Complexity: O(*n*)
  var upperBound: Int {
    classes.values.reduce(0) { $1.reduce($0) { max($0, $1.upper) } }
  }

  /// Adds a window.
  ///
  /// - Complexity: O(*n*) in the windows of its class, as for an array's insertion.
  mutating func insert(_ id: ID, _ window: Range<Int>) {
    let entry = Entry(lower: window.lowerBound, upper: window.upperBound, id: id)
    var entries = classes[Self.class(of: window)] ?? []
    entries.insert(entry, at: Self.index(in: entries, notBelow: window.lowerBound))
    classes[Self.class(of: window)] = entries
    count += 1
  }

  /// Removes a window that was inserted.
  mutating func remove(_ id: ID, _ window: Range<Int>) {
    let key = Self.class(of: window)
    guard var entries = classes[key],
      let index = entries[Self.index(in: entries, notBelow: window.lowerBound)...]
        .firstIndex(where: { $0.id == id })
    else { return }
    entries.remove(at: index)
    classes[key] = entries.isEmpty ? nil : entries
    count -= 1
  }

  /// Calls `body` with each window that contains one of the ranks.
  func forEach(meeting ranks: Range<Int>, _ body: (ID) -> Void) {
    for (exponent, entries) in classes {
      let widest = exponent >= 61 ? Int.max : 2 << exponent
      let first = ranks.lowerBound < widest ? 0 : ranks.lowerBound - widest + 1
      var index = Self.index(in: entries, notBelow: first)
      while index < entries.count, entries[index].lower < ranks.upperBound {
        if entries[index].upper > ranks.lowerBound { body(entries[index].id) }
        index += 1
      }
    }
  }

  /// Calls `body` with every window.
  func forEach(_ body: (ID) throws -> Void) rethrows {
    for entries in classes.values { for entry in entries { try body(entry.id) } }
  }

  /// Traps if a window is in the wrong class or position.
  func checkInvariants() {
    precondition(classes.values.reduce(0) { $0 + $1.count } == count, "the count is wrong")
    for (exponent, entries) in classes {
      precondition(!entries.isEmpty, "an empty class is kept")
      for (entry, next) in zip(entries, entries.dropFirst()) {
        precondition(entry.lower <= next.lower, "windows are out of order")
      }
      for entry in entries {
        precondition(Self.class(of: entry.lower..<entry.upper) == exponent, "in the wrong class")
      }
    }
  }

  private static func `class`(of window: Range<Int>) -> Int {
    let width = UInt(bitPattern: window.upperBound) - UInt(bitPattern: window.lowerBound)
    return UInt.bitWidth - 1 - max(width, 1).leadingZeroBitCount
  }

  private static func index(in entries: [Entry], notBelow lower: Int) -> Int {
    entries.lowerBound(where: { $0.lower < lower })
  }
}
