import EventStore

/// The members of an object of JSON, in the order of their names' bytes, each name once.
package struct JSONObject: Sendable, Hashable {
  /// A name and what it stands for.
  package struct Member: Sendable, Hashable {
    /// The name.
    package let name: String
    /// What it stands for.
    package var value: JSONValue
  }

  private var members: [Member] = []

  /// No members.
  package init() {}

  /// Members in any order; of those that share a name the last counts.
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

  /// The value of that name; names are equal where their bytes are.
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
  /// How many members there are.
  package var count: Int { members.count }

  /// Whether there are none.
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
  /// The value at a path of names with slashes between, through objects only.
  package subscript(path names: [Substring]) -> JSONValue? {
    guard let first = names.first, let value = self[String(first)] else { return nil }
    guard names.count > 1 else { return value }
    guard case .object(let inner) = value else { return nil }
    return inner[path: Array(names.dropFirst())]
  }

  /// Takes away the value at a path, and objects around it that hold nothing else.
  package mutating func remove(path names: [Substring]) {
    guard let name = names.first.map(String.init) else { return }
    guard names.count > 1 else { return self[name] = nil }
    guard case .object(var inner)? = self[name] else { return }
    inner.remove(path: Array(names.dropFirst()))
    self[name] = inner.isEmpty ? nil : .object(inner)
  }
}

extension String {
  /// Whether its bytes come before another's.
  fileprivate func precedes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
