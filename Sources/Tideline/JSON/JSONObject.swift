import EventStore

/// The members of a JSON object, ordered by the bytes of their names, each name once.
package struct JSONObject: Sendable, Hashable {
  /// A name and its value.
  package struct Member: Sendable, Hashable {
    /// The name.
    package let name: String
    /// The value.
    package var value: JSONValue
  }

  private var members: [Member] = []

  /// No members.
  package init() {}

  /// Creates an object from members in any order; of members with the same name, the last counts.
  ///
  /// - Complexity: O(*n* log *n*).
  package init(_ pairs: [(name: String, value: JSONValue)]) {
    let sorted = pairs.enumerated().sorted { a, b in
      a.element.name.precedes(b.element.name)
        || !b.element.name.precedes(a.element.name) && a.offset < b.offset
    }
    for (_, pair) in sorted {
      if let last = members.last, !last.name.precedes(pair.name) { members.removeLast() }
      members.append(Member(name: pair.name, value: pair.value))
    }
  }

  /// The value with a name; names are equal if their bytes are.
  ///
  /// - Complexity: O(log *n*) to get and to replace, O(*n*) to add and to remove.
  package subscript(name: String) -> JSONValue? {
    get {
      let index = firstIndex(notBelow: name)
      return holds(name, at: index) ? members[index].value : nil
    }
    set {
      let index = firstIndex(notBelow: name)
      let found = index..<(index + (holds(name, at: index) ? 1 : 0))
      members.replaceSubrange(found, with: newValue.map { [Member(name: name, value: $0)] } ?? [])
    }
  }

  private func holds(_ name: String, at index: Int) -> Bool {
    index < members.endIndex && !name.precedes(members[index].name)
  }

  private func firstIndex(notBelow name: String) -> Int {
    members.lowerBound(where: { $0.name.precedes(name) })
  }
}

extension JSONObject: Sequence {
  /// The number of members.
  package var count: Int { members.count }

  /// Whether the object has no members.
  package var isEmpty: Bool { members.isEmpty }

  /// The members whose names are wanted.
  package func filter(_ isWanted: (String) -> Bool) -> JSONObject {
    var object = JSONObject()
    object.members = members.filter { isWanted($0.name) }
    return object
  }

  package func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }
}

extension JSONObject {
  /// The value at a path of names, through objects only.
  package subscript(path names: [Substring]) -> JSONValue? {
    guard let first = names.first, let value = self[String(first)] else { return nil }
    guard names.count > 1 else { return value }
    guard case .object(let inner) = value else { return nil }
    return inner[path: Array(names.dropFirst())]
  }

  /// Removes the value at a path, and the objects around it that become empty.
  package mutating func remove(path names: [Substring]) {
    guard let name = names.first.map(String.init) else { return }
    guard names.count > 1 else { return self[name] = nil }
    guard case .object(var inner)? = self[name] else { return }
    inner.remove(path: Array(names.dropFirst()))
    self[name] = inner.isEmpty ? nil : .object(inner)
  }
}

extension String {
  /// Whether its bytes sort before another's.
  fileprivate func precedes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
