import LMDB

extension Store {
  /// Checks everything that must hold of a store, whatever was done with it: of its log, of the
  /// parts of its views, and that each list has the rows that its definition says.
  ///
  /// For tests and tools; traps on some of what is wrong. O(*n*) in all that there is.
  ///
  /// - Throws: What is wrong.
  package func checkInvariants() throws {
    try log.checkInvariants()
    try stage.with { workspace in try workspace.checkInvariants() }
  }
}

extension Workspace {
  /// Checks everything that must hold of rows and views.
  func checkInvariants() throws {
    for shelf in state.shelves { try shelf.table.checkInvariants() }
    try state.names.checkInvariants()
    try journal.checkInvariants()
    for view in state.lists.views { try check(view) }
  }

  private func check(_ view: KeptView) throws {
    let (shelf, plan) = (state.shelves[Int(view.collection)], view.plan)
    try view.index.checkInvariants { left, right in
      try Self.precedes(left, right, on: shelf, plan)
    }
    let name = plan.definition.name
    var (groups, keys, hash, count): ([UInt64], KeyBuffer, UInt64, Int) = ([], KeyBuffer(), 0, 0)
    try shelf.table.forEachRow { _, row in
      guard plan.matches(row) else { return }
      groups.removeAll(keepingCapacity: true)
      plan.appendGroups(of: row, to: &groups)
      for group in groups {
        keys.remove()
        let key = plan.appendKey(of: row, in: group, to: &keys)
        hash &+= Mixer.hash(keys.bytes(at: key))
      }
      count += groups.count
    }
    guard view.isBuilt, view.index.count == count, view.index.hash == hash else {
      throw ViewsError.inconsistent("\(name) has \(view.index.count) entries for \(count)")
    }
  }
}
