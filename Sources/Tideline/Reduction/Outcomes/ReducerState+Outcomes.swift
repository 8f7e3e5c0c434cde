import EventStore

/// The outcomes of operations.
extension ReducerState {
  /// An open operation and its object.
  struct Pending {
    let operation: RowHandle
    let entity: Entity
  }

  /// Returns an intent's operations, or the one on an item.
  mutating func pending(
    _ intent: RecordNumber, _ item: String?, _ occasion: Occasion
  ) -> [Pending] {
    if let item, let own = find(operationID(intent, item, occasion), in: Operations.collection) {
      return pending(own).map { [$0] } ?? []
    }
    let all = rows(in: .operations(of: intent))
      .filter { isPresent($0) && self[$0, Operations.account] == Int64(occasion.account) }
      .compactMap { pending($0) }
    guard let item else { return all }
    // The item may be an id that the object got after the intent was recorded.
    return all.filter { lookUp(item, $0.entity.kind, occasion)?.row == $0.entity.row }
  }

  /// Returns an operation with its object.
  mutating func pending(_ operation: RowHandle) -> Pending? {
    guard let object = self[operation, Operations.object],
      let objectClass = self[operation, Operations.objectClass],
      let kind = ObjectKind.of(objectClass)
    else { return nil }
    let row = handle(of: object.row, in: kind.collection)
    return Pending(operation: operation, entity: Entity(kind: kind, row: row))
  }

  /// Returns the same operations without the acknowledged ones.
  mutating func undecided(
    _ intent: RecordNumber, _ item: String?, _ occasion: Occasion
  ) -> [Pending] {
    var all = pending(intent, item, occasion)
    all.removeAll { self[$0.operation, Operations.state] == .acknowledged }
    return all
  }

  /// Applies the start of operations.
  mutating func apply(_ outcome: OperationStarted, _ occasion: Occasion) {
    for pending in undecided(outcome.intent, outcome.item, occasion) {
      change(pending, to: .started, occasion) { row in
        // A hold that is over stays so, whatever becomes of the clock: a retry is the same request.
        if row[Operations.heldUntil].map({ $0 <= occasion.now }) == true {
          row[Operations.heldUntil] = nil
        }
        row[Operations.attempts] = min(row[Operations.attempts] ?? 0, .max - 1) + 1
        row[Operations.wasBegun] = true
        row[Operations.request] = outcome.request.map { Int($0) }
      }
    }
  }

  /// Applies the deferral of operations.
  mutating func apply(_ outcome: OperationDeferred, _ occasion: Occasion) {
    for pending in undecided(outcome.intent, outcome.item, occasion) {
      let isStarted = self[pending.operation, Operations.state] == .started
      change(pending, to: .deferred, occasion) { row in
        // The server got nothing of it, so it can still be withdrawn.
        if isStarted, outcome.reason == .notSent, row[Operations.attempts] ?? 0 <= 1 {
          row[Operations.wasBegun] = nil
          row[Operations.request] = nil
        }
        row[Operations.deferredUntil] = outcome.until
        if outcome.until != nil { row[Operations.waitsSince] = occasion.now }
        row[Operations.deferral] = outcome.reason
        row.note(outcome.status, outcome.error)
      }
      if self[pending.operation, Operations.action] == .saveDraft {
        leaveSendings(of: pending.entity, occasion)
      }
    }
  }

  /// Applies an uncertain outcome of operations.
  mutating func apply(_ outcome: OperationUncertain, _ occasion: Occasion) {
    for pending in undecided(outcome.intent, outcome.item, occasion) {
      change(pending, to: .uncertain, occasion) { row in
        row[Operations.wasBegun] = true
        row.note(outcome.status, outcome.error)
      }
    }
  }

  /// Sets the state of an operation and refreshes its object if needed.
  ///
  /// - Parameter fill: Sets the fields that go with the state.
  private mutating func change(
    _ pending: Pending, to state: Operations.State, _ occasion: Occasion,
    _ fill: (inout MutableRow) -> Void = { _ in }
  ) {
    var before: Operations.State?
    change(pending.operation) { row in
      before = row[Operations.state]
      row.enter(state)
      fill(&row)
    }
    if before == .rejected || state == .rejected { refresh(pending.entity, occasion) }
  }

  /// Applies the rejection of operations.
  mutating func apply(_ outcome: OperationRejected, _ occasion: Occasion) {
    var ended: [Pending] = []
    for pending in undecided(outcome.intent, outcome.item, occasion) {
      switch (self[pending.operation, Operations.action], outcome.reason) {
      // In a conflict, nothing is wrong with the file.
      case (.saveDraft, _), (.sendDraft, _), (.attach, .conflict):
        change(pending, to: .rejected, occasion) { row in
          row[Operations.rejection] = outcome.reason
          row.note(outcome.status, outcome.error)
        }
      default: ended.append(pending)
      }
    }
    ended = withAttachments(ended, occasion)
    for pending in ended {
      switch self[pending.operation, Operations.action] {
      case .attach:
        noteMissingFiles(self[pending.operation, Operations.added] ?? [], of: pending.entity)
      case .addFile:
        let id = objectID(of: pending.entity)
        for (_, draft) in savings(naming: pending.entity, occasion) {
          noteMissingFiles([id], of: draft)
        }
      default: break
      }
    }
    end(ended, occasion)
  }

