import LMDB

extension Workspace {
  /// The number of rows of a list that a person sees first.
  static let firstRowsMax = 50

  /// Returns the first rows of the reducer's lists observed at their beginning, for a generation.
  func firstWindows(
    in generation: UInt64
  ) throws -> [(key: FirstScreen.Key, window: FirstScreen.Window)] {
    var names: [ListID: String] = [:]
    for looker in hub.lookers.values where looker.window.lowerBound < Self.firstRowsMax {
      guard looker.list.view < keptCount else { continue }
      names[looker.list] = looker.groupName
    }
    return try names.prefix(FirstScreen.entriesMax).map { list, name in
      let plan = plan(of: list.view)
      let key = FirstScreen.Key(view: plan.definition.name, plan: plan.hash, group: name)
      let ranks = try ranks(of: list)
      let rows = try rows(of: list, in: ranks.prefix(Self.firstRowsMax), of: ranks)
      let window = FirstScreen.Window(
        rows: rows.map(\.storage), count: ranks.count, applied: applied, generation: generation,
        group: list.group)
      return (key, window)
    }
  }
}
