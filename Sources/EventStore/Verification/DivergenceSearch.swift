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
    // Before the floor, the baseline doesn't tell what a frame held.
    var known = max(replay.position.number, log.floor)
    try fold(replay, known)
    if let mark = committed.marks.first(where: { $0.number == known }),
      !committed.mark(of: replay.workspace).agrees(with: mark)
    {
      return Verification.Divergence(start: .zero, end: known, event: nil)
    }
    try replay.rememberViews()
    for mark in committed.marks where mark.number > known {
      try fold(replay, mark.number)
      guard committed.mark(of: replay.workspace).agrees(with: mark) else {
        var found = Verification.Divergence(start: known, end: mark.number, event: nil)
        found.event = try event(of: found, replay, end)
        return found
      }
      known = mark.number
      try replay.workspace.forgetJournal()
    }
    return nil
  }

  private func fold(_ replay: Replay, _ number: RecordNumber) throws {
    try replay.fold(through: number) { done in
      mayGoOn(Store.Progress(done: done, last: committed.mark.number))
    }
  }

  /// Returns the first event that the two journals report differently, or else the first that
  /// changed something that differs in the end.
  private func event(
    of stretch: Verification.Divergence, _ replay: Replay, _ end: Replay
  ) throws -> RecordNumber? {
    let reader = KeptReader(file.environment)
    defer { reader.end() }
    try reader.renew()
    let journal = try Journal(over: JournalBase(reader, file.journal))
    let range = (stretch.start.rawValue, stretch.end.rawValue)
    let told = try streams(of: replay.workspace).compactMap { own, other in
      try replay.workspace.journal.firstDifference(own, from: journal, other, range)
    }
    if let first = told.min() { return RecordNumber(rawValue: first) }
    guard let now = try ViewsBase(file, reader).readMeta()?.applied.number else { return nil }
    try fold(end, now)
    let changed = try end.workspace.state.shelves.enumerated().compactMap { place, shelf in
      let base = RowBase(reader, file.rows[place], of: shelf.collection)
      let differing = try shelf.differences(from: base)
      return try journal.firstChange(of: differing, .rows(of: shelf.collection.number), range)
    }
    return changed.min().map { RecordNumber(rawValue: $0) }
  }

  /// Pairs the streams of the journal with the corresponding ones in the file.
  private func streams(
    of workspace: Workspace
  ) -> [(own: JournalStream, other: JournalStream)] {
    let rows = definitions.collections.map { JournalStream.rows(of: $0.number) }
    let lists = zip(workspace.state.lists.views, committed.numbers).compactMap { view, number in
      number.map { (view.stream, JournalStream.lists(ofView: UInt16(truncatingIfNeeded: $0))) }
    }
    return rows.map { ($0, $0) } + lists
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
  /// Returns, for each row, the visible fields that differ from another table.
  fileprivate func differences(from base: RowBase) throws -> [UInt32: UInt64] {
    var differences: [UInt32: UInt64] = [:]
    let shape = collection.shape
    for id in 0..<table.totals.lastID {
      let own = try table.withRow(RowID(rawValue: id + 1)) { $0?.bytes.array }
      let fields = try? base.read(id + 1) { other -> UInt64 in
        guard let own else { return other?.changes(from: nil, shape) ?? 0 }
        return RowView(own.raw).changes(from: other, shape)
      }
      // An unreadable value is known to be damaged, and no event changed it.
      if let fields, fields != 0 { differences[id + 1] = fields }
    }
    return differences
  }
}

extension Journal {
  /// Returns the first event of a range that two journals report differently; `nil` if there is
  /// none, or if a journal doesn't reach back that far.
  fileprivate borrowing func firstDifference(
    _ stream: JournalStream, from other: borrowing Journal, _ otherStream: JournalStream,
    _ range: (after: UInt64, through: UInt64)
  ) throws(LMDBError) -> UInt64? {
    guard let mine = try eventHashes(of: stream, range),
      let theirs = try other.eventHashes(of: otherStream, range)
    else { return nil }
    return Set(mine.keys).union(theirs.keys).filter { mine[$0] != theirs[$0] }.min()
  }

  /// Returns a hash of what is reported of each event in a range; `nil` if the journal doesn't
  /// reach back that far.
  private borrowing func eventHashes(
    of stream: JournalStream, _ range: (after: UInt64, through: UInt64)
  ) throws(LMDBError) -> [UInt64: UInt64]? {
    guard let floor = floor(of: stream), floor <= range.after else { return nil }
    var hashes: [UInt64: UInt64] = [:]
    let isRows = stream >= JournalStream.rows(of: 0)
    try forEachBlock(of: stream, after: range.after) { block throws(LMDBError) in
      while true {
        var hash: UInt64?
        if isRows {
          hash = try block.nextRow()?.hash
        } else {
          hash = try block.nextList()?.hash
        }
        guard let hash else { return }
        guard block.number > range.after, block.number <= range.through else { continue }
        var mixer = Mixer(seed: hashes[block.number] ?? 0)
        mixer.add(hash)
        hashes[block.number] = mixer.value
      }
    }
    return hashes
  }

  /// Returns the first event of a range that changed one of the given fields of rows.
  fileprivate borrowing func firstChange(
    of fields: [UInt32: UInt64], _ stream: JournalStream,
    _ range: (after: UInt64, through: UInt64)
  ) throws(LMDBError) -> UInt64? {
    guard !fields.isEmpty, let floor = floor(of: stream), floor <= range.after else { return nil }
    var first: UInt64?
    try forEachBlock(of: stream, after: range.after) { block throws(LMDBError) in
      while let entry = try block.nextRow() {
        guard block.number > range.after, block.number <= range.through,
          entry.changed & (fields[entry.row] ?? 0) != 0
        else { continue }
        first = min(first ?? block.number, block.number)
      }
    }
    return first
  }
}

extension RowEntry {
  fileprivate var hash: UInt64 {
    var mixer = Mixer(seed: UInt64(row))
    mixer.add(UInt64(flags))
    mixer.add(changed)
    mixer.add(had)
    for field in 0..<64 where changed >> UInt64(field) & 1 == 1 { mixer.add(digest(of: field)) }
    return mixer.value
  }
}

extension ListEntry {
  fileprivate var hash: UInt64 {
    var (old, new): ([UInt8], [UInt8]) = ([], [])
    if hasOld { appendOldKey(to: &old) }
    if hasNew { appendNewKey(to: &new) }
    var mixer = Mixer(seed: UInt64(row))
    mixer.add(group)
    mixer.add((hasOld ? 1 : 0) | (hasNew ? 2 : 0))
    mixer.add(old.raw)
    mixer.add(new.raw)
    return mixer.value
  }
}