  /// Marks the sending of a draft as lacking a file, so that the draft is not sent without it,
  /// unless the person has removed it from the draft.
  private mutating func noteMissingFiles(_ files: Set<String>, of draft: Entity) {
    guard self[draft.row, Messages.fileIDs]?.isDisjoint(with: files) == false else { return }
    for operation in operations(of: draft.row)
    where self[operation, Operations.action] == .sendDraft {
      self[operation, Operations.lacksFile] = true
    }
  }

  /// Applies the abandonment of operations.
  mutating func apply(_ outcome: OperationAbandoned, _ occasion: Occasion) {
    giveUp(pending(outcome.intent, outcome.item, occasion), occasion)
  }

  /// Applies the withdrawal of intents.
  mutating func apply(_ intent: Withdraw, _ occasion: Occasion) {
    let all = intent.intents.flatMap { pending($0, nil, occasion) }
    giveUp(all.filter { self[$0.operation, Operations.wasBegun] != true }, occasion)
  }

  /// Applies the time until which an intent is held.
  mutating func apply(_ intent: Hold, _ occasion: Occasion) {
    for pending in pending(intent.intent, nil, occasion)
    where self[pending.operation, Operations.wasBegun] != true {
      self[pending.operation, Operations.heldUntil] = intent.until
      self[pending.operation, Operations.waitsSince] = occasion.now
    }
  }

  /// Applies a retry of operations.
  mutating func apply(_ intent: Retry, _ occasion: Occasion) {
    for pending in pending(intent.intent, intent.item, occasion) {
      switch self[pending.operation, Operations.state] {
      case .deferred, .uncertain, .rejected:
        change(pending, to: .waiting, occasion) { $0[Operations.lacksFile] = nil }
      default: break
      }
    }
  }

  /// Makes deferred operations due at once, except throttled ones.
  mutating func apply(_ reset: BackoffReset, _ occasion: Occasion) {
    for operation in operations(ofAccount: occasion.account)
    where self[operation, Operations.state] == .deferred
      && self[operation, Operations.deferral] != .throttled
    {
      change(operation) { $0.enter(.waiting) }
    }
  }

  /// Returns the operations of an account.
  mutating func operations(ofAccount account: UInt32) -> [RowHandle] {
    rows(of: Operations.collection).filter { self[$0, Operations.account] == Int64(account) }
  }

  /// Ends operations; ending an upload also ends the attachment of its file to a draft.
  private mutating func giveUp(_ pending: [Pending], _ occasion: Occasion) {
    end(withAttachments(pending, occasion), occasion)
  }

  /// Returns operations, with those that attach the files of the uploads among them to drafts.
  private mutating func withAttachments(_ all: [Pending], _ occasion: Occasion) -> [Pending] {
    all + all.flatMap { attachments(of: $0, occasion) }
  }

  /// Returns the operations that attach the file of an upload to a draft.
  private mutating func attachments(of upload: Pending, _ occasion: Occasion) -> [Pending] {
    guard self[upload.operation, Operations.action] == .addFile else { return [] }
    let intent = RecordNumber(kept: self[upload.operation, Operations.intent] ?? 0)
    return pending(intent, nil, occasion).filter {
      self[$0.operation, Operations.action] == .attach
    }
  }

  /// Ends operations together, so that no intermediate state shows or lists what another one
  /// wanted.
  mutating func end(_ all: [Pending], _ occasion: Occasion) {
    let ended = all.filter { isPresent($0.operation) }
    let changes = ended.map { pending in
      Consequent(
        entity: pending.entity, place: threadPlace(of: pending.entity),
        isReading: isReading(pending.operation))
    }
    for pending in ended where isPresent(pending.operation) {
      remove(pending.operation, from: pending.entity.row)
    }
    for pending in ended { refresh(pending.entity, occasion) }
    follow(changes, occasion)
  }

  /// Ends an operation; its effect is no longer shown.
  mutating func end(_ pending: Pending, _ occasion: Occasion) { end([pending], occasion) }

  /// Ends an operation on an object with a former position in a thread's lists.
  mutating func end(_ pending: Pending, from place: ThreadPlace?, _ occasion: Occasion) {
    let isReading = isReading(pending.operation)
    remove(pending.operation, from: pending.entity.row)
    operationsChanged(of: pending.entity, from: place, isReading: isReading, occasion)
  }
}

extension MutableRow {
  /// Sets the state of an operation, and clears what belonged to the state before.
  mutating func enter(_ state: Operations.State) {
    self[Operations.state] = state
    self[Operations.deferredUntil] = nil
    self[Operations.deferral] = nil
    self[Operations.rejection] = nil
    note(nil, nil)
  }

  /// Notes the status of an answer and the beginning of what it says.
  fileprivate mutating func note(_ status: Int64?, _ answer: String?) {
    self[Operations.status] = status.map { Int($0) }
    self[Operations.answer] = answer.map { String($0.beginning(bytesMax: Operations.answerMax)) }
  }
}

extension String {
  /// Returns the beginning up to a number of bytes, in which no character of Unicode is divided.
  fileprivate func beginning(bytesMax: Int) -> Substring {
    var end = utf8.index(startIndex, offsetBy: bytesMax, limitedBy: endIndex) ?? endIndex
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return self[..<end]
  }
}
