import EventStore

/// What became of operations.
extension ReducerState {
  /// An operation and the object that it is open on.
  struct Pending {
    let operation: RowHandle
    let entity: Entity
  }

  /// The operations of an intent, or the one on an item.
  mutating func pending(
    _ intent: RecordNumber, _ item: String?, _ occasion: Occasion
  ) -> [Pending] {
    if let item, let own = find(operationID(intent, item, occasion), in: Operations.collection) {
      return [pending(own)].compactMap { $0 }
    }
    let all = rows(in: .operations(of: intent))
      .filter { isPresent($0) && self[$0, Operations.account] == Int64(occasion.account) }
      .compactMap { pending($0) }
    guard let item else { return all }
    // The thing may have had another id when the intent was recorded.
    return all.filter { lookUp(item, $0.entity.kind, occasion)?.row == $0.entity.row }
  }

  /// An operation with its object.
  mutating func pending(_ operation: RowHandle) -> Pending? {
    guard let object = self[operation, Operations.object],
      let objectClass = self[operation, Operations.objectClass],
      let kind = ObjectKind.of(objectClass)
    else { return nil }
    let row = handle(of: object.row, in: kind.collection)
    return Pending(operation: operation, entity: Entity(kind: kind, row: row))
  }

  /// As its namesake, those aside that were acknowledged.
  mutating func undecided(
    _ intent: RecordNumber, _ item: String?, _ occasion: Occasion
  ) -> [Pending] {
    pending(intent, item, occasion).filter {
      self[$0.operation, Operations.state] != .acknowledged
    }
  }

  /// Takes in that operations were begun.
  mutating func take(_ outcome: OperationStarted, _ occasion: Occasion) {
    for pending in undecided(outcome.intent, outcome.item, occasion) {
      change(pending, to: .started, occasion) { row in
        row[Operations.attempts] = (row[Operations.attempts] ?? 0) + 1
        row[Operations.wasBegun] = true
        row[Operations.request] = outcome.request.map { Int($0) }
      }
    }
  }

  /// Takes in that operations are to be tried again.
  mutating func take(_ outcome: OperationDeferred, _ occasion: Occasion) {
    for pending in undecided(outcome.intent, outcome.item, occasion) {
      change(pending, to: .deferred, occasion) { row in
        row[Operations.deferredUntil] = outcome.until
        row[Operations.deferral] = outcome.reason
      }
    }
  }

  /// Takes in that nobody knows what became of operations.
  mutating func take(_ outcome: OperationUncertain, _ occasion: Occasion) {
    for pending in undecided(outcome.intent, outcome.item, occasion) {
      change(pending, to: .uncertain, occasion) { $0[Operations.wasBegun] = true }
    }
  }

  /// Sets the state of an operation, and shows its object anew where that depends on it.
  ///
  /// - Parameter fill: Says what goes with the state.
  private mutating func change(
    _ pending: Pending, to state: Operations.State, _ occasion: Occasion,
    _ fill: (inout MutableRow) -> Void = { _ in }
  ) {
    var before: Operations.State?
    change(pending.operation) { row in
      before = row[Operations.state]
      row[Operations.state] = state
      row[Operations.deferredUntil] = nil
      row[Operations.deferral] = nil
      row[Operations.rejection] = nil
      fill(&row)
    }
    if before == .rejected || state == .rejected { refresh(pending.entity, occasion) }
  }

  /// Takes in that operations were refused.
  mutating func take(_ outcome: OperationRejected, _ occasion: Occasion) {
    var ended: [Pending] = []
    for pending in undecided(outcome.intent, outcome.item, occasion) {
      switch self[pending.operation, Operations.action] {
      case .saveDraft, .sendDraft:
        change(pending, to: .rejected, occasion) { $0[Operations.rejection] = outcome.reason }
      default: ended.append(pending)
      }
    }
    giveUp(ended, occasion)
  }

  /// Takes in that operations are given up.
  mutating func take(_ outcome: OperationAbandoned, _ occasion: Occasion) {
    giveUp(pending(outcome.intent, outcome.item, occasion), occasion)
  }

  /// Takes in that intents are not wanted any more.
  mutating func take(_ intent: Withdraw, _ occasion: Occasion) {
    let all = intent.intents.flatMap { pending($0, nil, occasion) }
    giveUp(all.filter { self[$0.operation, Operations.wasBegun] != true }, occasion)
  }

  /// Takes in until when an intent is held.
  mutating func take(_ intent: Hold, _ occasion: Occasion) {
    for pending in pending(intent.intent, nil, occasion)
    where self[pending.operation, Operations.wasBegun] != true {
      self[pending.operation, Operations.heldUntil] = intent.until
    }
  }

  /// Has operations be tried again.
  mutating func take(_ intent: Retry, _ occasion: Occasion) {
    for pending in pending(intent.intent, intent.item, occasion) {
      switch self[pending.operation, Operations.state] {
      case .deferred, .uncertain, .rejected: change(pending, to: .waiting, occasion)
      default: break
      }
    }
  }

  /// Has operations be tried at once that were deferred.
  mutating func take(_ reset: BackoffReset, _ occasion: Occasion) {
    for operation in operations(ofAccount: occasion.account)
    where self[operation, Operations.state] == .deferred
      && self[operation, Operations.deferral] != .throttled
    {
      change(operation) { row in
        row[Operations.state] = .waiting
        row[Operations.deferredUntil] = nil
        row[Operations.deferral] = nil
      }
    }
  }

  /// The operations of an account.
  mutating func operations(ofAccount account: UInt32) -> [RowHandle] {
    rows(of: Operations.collection).filter { self[$0, Operations.account] == Int64(account) }
  }

  /// Ends operations, and with an upload that its file is to be added to a draft.
  private mutating func giveUp(_ pending: [Pending], _ occasion: Occasion) {
    let along = pending.flatMap { attachments(of: $0, occasion) }
    end(pending + along, occasion)
  }

  /// The operations that add a file to a draft, of the upload of that file.
  private mutating func attachments(of upload: Pending, _ occasion: Occasion) -> [Pending] {
    guard self[upload.operation, Operations.action] == .addFile else { return [] }
    let number = UInt64(clamping: self[upload.operation, Operations.intent] ?? 0)
    let intent = RecordNumber(rawValue: number)
    return pending(intent, nil, occasion).filter {
      self[$0.operation, Operations.action] == .attach
    }
  }

  /// Ends operations, all at once: while one of them ends nothing that another wanted is shown, nor
  /// listed.
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

  /// Ends an operation; what it wanted is not shown any more.
  mutating func end(_ pending: Pending, _ occasion: Occasion) { end([pending], occasion) }

  /// Ends an operation on an object that stood there in a thread's lists.
  mutating func end(_ pending: Pending, from place: ThreadPlace?, _ occasion: Occasion) {
    let isReading = isReading(pending.operation)
    remove(pending.operation, from: pending.entity.row)
    operationsChanged(of: pending.entity, from: place, isReading: isReading, occasion)
  }
}
