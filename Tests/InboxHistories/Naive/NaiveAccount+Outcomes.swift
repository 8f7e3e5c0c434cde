import EventStore
import Tideline

// Changes of operations: by the person (31), and by outcomes (32 to 36).
extension NaiveAccount {
  /// Changes the operations of an intent, on one object or on all, except acknowledged ones.
  private mutating func change(
    _ intent: RecordNumber, _ item: String? = nil, _ body: (inout NaiveOperation) -> Void
  ) {
    for index in operations.indices
    where isMeant(operations[index], intent, item) && operations[index].state != .acknowledged {
      body(&operations[index])
    }
  }

  private func isMeant(
    _ operation: NaiveOperation, _ intent: RecordNumber, _ item: String?
  ) -> Bool {
    guard operation.intent == intent else { return false }
    guard let item else { return true }
    let isNamed = operations.contains { $0.intent == intent && $0.item == item }
    return isNamed
      ? operation.item == item : canonical(operation.objectClass, item) == operation.name
  }

  /// Rule 31.
  mutating func withdraw(_ event: Withdraw) {
    end(withAttachments(operations.filter { event.intents.contains($0.intent) && !$0.wasBegun }))
  }

  /// Rule 31.
  mutating func hold(_ event: Hold, _ record: NaiveRecord) {
    change(event.intent) { operation in
      guard !operation.wasBegun else { return }
      (operation.heldUntil, operation.waitsSince) = (event.until, record.now)
    }
  }

  /// Rule 31.
  mutating func retry(_ event: Retry) {
    change(event.intent, event.item) { operation in
      if [.deferred, .uncertain, .rejected].contains(operation.state) {
        (operation.state, operation.lacksFile) = (.waiting, false)
      }
    }
  }

  /// Rule 31.
  mutating func resetBackoff(_ event: BackoffReset) {
    for index in operations.indices
    where operations[index].state == .deferred && operations[index].deferral != .throttled {
      operations[index].state = .waiting
    }
  }

  /// Rule 32.
  mutating func started(_ event: OperationStarted, _ record: NaiveRecord) {
    change(event.intent, event.item) { operation in
      if operation.heldUntil ?? record.now <= record.now { operation.heldUntil = nil }
      operation.state = .started
      operation.attempts += 1
      operation.wasBegun = true
    }
  }

  /// Rule 32.
  mutating func deferred(_ event: OperationDeferred, _ record: NaiveRecord) {
    let saved = operations.filter {
      isMeant($0, event.intent, event.item) && $0.state != .acknowledged && $0.wish.isSaving
        && objects[$0.name]?.base == nil && tombstone(of: $0.name, record.now)?.isServers == true
    }.map(\.name)
    defer {
      for index in operations.indices
      where operations[index].wish == .send && saved.contains(operations[index].name)
        && [.waiting, .deferred].contains(operations[index].state)
      {
        operations[index].state = .rejected
      }
    }
    change(event.intent, event.item) { operation in
      let isStarted = operation.state == .started
      operation.state = .deferred
      operation.deferral = event.reason
      if event.until != nil { operation.waitsSince = record.now }
      operation.answer = answer(event.status, event.error)
      if isStarted, event.reason == .notSent, operation.attempts <= 1 {
        operation.wasBegun = false
      }
    }
  }

  /// Rule 32.
  mutating func uncertain(_ event: OperationUncertain) {
    change(event.intent, event.item) { operation in
      operation.state = .uncertain
      operation.answer = answer(event.status, event.error)
      operation.wasBegun = true
    }
  }

  /// Rule 33.
  mutating func rejected(_ event: OperationRejected) {
    func isKept(_ operation: NaiveOperation) -> Bool {
      operation.isOfDraft || operation.wish.isAttachment && event.reason == .conflict
    }
    change(event.intent, event.item) { operation in
      guard isKept(operation) else { return }
      operation.state = .rejected
      operation.answer = answer(event.status, event.error)
    }
    let ended = withAttachments(
      operations.filter {
        isMeant($0, event.intent, event.item) && !isKept($0) && $0.state != .acknowledged
      })
    let files = ended.filter { $0.name.objectClass == .file && $0.wish.isSaving }.map(\.name.id)
    let named = ended.compactMap { operation in
      if case .attach(let file) = operation.wish { (operation.name, file) } else { nil }
    }
    let saved = files.flatMap { file in
      operations.filter { $0.wish.names(anyOf: [file]) }.map { ($0.name, file) }
    }
    let drafts = Set(
      (named + saved).filter { name, file in
        objects[name].map { fields(of: $0).ids(.fileIDs).contains(file) } ?? false
      }.map(\.0))
    for index in operations.indices
    where drafts.contains(operations[index].name) && operations[index].wish == .send {
      operations[index].lacksFile = true
    }
    end(ended)
  }

