import LMDB

extension RowTable {
  /// Checks all invariants of rows: each assigned number has a row, rows lie within the arenas that
  /// their layer holds, all are canonical, and together they match the totals.
  ///
  /// For tests and tools; traps on any violation.
  ///
  /// - Complexity: O(*n*) in the bytes of all rows.
  /// - Throws: ``RowError/storage(_:)`` if committed rows can't be read.
  package func checkInvariants() throws(RowError) {
    dirty.checkInvariants(collection.shape)
    frozen.checkInvariants(collection.shape)
    spare.checkInvariants(collection.shape)
    precondition(spare.byteCount == 0, "the spare layer is not empty")
    precondition(dirty.new.last == nil || dirty.lastID == totals.lastID, "numbers have a gap")
    for id in 0..<totals.lastID {
      let isThere = try withRow(RowID(rawValue: id + 1)) { $0 != nil }
      precondition(isThere, "row \(id + 1) is nowhere")
    }
    guard notes.isIdle else { return }
    let counted = try countedTotals()
    precondition(counted == totals, "the rows are not what was summed up")
  }
}

extension RowLayer {
  fileprivate var lastID: UInt32 { firstNew + UInt32(new.count) - 1 }

  fileprivate func checkInvariants(_ shape: RowShape) {
    old.forEach { id, place in
      precondition(id < firstNew && self.place(of: id) == place, "row \(id) is not where it is")
      check(place, shape)
    }
    for place in new { check(place, shape) }
    shared.checkInvariants()
  }

  private func check(_ place: UInt32, _ shape: RowShape) {
    let head = head(at: place)
    precondition(head.count <= head.room, "a row is larger than its place")
    if let index = sharedIndex(place) {
      precondition(index < shared.count, "a row that is shared is not there")
    } else {
      let end = Self.start(place) + Int(head.room)
      precondition(end <= arena.count, "a place is not in the arena")
    }
    let row = row(at: place)
    guard row.isPresent else { return precondition(row.idRange.upperBound == row.bytes.byteCount) }
    precondition(row.isRow(shape, having: shape.all), "a row has bytes that its values have not")
  }
}
