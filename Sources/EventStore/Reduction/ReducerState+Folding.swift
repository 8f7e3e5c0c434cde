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
    if !lists.isDeferred { journal.append(record.number.rawValue) }
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
    beginEvent()
    var thrown: Refusal?
    do throws(Refusal) { try reducer.reduce(record, into: &self) } catch { thrown = error }
    if let failure { throw failure }
    if !lists.isDeferred { journal.append(record.number.rawValue) }
    if let refusal = thrown ?? refusal {
      rollBackEvent()
      return refusal
    }
    endEvent()
    if let failure { throw failure }
    if let witness { show(to: witness) }
    if isHuge { try endHugeEvent(&journal) }
    if lists.isIdle { passEvent() } else { passEvent(noting: &journal) }
    return nil
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

  /// Moves on after an event and notes what it did to rows and lists for the indexes, the journal,
  /// and subscribers.
  private mutating func passEvent(noting journal: inout Journal) {
    touched.inEvent.forEach { place in
      lists.note(shelves[Int(place)].table, of: place, in: &journal)
      shelves[Int(place)].table.passEvent()
    }
    forgetEvent()
  }
}
