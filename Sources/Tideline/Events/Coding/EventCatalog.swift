package import EventStore

/// All kinds of events, by their numbers.
package enum EventCatalog {
  /// The types of events other than facts about objects, in ascending order of their kinds.
  package static let types: [any FieldedEvent.Type] = [
    Exchange.self, ItemRefused.self, CursorSet.self, CursorReset.self, RefreshBegan.self,
    RefreshEnded.self, RefreshThrottled.self, ContentStored.self,
    AlertArrived.self, SilentPushArrived.self, AlertOpened.self,
    MarkRead.self, ChangeTags.self, DeleteObjects.self, MarkAll.self, SaveDraft.self,
    SendDraft.self, DeleteDraft.self, AddFile.self, SaveTag.self, Hold.self, Withdraw.self,
    Retry.self,
    OperationStarted.self, OperationAcknowledged.self, OperationDeferred.self,
    OperationRejected.self, OperationUncertain.self, OperationAbandoned.self, IDReplaced.self,
    BackoffReset.self,
    LoggedIn.self, LoggedOut.self, IdentityChanged.self, ConfigurationChanged.self,
    PrivacyChanged.self, Erased.self,
    ClockTicked.self,
    MessageOpened.self, MessageDownloaded.self,
    StateKept.self,
  ]

  private static let typesByKind = Dictionary(
    uniqueKeysWithValues: types.map { ($0.kind, $0) })

  /// Returns the type of events of a kind, other than facts about objects.
  package static func type(of kind: EventKind) -> (any FieldedEvent.Type)? { typesByKind[kind] }

  /// Returns the name of a kind, or `nil` if the kind is unknown.
  package static func name(of kind: EventKind) -> String? {
    if let objectClass = ObjectClass(kind) { return "\(objectClass)" }
    return type(of: kind).map { "\($0)" }
  }
}

extension EventCatalog {
  /// Decodes an event of any kind, and checks all of it.
  ///
  /// - Throws: ``EventError`` for a kind or a version that this program doesn't know, and for bytes
  ///   that aren't such an event.
  package static func event(
    of kind: EventKind, version: UInt8, _ payload: RawSpan
  ) throws(EventError) -> any InboxEvent {
    if let objectClass = ObjectClass(kind) {
      return try ObjectFact(objectClass, decoding: payload, version: version)
    }
    guard let type = type(of: kind) else { throw EventError(.unknownKind, kind: kind) }
    return try type.event(payload, version)
  }

  /// Decodes the event of a record.
  ///
  /// - Throws: ``EventError`` as for any event, and if the payload was erased.
  package static func event(
    of record: borrowing RecordView
  ) throws(EventError) -> any InboxEvent {
    let header = record.header
    guard !header.isErased else { throw EventError(.erased, kind: header.kind) }
    return try event(of: header.kind, version: header.version, record.payload)
  }

  /// Decodes the event of a copied record.
  ///
  /// - Throws: ``EventError`` as for any event, and if the payload was erased.
  package static func event(of record: Record) throws(EventError) -> any InboxEvent {
    let header = record.header
    guard !header.isErased else { throw EventError(.erased, kind: header.kind) }
    return try event(of: header.kind, version: header.version, record.payload.payloadBytes)
  }

  /// Describes a copied record on one line, or says why that is impossible.
  package static func line(of record: Record) -> String {
    guard record.header.kind != .lost else { return "(lost: it was damaged, or left out, before)" }
    do { return try event(of: record).line } catch { return "(\(error))" }
  }

  /// Describes a record on one line, or says why that is impossible.
  package static func line(of record: borrowing RecordView) -> String {
    guard record.header.kind != .lost else { return "(lost: it was damaged, or left out, before)" }
    do { return try event(of: record).line } catch { return "(\(error))" }
  }
}

extension FieldedEvent {
  fileprivate static func event(
    _ payload: RawSpan, _ version: UInt8
  ) throws(EventError) -> any InboxEvent {
    try Self(decoding: payload, version: version)
  }
}
