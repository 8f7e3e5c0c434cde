package import EventStore

/// What events come to in an inbox, by the rules of <doc:Meaning>.
package struct InboxReducer: Reducer {
  /// The version of the rules.
  package let version = 1
  /// What is kept.
  package let collections: [RowCollection]
  /// The views of every inbox, and those that the app declares.
  package let views: [ViewDefinition]

  /// The rules, with views of the app's beside the inbox's own.
  package init(views: [ViewDefinition] = []) {
    collections = Self.collections
    self.views = InboxViews.all + views
  }

  private static let collections = [
    Accounts.collection, Threads.collection, Messages.collection, Tags.collection,
    Contacts.collection, Attachments.collection, RichMessages.collection, Operations.collection,
    Timers.collection, Cursors.collection, Answers.collection, Tombstones.collection,
    Bases.threads, Bases.messages, Bases.rich, Bases.tags, Bases.files, Bases.savings,
    Bases.uploads,
  ]

  /// Folds a record: by its kind, in the file of its family.
  package func reduce(
    _ event: borrowing RecordView, into state: inout State
  ) throws(Refusal) {
    let header = event.header
    guard !header.isErased else { return }
    switch header.kind.rawValue >> 8 {
    case 0x01: try reduceFact(event, header, &state)
    case 0x02: try reduceAnswer(event, header, &state)
    case 0x03: try reducePush(event, header, &state)
    case 0x04: try reduceIntent(event, header, &state)
    case 0x05: try reduceOutcome(event, header, &state)
    case 0x06: try reduceIdentity(event, header, &state)
    case ClockTicked.kind.rawValue >> 8:
      try state.take(try decode(ClockTicked.self, event, header), event)
    case 0x08: try reduceReport(event, header, &state)
    default: break
    }
  }

  private func decode<E: FieldedEvent>(
    _ type: E.Type, _ event: borrowing RecordView, _ header: RecordHeader
  ) throws(Refusal) -> E {
    do throws(EventError) { return try E(decoding: event.payload, version: header.version) } catch {
      throw Refusal(error)
    }
  }

  private func reduceFact(
    _ event: borrowing RecordView, _ header: RecordHeader, _ state: inout State
  ) throws(Refusal) {
    guard let objectClass = ObjectClass(header.kind), let occasion = state.occasion(of: event)
    else { return }
    guard header.version == ObjectFact.version else {
      throw Refusal(EventError(.unknownVersion(header.version, last: ObjectFact.version)))
    }
    if objectClass == .account { return try state.takeAccount(event.payload, occasion) }
    guard let fact = try Fact(objectClass, event.payload, occasion) else { return }
    try state.take(fact, event.payload, occasion)
  }

  private func reduceAnswer(
    _ event: borrowing RecordView, _ header: RecordHeader, _ state: inout State
  ) throws(Refusal) {
    guard let occasion = state.occasion(of: event) else { return }
    switch header.kind {
    case Exchange.kind: try state.take(try decode(Exchange.self, event, header), occasion)
    case CursorSet.kind: try state.take(try decode(CursorSet.self, event, header), occasion)
    case CursorReset.kind: state.take(try decode(CursorReset.self, event, header), occasion)
    case RefreshBegan.kind: state.take(try decode(RefreshBegan.self, event, header), occasion)
    case RefreshEnded.kind: state.take(try decode(RefreshEnded.self, event, header), occasion)
    case ContentStored.kind: state.take(try decode(ContentStored.self, event, header), occasion)
    default: break
    }
  }

  private func reducePush(
    _ event: borrowing RecordView, _ header: RecordHeader, _ state: inout State
  ) throws(Refusal) {
    guard let occasion = state.occasion(of: event) else { return }
    switch header.kind {
    case AlertArrived.kind:
      let alert = try decode(AlertArrived.self, event, header)
      try state.take(alert, event.payload, occasion)
    case AlertOpened.kind: try state.take(try decode(AlertOpened.self, event, header), occasion)
    default: break
    }
  }

  private func reduceIntent(
    _ event: borrowing RecordView, _ header: RecordHeader, _ state: inout State
  ) throws(Refusal) {
    guard let occasion = state.occasion(of: event) else { return }
    switch header.kind {
    case MarkRead.kind: try state.take(try decode(MarkRead.self, event, header), occasion)
    case ChangeTags.kind: try state.take(try decode(ChangeTags.self, event, header), occasion)
    case DeleteObjects.kind: try state.take(try decode(DeleteObjects.self, event, header), occasion)
    case MarkAll.kind: try state.take(try decode(MarkAll.self, event, header), occasion)
    case SaveDraft.kind: try state.take(try decode(SaveDraft.self, event, header), occasion)
    case SendDraft.kind: try state.take(try decode(SendDraft.self, event, header), occasion)
    case DeleteDraft.kind: try state.take(try decode(DeleteDraft.self, event, header), occasion)
    case AddFile.kind: try state.take(try decode(AddFile.self, event, header), occasion)
    case SaveTag.kind: try state.take(try decode(SaveTag.self, event, header), occasion)
    case Hold.kind: state.take(try decode(Hold.self, event, header), occasion)
    case Withdraw.kind: state.take(try decode(Withdraw.self, event, header), occasion)
    case Retry.kind: state.take(try decode(Retry.self, event, header), occasion)
    default: break
    }
  }

  private func reduceOutcome(
    _ event: borrowing RecordView, _ header: RecordHeader, _ state: inout State
  ) throws(Refusal) {
    let isLate = header.kind != BackoffReset.kind
    guard let occasion = state.occasion(of: event, isLate: isLate) else { return }
    switch header.kind {
    case OperationStarted.kind:
      state.take(try decode(OperationStarted.self, event, header), occasion)
    case OperationAcknowledged.kind:
      try state.take(try decode(OperationAcknowledged.self, event, header), occasion)
    case OperationDeferred.kind:
      state.take(try decode(OperationDeferred.self, event, header), occasion)
    case OperationRejected.kind:
      state.take(try decode(OperationRejected.self, event, header), occasion)
    case OperationUncertain.kind:
      state.take(try decode(OperationUncertain.self, event, header), occasion)
    case OperationAbandoned.kind:
      state.take(try decode(OperationAbandoned.self, event, header), occasion)
    case IDReplaced.kind: try state.take(try decode(IDReplaced.self, event, header), occasion)
    case BackoffReset.kind: state.take(try decode(BackoffReset.self, event, header), occasion)
    default: break
    }
  }

  private func reduceIdentity(
    _ event: borrowing RecordView, _ header: RecordHeader, _ state: inout State
  ) throws(Refusal) {
    if header.kind == LoggedIn.kind {
      return try state.take(try decode(LoggedIn.self, event, header), event)
    }
    let isErasure = header.kind == Erased.kind
    guard let occasion = state.occasion(of: event, isLate: isErasure) else { return }
    switch header.kind {
    case LoggedOut.kind: try state.take(try decode(LoggedOut.self, event, header), occasion)
    case IdentityChanged.kind: state.take(try decode(IdentityChanged.self, event, header), occasion)
    case ConfigurationChanged.kind:
      try state.take(try decode(ConfigurationChanged.self, event, header), occasion)
    case PrivacyChanged.kind: state.take(try decode(PrivacyChanged.self, event, header), occasion)
    case Erased.kind: try state.take(try decode(Erased.self, event, header), occasion)
    default: break
    }
  }

  private func reduceReport(
    _ event: borrowing RecordView, _ header: RecordHeader, _ state: inout State
  ) throws(Refusal) {
    guard let occasion = state.occasion(of: event) else { return }
    switch header.kind {
    case MessageOpened.kind: try state.take(try decode(MessageOpened.self, event, header), occasion)
    case MessageDownloaded.kind:
      try state.take(try decode(MessageDownloaded.self, event, header), occasion)
    default: break
    }
  }
}
