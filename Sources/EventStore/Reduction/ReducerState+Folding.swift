/// What becomes of one event.
extension ReducerState {
  /// Folds a record as the log has it, unless it is one of those that are left out, and notes where
  /// nothing is made of it.
  mutating func fold(
    _ record: borrowing RecordView, by reducer: any Reducer, without skipped: Set<RecordNumber>,
    _ journal: inout Journal, _ refused: inout [RefusedEvent]
  ) throws {
    let isSkipped = !skipped.isEmpty && skipped.contains(record.number)
    guard record.isErased || record.isLost || isSkipped else {
      return try fold(record, by: reducer, &journal, &refused)
    }
    if !lists.isDeferred { journal.append(record.number.rawValue) }
    // What was erased is to be as if it had never been.
    guard !record.isErased else { return }
    let reason = record.isLost ? RefusedEvent.lost : RefusedEvent.endedProcess
    refused.append(RefusedEvent(number: record.number, reason: reason))
  }

  /// Folds a record, and notes where it is refused.
  mutating func fold(
    _ record: borrowing RecordView, by reducer: any Reducer, _ journal: inout Journal,
    _ refused: inout [RefusedEvent]
  ) throws {
    guard let refusal = try fold(record, by: reducer, noting: &journal) else { return }
    refused.append(RefusedEvent(number: record.number, reason: refusal.reason))
  }

  /// Folds a record, and notes in a journal what that did to rows and lists; returns why it is
  /// refused, where it is: then it did nothing.
  ///
  /// - Throws: What makes the state useless.
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

  /// Shows a witness what the event did to rows, but to those that it doesn't know one by one.
  private func show(to witness: EventWitness) {
    touched.inEvent.forEach { place in
      let shelf = shelves[Int(place)]
      guard !shelf.table.isHuge else { return }
      let shape = shelf.shape
      shelf.table.forEachTouchedRow { witness.note(place, $0, $1, $2, shape) }
    }
  }

  /// Goes on behind an event, and notes what it did to rows and lists: for the indexes, the
  /// journal, and who looks.
  private mutating func passEvent(noting journal: inout Journal) {
    let isJournaled = !lists.isDeferred
    touched.inEvent.forEach { place in
      let shelf = shelves[Int(place)]
      let (number, shape) = (shelf.collection.number, shelf.shape)
      shelf.table.passEvent { row, before, now in
        let touched =
          isJournaled
          ? journal.appendRow(row, from: before, to: now, of: number, shape)
          : now.changes(from: before, shape)
        lists.note(
          row, of: place, before: before, now: now, touched: touched, in: &journal)
      }
    }
    forgetEvent()
  }
}
