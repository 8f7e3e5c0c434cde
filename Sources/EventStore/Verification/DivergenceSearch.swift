import LMDB

/// Finds where views and log diverged: the frame by its mark, and the event by the journal.
struct DivergenceSearch {
  let log: Log
  let definitions: Definitions
  let file: ViewsFile
  let committed: CommittedViews
  let mayGoOn: (Store.Progress) -> Bool

  /// Returns where they diverged; `nil` if no mark reveals it.
  ///
  /// - Parameter end: A replay of the log through the last frame.
  func run(_ end: Replay) throws -> Verification.Divergence? {
    let replay = try Replay(beginningOf: log, definitions)
    let floor = max(replay.position.number, log.floor)
    try fold(replay, floor)
    try replay.rememberViews()
    // The baseline doesn't tell what the frames before the floor held.
    var known: RecordNumber? = log.floor == .zero ? floor : nil
    for mark in committed.marks where mark.number >= floor {
      try fold(replay, mark.number)
      guard committed.mark(of: replay.workspace).agrees(with: mark) else {
        return try divergence(after: known, by: mark.number, replay, end)
      }
      known = mark.number
      try replay.workspace.forgetJournal()
    }
    return nil
  }

  /// Returns a divergence between two marks; its event is unknown if both may have differed before.
  private func divergence(
    after known: RecordNumber?, by mark: RecordNumber, _ replay: Replay, _ end: Replay
  ) throws -> Verification.Divergence {
    guard let known else { return Verification.Divergence(start: .zero, end: mark, event: nil) }
    var found = Verification.Divergence(start: known, end: mark, event: nil)
    found.event = try event(of: found, replay, end)
    return found
  }

  private func fold(_ replay: Replay, _ number: RecordNumber) throws {
    try replay.fold(through: number) { done in
      mayGoOn(Store.Progress(done: done, last: committed.mark.number))
    }
  }

  /// Returns the first event that the two journals report differently, or else the first that
  /// changed something that differs in the end; `nil` if a row that they report can't be found.
  ///
  /// Rows are told apart by their names: over a baseline, a replay numbers them otherwise than the
  /// file, which may have met them earlier and in another order.
  private func event(
    of stretch: Verification.Divergence, _ replay: Replay, _ end: Replay
  ) throws -> RecordNumber? {
    let reader = KeptReader(file.environment)
    defer { reader.end() }
    try reader.renew()
    let journal = try Journal(over: JournalBase(reader, file.journal))
    let range = (stretch.start.rawValue, stretch.end.rawValue)
    let told: [UInt64]
    do { told = try differences(replay.workspace, journal, range, reader) } catch {
      guard (error as? LMDBError)?.code == .notFound else { throw error }
      return nil
    }
    if let first = told.min() { return RecordNumber(rawValue: first) }
    guard let meta = try ViewsBase(file, reader).readMeta() else { return nil }
    try fold(end, meta.applied.number)
    let changed = try end.workspace.state.shelves.enumerated().compactMap { place, shelf in
      let number = shelf.collection.number
      let totals = meta.totals.first { $0.collection == number }?.totals
      let differing = try shelf.differences(
        from: rows(at: place, reader), through: totals?.lastID ?? 0)
      return try journal.firstChange(of: differing, .rows(of: number), range)
    }
    return changed.min().map { RecordNumber(rawValue: $0) }
  }

  /// Returns, for each stream, the first event that the replay and the file report differently.
  ///
  /// - Throws: `notFound` if a row that they report can't be found.
  private func differences(
    _ workspace: Workspace, _ journal: borrowing Journal, _ range: (UInt64, UInt64),
    _ reader: KeptReader
  ) throws -> [UInt64] {
    var told: [UInt64] = []
    for pair in streams(of: workspace) {
      let (shelf, base) = (workspace.state.shelves[pair.place], rows(at: pair.place, reader))
      let mine = try workspace.journal.eventHashes(of: pair.own, range) {
        row throws(LMDBError) in try shelf.nameHash(of: row)
      }
      let theirs = try journal.eventHashes(of: pair.other, range) {
        row throws(LMDBError) in try base.nameHash(of: row)
      }
      guard let mine, let theirs else { continue }
      let differing = Set(mine.keys).union(theirs.keys).filter { mine[$0] != theirs[$0] }
      if let first = differing.min() { told.append(first) }
    }
    return told
  }

