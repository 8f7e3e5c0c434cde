/// Things by their ids, in the order in which they were made: the same in every run.
struct Register<Thing> {
  /// The ids, the first made first.
  private(set) var ids: [String] = []
  private var things: [String: Thing] = [:]

  /// How many there are.
  var count: Int { ids.count }

  /// All of them, the first made first.
  var all: [Thing] { ids.compactMap { things[$0] } }

  /// The thing of an id; one that is set is made where there is none, one that is taken away is
  /// forgotten.
  ///
  /// - Complexity: O(1), but for one that is taken away.
  subscript(id: String) -> Thing? {
    get { things[id] }
    set {
      if things[id] == nil, newValue != nil { ids.append(id) }
      if things[id] != nil, newValue == nil { ids.removeAll { $0 == id } }
      things[id] = newValue
    }
  }

  /// Changes a thing, if it is there.
  mutating func change(_ id: String, _ body: (inout Thing) -> Void) {
    if let index = things.index(forKey: id) { body(&things.values[index]) }
  }
}
