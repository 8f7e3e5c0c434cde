import EventStore

/// Servers' answers, and stream positions.
extension ReducerState {
  /// Applies an exchange with a server, including the objects it reports as unchanged.
  mutating func apply(_ exchange: Exchange, _ occasion: Occasion) throws(Refusal) {
    let row = try row(answerID(occasion.number, occasion), in: Answers.collection)
    try edit(row) { row in
      row[Answers.exchange] = Mark(rawValue: occasion.number.rawValue)
      row[Answers.sentAfter] = Mark(rawValue: exchange.sentAfter.rawValue)
      row[Answers.isOneObject] = exchange.request == .object ? true : nil
      row[Answers.account] = Int64(occasion.account)
    }
    let answered = occasion.answered
    for names in exchange.unchanged {
      for id in names.ids {
        guard let entity = object(id, names.objectClass, occasion), isOpen(entity),
          !isFinal(entity, occasion), tombstone(of: entity, named: id, occasion) == nil
        else { continue }
        let base = base(of: entity)
        var known = FieldBits(bitPattern: self[base, InboxFields.known] ?? 0)
        if known & Threads.tagIDs.bit != 0 { known |= .marks }
        known &= ~ownedFields(of: entity)
        try settle(entity, known, version: self[base, InboxFields.version], answered)
      }
    }
  }

  /// Applies a new cursor of a stream.
  mutating func apply(_ cursor: CursorSet, _ occasion: Occasion) throws(Refusal) {
    let row = try row(occasion.rowID(cursor.stream), in: Cursors.collection)
    try edit(row) { row in
      row[Cursors.account] = Int64(occasion.account)
      row[Cursors.stream] = cursor.stream
      row[Cursors.cursor] = cursor.cursor
      row[Cursors.isAtEnd] = cursor.isAtEnd ? true : nil
    }
  }

  /// Applies the loss of a stream's cursor.
  mutating func apply(_ reset: CursorReset, _ occasion: Occasion) {
    if let row = find(occasion.rowID(reset.stream), in: Cursors.collection) { delete(row) }
  }

  /// Applies the beginning of a refresh.
  mutating func apply(_ refresh: RefreshBegan, _ occasion: Occasion) {
    self[occasion.login, Accounts.isRefreshing] = true
    guard refresh.trigger == .manual else { return }
    self[occasion.login, Accounts.lastManualRefresh] = occasion.now
  }

  /// Applies the end of a refresh.
  mutating func apply(_ refresh: RefreshEnded, _ occasion: Occasion) {
    self[occasion.login, Accounts.isRefreshing] = nil
    removeOldTombstones(occasion)
    guard refresh.outcome == .succeeded else { return }
    self[occasion.login, Accounts.lastRefresh] = occasion.now
  }
}
