/// Folding of single events.
extension ReducerState {
  /// Folds a record from the log unless it is erased, lost, or skipped, and notes any refusal; lost
  /// and skipped records count as refused.
  mutating func fold(
    _ record: borrowing RecordView, by reducer: any Reducer, without skipped: Set<RecordNumber>,
    _ journal: inout Journal, _ refused: inout [RefusedEvent]
  ) throws {
    let isSkipped = !skipped.isEmpty && skipped.contains(record.number)
    guard record.isErased || record.isLost || isSkipped else {
      return try fold(record, by: reducer, &journal, &refused)
    }
    begin(record.number, &journal)
    // An erased record must leave no trace.
    guard !record.isErased else { return }
    let reason = record.isLost ? RefusedEvent.lost : RefusedEvent.endedProcess
    refused.append(RefusedEvent(number: record.number, reason: reason))
  }

  /// Folds a record and notes a refusal, if any.
  mutating func fold(
    _ record: borrowing RecordView, by reducer: any Reducer, _ journal: inout Journal,
    _ refused: inout [RefusedEvent]
  ) throws {
    guard let refusal = try fold(record, by: reducer, noting: &journal) else { return }
    refused.append(RefusedEvent(number: record.number, reason: refusal.reason))
  }

  /// Folds a record and notes its changes to rows and lists in a journal; returns the refusal, if
  /// any, in which case nothing changed.
  ///
  /// - Throws: An error that makes the state unusable.
  private mutating func fold(
    _ record: borrowing RecordView, by reducer: any Reducer, noting journal: inout Journal
  ) throws -> Refusal? {
    begin(record.number, &journal)
    var thrown: Refusal?
    do throws(Refusal) { try reducer.reduce(record, into: &self) } catch { thrown = error }
    if let failure { throw failure }
    if let refusal = thrown ?? refusal {
      rollBackEvent()
      return refusal
    }
    endEvent()
    if let failure { throw failure }
    if let witness { show(to: witness) }
    if isHuge { try endHugeEvent(&journal) }
    return nil
  }

  /// Begins the event of a record, and moves on after the one before.
  private mutating func begin(_ number: RecordNumber, _ journal: inout Journal) {
    passEvent(noting: &journal)
    if !lists.isDeferred { journal.append(number.rawValue) }
    beginEvent()
  }

  /// Shows a witness what the event did to rows, except in collections whose rows aren't noted
  /// singly.
  private func show(to witness: EventWitness) {
    touched.inEvent.forEach { place in
      let shelf = shelves[Int(place)]
      guard !shelf.table.isHuge else { return }
      let shape = shelf.shape
      shelf.table.forEachTouchedRow { witness.note(place, $0, $1, $2, shape) }
    }
  }

  /// Brings some views up to date with the last event before ``passEvent(noting:)`` notes it for
  /// all.
  mutating func settleAhead(_ views: ViewSet) throws {
    guard !views.isEmpty, !lists.isIdle else { return }
    lists.beginAhead(views)
    touched.inEvent.forEach { lists.noteAhead(shelves[Int($0)].table, of: $0) }
    try lists.settle(shelves, only: views)
  }

  /// Moves on after the last event and notes what it did to rows and lists for the indexes, the
  /// journal, and subscribers.
  ///
  /// Most of that is for nobody who looks at views, so whoever does is told before.
  mutating func passEvent(noting journal: inout Journal) {
    if lists.isIdle { return passEvent() }
    touched.inEvent.forEach { place in
      lists.note(shelves[Int(place)].table, of: place, in: &journal)
      shelves[Int(place)].table.passEvent()
    }
    forgetEvent()
  }
}
