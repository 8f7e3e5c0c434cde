import LMDB

/// Observers of rows, and the rows that their ids find.
extension Workspace {
  /// Adds an observer of a row; returns what its id finds now.
  func addWatcher(
    _ id: String, in collection: RowCollection, _ deliver: @escaping @Sendable (RowChange) -> Void
  ) throws -> (UInt64, LiveRow.Content) {
    try requireWhole()
    let name = id.withBytes { state.name(of: $0, in: collection) }
    let looker = RowLooker(
      id, state.place(of: collection), name: name, at: position, deliver)
    let target = try state.target(of: looker)
    looker.begin(target, try watchedRow(target))
    return (hub.insert(looker), LiveRow.Content(position: position, row: looker.row))
  }

  /// Delivers what the batch did to watched rows.
  func deliverRows() throws {
    guard !hub.rows.isEmpty else { return }
    try state.touched.inBatch.forEach { place throws in
      guard hub.rows.watches(place) else { return }
      guard !state.touched.upset.contains(place) else { return try seekRows(of: place) }
      let shelf = state.shelves[Int(place)]
      for id in watchers(touchedOn: shelf, place) {
        guard let looker = hub.rows.lookers[id] else { continue }
        try tell(id, looker, of: state.target(of: looker))
      }
    }
  }

  /// Looks up all watched rows by their ids, because their numbers may differ in other views, and
  /// delivers those that changed.
  ///
  /// - Complexity: O(log *n*) for each observer.
  func seekRows(of place: UInt8? = nil) throws {
    for (id, looker) in hub.rows.lookers where place == nil || place == looker.collection {
      try tell(id, looker, of: try state.target(of: looker))
    }
  }

  private func tell(_ id: UInt64, _ looker: RowLooker, of target: RowHandle?) throws {
    hub.rows.move(id, looker, to: target)
    looker.take(try watchedRow(target), at: position)
  }

  /// Returns the observers of rows that the batch touched, or of ids whose rows it created.
  private func watchers(touchedOn shelf: Shelf, _ place: UInt8) -> [UInt64] {
    var ids: [UInt64] = []
    shelf.table.forEachRowOfBatch { row, isNew in
      ids += hub.rows.watchers(of: RowHandle(collection: place, row: row))
      guard isNew, hub.rows.hasNames else { return }
      _ = try? shelf.table.withRow(row) { view in
        guard let view else { return }
        ids += hub.rows.watchers(ofName: state.name(of: view.id, in: shelf.collection))
      }
    }
    return ids
  }

  /// Returns the row that an id stands for, if it is present.
  private func watchedRow(_ target: RowHandle?) throws -> Row? {
    guard let target else { return nil }
    let shelf = state.shelves[Int(target.collection)]
    return try shelf.table.withRow(target.row) { row in
      guard let row, row.isPresent else { return nil }
      return Row(row, shelf.collection.shape)
    }
  }
}

extension ReducerState {
  /// Returns the row that a watched id stands for, present or not.
  ///
  /// - Complexity: That of finding a name.
  fileprivate mutating func target(of looker: RowLooker) throws -> RowHandle? {
    let shelf = shelves[Int(looker.collection)]
    let row = try looker.id.withBytes { id throws in
      try names.find(looker.name) { try shelf.flags(of: $0, having: id) != nil }
    }
    return try row.map {
      try shelf.target(of: RowHandle(collection: looker.collection, row: $0))
    }
  }
}