  /// Returns the file's rows of the collection at a place among the reducer's.
  private func rows(at place: Int, _ reader: KeptReader) -> RowBase {
    RowBase(reader, file.rows[place], of: definitions.collections[place])
  }

  /// A stream of the replay's journal, the corresponding one in the file, and the place of the
  /// collection whose rows both report.
  private struct StreamPair {
    let own: JournalStream
    let other: JournalStream
    let place: Int
  }

  private func streams(of workspace: Workspace) -> [StreamPair] {
    let rows = definitions.collections.enumerated().map { place, collection -> StreamPair in
      let stream = JournalStream.rows(of: collection.number)
      return StreamPair(own: stream, other: stream, place: place)
    }
    let views = zip(workspace.state.lists.views, committed.numbers)
    let lists = views.compactMap { view, number -> StreamPair? in
      guard let number else { return nil }
      let other = JournalStream.lists(ofView: UInt16(truncatingIfNeeded: number))
      return StreamPair(own: view.stream, other: other, place: Int(view.collection))
    }
    return rows + lists
  }
}

extension Workspace {
  /// Discards what the journal reported so far, when no base lies beneath it.
  fileprivate func forgetJournal() throws(LMDBError) {
    _ = try journal.freeze()
    journal.committed()
  }
}

extension Shelf {
  /// Returns, for each row of another table through a number, the visible fields in which it
  /// differs from the row of the same name here.
  fileprivate func differences(
    from base: RowBase, through last: UInt32
  ) throws -> [UInt32: UInt64] {
    var differences: [UInt32: UInt64] = [:]
    let (rows, shape) = (try rowsByName(), collection.shape)
    for id in 0..<last {
      // An unreadable value is known to be damaged, and no event changed it.
      guard let name = try? base.nameHash(of: id + 1) else { continue }
      let own = try bytes(of: rows[name])
      let fields = try base.read(id + 1) { other -> UInt64 in
        guard let own else { return other?.changes(from: nil, shape) ?? 0 }
        return RowView(own.raw).changes(from: other, shape)
      }
      if fields != 0 { differences[id + 1] = fields }
    }
    return differences
  }

  private func bytes(of row: RowID?) throws -> [UInt8]? {
    guard let row else { return nil }
    return try table.withRow(row) { $0?.bytes.array }
  }

  /// Returns the rows by the hashes of their names.
  private func rowsByName() throws(LMDBError) -> [UInt64: RowID] {
    var rows: [UInt64: RowID] = [:]
    for id in 0..<table.totals.lastID {
      let name = try nameHash(of: id + 1)
      rows[name] = RowID(rawValue: id + 1)
    }
    return rows
  }

  /// Returns a hash of a row's name.
  ///
  /// - Throws: `notFound` if there is no such row, or it can't be read.
  fileprivate func nameHash(of row: UInt32) throws(LMDBError) -> UInt64 {
    let hash = try? table.withRow(RowID(rawValue: row)) { $0?.nameHash }
    guard let hash else { throw RowBase.unnamed(row) }
    return hash
  }
}

extension RowBase {
  /// Returns a hash of a row's name.
  ///
  /// - Throws: `notFound` if there is no such row, or it can't be read.
  fileprivate func nameHash(of row: UInt32) throws(LMDBError) -> UInt64 {
    let hash = try? read(row) { $0?.nameHash }
    guard let hash else { throw Self.unnamed(row) }
    return hash
  }

  fileprivate static func unnamed(_ row: UInt32) -> LMDBError {
    LMDBError(.notFound, "read the name of row \(row)")
  }
}

extension RowView {
  /// A hash of the external id.
  fileprivate var nameHash: UInt64 { Mixer.hash(id) }
}