  /// Rule 34.
  mutating func abandoned(_ event: OperationAbandoned) {
    end(withAttachments(operations.filter { isMeant($0, event.intent, event.item) }))
  }

  /// Returns operations, and for each upload of a file its intent's operation on a draft (33).
  private func withAttachments(_ ended: [NaiveOperation]) -> [NaiveOperation] {
    let uploads = ended.filter { $0.name.objectClass == .file && $0.wish.isSaving }.map(\.intent)
    return ended + operations.filter { uploads.contains($0.intent) && $0.wish.isAttachment }
  }

  /// Rules 35 to 37.
  mutating func acknowledged(_ event: OperationAcknowledged, _ record: NaiveRecord) {
    let meant = operations.filter { isMeant($0, event.intent, event.item) }
    for operation in meant
    where operation.state != .acknowledged && operations.contains(operation) {
      if event.isGone, operation.wish != .report {
        goneByAnswer(operation, event, record)
      } else {
        let stone = deletion(after: operation, event, record)
        acknowledge(operation, event, record)
        let isSaved = operations(on: operation.name).contains {
          $0.wish.isSaving && $0.objectClass == .draft
        }
        if let stone, objects[operation.name] != nil, !isSaved {
          removeByServer(
            operation.name, version: stone.version, record, isOfDraft: stone.isOfDraft,
            isServers: stone.isServers)
        }
      }
    }
  }

  /// Returns the tombstone of an object deleted after the intent to save it (36).
  private func deletion(
    after saving: NaiveOperation, _ event: OperationAcknowledged, _ record: NaiveRecord
  ) -> NaiveTombstone? {
    guard saving.wish.isSaving, let stone = tombstone(of: saving.name, record.now),
      stone.number > saving.intent,
      !(stone.isOfDraft && objects[saving.name]?.objectClass == .message)
    else { return nil }
    let isLater = event.version.flatMap { told in stone.version.map { told > $0 } } ?? false
    return isLater ? nil : stone
  }

  /// Rule 35.
  private mutating func goneByAnswer(
    _ operation: NaiveOperation, _ event: OperationAcknowledged, _ record: NaiveRecord
  ) {
    let isOfDraft = operation.objectClass == .draft
    if operation.wish == .delete {
      // A draft that was to be deleted and is a message by now was sent instead.
      if isOfDraft, objects[operation.name]?.objectClass == .message {
        return end(
          [operation]
            + operations(on: operation.name).filter {
              $0.wish.isSaving && $0.intent < operation.intent
            })
      }
      bury(
        operation.name, version: event.version, record, isServers: false, isOfDraft: isOfDraft)
      remove(operation.name)
    } else {
      removeByServer(
        operation.name, version: event.version, record, isOfDraft: isOfDraft)
    }
  }

  private mutating func acknowledge(
    _ operation: NaiveOperation, _ event: OperationAcknowledged, _ record: NaiveRecord
  ) {
    change(operation.intent, operation.name.id) { $0.wasBegun = true }
    // Rule 36.
    switch (operation.wish, operation.name.objectClass) {
    case (.report, _): end(operations.filter { isSame($0, operation) })
    case (.delete, _) where operation.name.objectClass != .rich:
      bury(
        operation.name, version: event.version, record, isServers: false,
        isOfDraft: operation.objectClass == .draft)
      remove(operation.name)
    case (.send, _):
      settleAtOnce(operation, event, record)
      objects[operation.name]?.base?[.state] = .text("sent")
      let isDraft = objects[operation.name]?.objectClass == .draft
      if isDraft { objects[operation.name]?.isSent = true }
    default: settleOrWait(operation, event, record)
    }
  }
}

extension NaiveOperation {
  /// Whether the operation saves or sends a draft, which a rejection doesn't end (33).
  var isOfDraft: Bool { objectClass == .draft && (wish.isSaving || wish == .send) }
}

/// Rule 32: the beginning of a long text is kept, as much of it as fits in 1 KiB.
private func answer(_ status: Int64?, _ text: String?) -> String {
  var kept = ""
  for scalar in (text ?? "").unicodeScalars {
    if kept.utf8.count + String(scalar).utf8.count > 1024 { break }
    kept.unicodeScalars.append(scalar)
  }
  return (status.map { "\($0) " } ?? "") + kept
}
