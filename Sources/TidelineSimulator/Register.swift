/// Items by id, in creation order, which is the same in every run.
struct Register<Thing> {
  /// The ids, in creation order.
  private(set) var ids: [String] = []
  private var things: [String: Thing] = [:]

  /// The number of items.
  var count: Int { ids.count }

  /// All items, in creation order.
  var all: [Thing] { ids.compactMap { things[$0] } }

  /// The item with an id; setting it adds, replaces or removes the item.
  ///
  /// - Complexity: O(1), except for a removal.
  subscript(id: String) -> Thing? {
    get { things[id] }
    set {
      if things[id] == nil, newValue != nil { ids.append(id) }
      if things[id] != nil, newValue == nil { ids.removeAll { $0 == id } }
      things[id] = newValue
    }
  }

  /// Changes an item, if it exists.
  mutating func change(_ id: String, _ body: (inout Thing) -> Void) {
    if let index = things.index(forKey: id) { body(&things.values[index]) }
  }
}
