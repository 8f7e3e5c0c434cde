package import EventStore

/// Folds events into the rows of an inbox, by the rules of <doc:Meaning>.
package struct InboxReducer: Reducer {
  /// The version of the rules, raised whenever records fold differently, so that views of another
  /// version are rebuilt.
  package let version = 22
  /// The collections of rows.
  package let collections: [RowCollection]
  /// The views of every inbox, and those that the app declares.
  package let views: [ViewDefinition]

  /// Creates the rules with the app's views in addition to the inbox's own.
  package init(views: [ViewDefinition] = []) {
    collections = Self.collections
    self.views = InboxViews.all + views
  }

  /// The collections, in the order in which rows are placed.
  static let collections = [
    Accounts.collection, Threads.collection, Messages.collection, Tags.collection,
    Contacts.collection, Attachments.collection, RichMessages.collection, Operations.collection,
    Timers.collection, Cursors.collection, Answers.collection, Tombstones.collection,
    Bases.threads, Bases.messages, Bases.rich, Bases.tags, Bases.files, Bases.savings,
    Bases.uploads, Foretold.collection,
  ]

  /// Folds a record by its kind; each family has its own file.
  package func reduce(
    _ event: borrowing RecordView, into state: inout ReducerState
  ) throws(Refusal) {
    let header = event.header
    guard !header.isErased else { return }
    if let objectClass = ObjectClass(header.kind) {
      return try reduceFact(of: objectClass, event, header, &state)
    }
    switch header.kind {
    case ClockTicked.kind: try state.apply(try decode(event) as ClockTicked, event)
    case LoggedIn.kind: try state.apply(try decode(event) as LoggedIn, event)
    case StateKept.kind: try state.apply(try decode(event) as StateKept, in: event.number)
    default:
      let isLate = Self.isLate(header.kind)
      let occasion = state.occasion(of: event.number, header, isLate: isLate)
      guard let occasion else { return }
      try reduce(event, occasion, &state)
    }
  }

  /// Returns whether a row is not hidden; rows that can't be hidden are shown.
  package func shows(_ row: Row, in collection: RowCollection) -> Bool {
    let hiding = InboxFields.hiding
    return !collection.fields.contains(hiding.declaration) || row[hiding] == nil
  }

  /// Returns whether such records count even after their login has ended: outcomes and erasures.
  private static func isLate(_ kind: EventKind) -> Bool {
    kind.family == .outcome && kind != BackoffReset.kind || kind == Erased.kind
  }

  private func decode<E: FieldedEvent>(_ event: borrowing RecordView) throws(Refusal) -> E {
    do throws(EventError) {
      return try E(decoding: event.payload, version: event.header.version)
    } catch {
      throw Refusal(error)
    }
  }

  private func reduceFact(
    of objectClass: ObjectClass, _ event: borrowing RecordView, _ header: RecordHeader,
    _ state: inout ReducerState
  ) throws(Refusal) {
    guard let occasion = state.occasion(of: event.number, header) else { return }
    guard header.version == ObjectFact.version else {
      throw Refusal(EventError(.unknownVersion(header.version, last: ObjectFact.version)))
    }
    if objectClass == .account { return try state.takeAccount(event.payload, occasion) }
    try ObjectKind.with(objectClass) { kind throws(Refusal) in
      if try state.applySketched(kind, event.payload, occasion) { return }
      var fact = try Fact(
        objectClass, kind, event.payload, of: occasion.account, in: &state.spares)
      try state.apply(fact, kind, event.payload, occasion)
      fact.giveBack(to: &state.spares)
    }
  }

  private func reduce(
    _ event: borrowing RecordView, _ occasion: Occasion, _ state: inout ReducerState
  ) throws(Refusal) {
    switch event.kind {
    // Answers.
    case Exchange.kind: try state.apply(try decode(event) as Exchange, occasion)
    case CursorSet.kind: try state.apply(try decode(event) as CursorSet, occasion)
    case CursorReset.kind: state.apply(try decode(event) as CursorReset, occasion)
    case RefreshBegan.kind: state.apply(try decode(event) as RefreshBegan, occasion)
    case RefreshEnded.kind: state.apply(try decode(event) as RefreshEnded, occasion)
    case ContentStored.kind: state.apply(try decode(event) as ContentStored, occasion)
    // Pushes.
    case AlertArrived.kind:
      try state.apply(try decode(event) as AlertArrived, event.payload, occasion)
    case AlertOpened.kind: try state.apply(try decode(event) as AlertOpened, occasion)
    // Intents.
    case MarkRead.kind: try state.apply(try decode(event) as MarkRead, occasion)
    case ChangeTags.kind: try state.apply(try decode(event) as ChangeTags, occasion)
    case DeleteObjects.kind: try state.apply(try decode(event) as DeleteObjects, occasion)
    case MarkAll.kind: try state.apply(try decode(event) as MarkAll, occasion)
    case SaveDraft.kind: try state.apply(try decode(event) as SaveDraft, occasion)
    case SendDraft.kind: try state.apply(try decode(event) as SendDraft, occasion)
    case DeleteDraft.kind: try state.apply(try decode(event) as DeleteDraft, occasion)
    case AddFile.kind: try state.apply(try decode(event) as AddFile, occasion)
    case SaveTag.kind: try state.apply(try decode(event) as SaveTag, occasion)
    case Hold.kind: state.apply(try decode(event) as Hold, occasion)
    case Withdraw.kind: state.apply(try decode(event) as Withdraw, occasion)
    case Retry.kind: state.apply(try decode(event) as Retry, occasion)
    // Outcomes.
    case OperationStarted.kind: state.apply(try decode(event) as OperationStarted, occasion)
    case OperationAcknowledged.kind:
      try state.apply(try decode(event) as OperationAcknowledged, occasion)
    case OperationDeferred.kind: state.apply(try decode(event) as OperationDeferred, occasion)
    case OperationRejected.kind: state.apply(try decode(event) as OperationRejected, occasion)
    case OperationUncertain.kind: state.apply(try decode(event) as OperationUncertain, occasion)
    case OperationAbandoned.kind: state.apply(try decode(event) as OperationAbandoned, occasion)
    case IDReplaced.kind: try state.apply(try decode(event) as IDReplaced, occasion)
    case BackoffReset.kind: state.apply(try decode(event) as BackoffReset, occasion)
    // Identities.
    case LoggedOut.kind: try state.apply(try decode(event) as LoggedOut, occasion)
    case IdentityChanged.kind: state.apply(try decode(event) as IdentityChanged, occasion)
    case ConfigurationChanged.kind:
      try state.apply(try decode(event) as ConfigurationChanged, occasion)
    case PrivacyChanged.kind: state.apply(try decode(event) as PrivacyChanged, occasion)
    case Erased.kind: try state.apply(try decode(event) as Erased, occasion)
    // Reports.
    case MessageOpened.kind: try state.apply(try decode(event) as MessageOpened, occasion)
    case MessageDownloaded.kind: try state.apply(try decode(event) as MessageDownloaded, occasion)
    default: break
    }
  }
}
