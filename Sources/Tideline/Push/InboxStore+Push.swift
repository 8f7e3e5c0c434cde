public import EventStore
import Foundation

extension InboxStore {
  /// Records a push that the app itself received.
  ///
  /// When this returns, its content is durable and visible in lists.
  ///
  /// The push is recorded for the logged-in person; if nobody is logged in, or the push names
  /// another account by its server's id, nothing is kept. With several logins, it goes to `inbox`
  /// if given, else to the account that the push names, else to the only one with a rich inbox,
  /// else to the latest login. Afterwards, the caller calls the completion handler that it was
  /// given, unless the push is not ours. Extensions that must hold no locks write to the spool
  /// instead.
  ///
  /// - Throws: ``PushError``. Nothing was recorded, unless the error is `notRecorded(.failed)`.
  @discardableResult
  public func receive(
    _ payload: PushPayload, by keys: PushKeys, isForeground: Bool = false,
    for inbox: Inbox? = nil
  ) async throws(PushError) -> ReceivedPush {
    let push = try payload.received(by: keys)
    guard push.event(isForeground: isForeground) != nil else { return push }
    let recipient = try pushRecipient(inbox)
    return try await append(
      PushRecord(push, now, recipient, isForeground: isForeground), isGiven: inbox != nil)
  }

  /// Records that the person opened what a push showed: its message, and the opening.
  ///
  /// Opening marks the message as read if the account is configured that way at that time.
  /// Dismissals and pushes without a message are not recorded.
  ///
  /// - Throws: ``PushError``. Nothing was recorded, unless the error is `notRecorded(.failed)`.
  @discardableResult
  public func receive(
    _ response: PushResponse, by keys: PushKeys, for inbox: Inbox? = nil
  ) async throws(PushError) -> ReceivedPush {
    let push = try response.payload.received(by: keys)
    guard push.kind.hasMessage, !response.isDismissal else { return push }
    let recipient = try pushRecipient(inbox)
    return try await append(
      PushRecord(response, to: push, now, recipient, key: randomness.key()),
      isGiven: inbox != nil, arrivedAt: response.arrivedAt)
  }

  /// Moves what the app's extensions left in the spool to the log; lists show it on return.
  ///
  /// Opening and resuming the store also do this, and an open store drains new arrivals by itself.
  /// Call it only if you can't wait for that. Records that a process appends to the log itself are
  /// shown without it.
  ///
  /// - Returns: The moved records, and those that were refused and are kept.
  /// - Throws: `StoreError`. Whatever was not moved is still in the spool.
  @discardableResult
  public func drainSpool() async throws(StoreError) -> Drained {
    // This also shows records that another caller is currently moving.
    try await drains.take { [self] () -> Result<Drained, StoreError> in
      do throws(StoreError) { return .success(try await drain()) } catch { return .failure(error) }
    }.get()
  }

  private func drain() async throws(StoreError) -> Drained {
    let log = try core.log
    let drained: Drained
    do throws(LogError) {
      drained = try await log.drain(try await spool())
    } catch {
      throw .log(error)
    }
    if let last = drained.records.last { try await core.show(upTo: last) }
    return drained
  }

  /// The spool where extensions leave pushes.
  func spool() async throws(LogError) -> Spool {
    let opened = await onThread { [pushSpool] in
      Result { () throws(LogError) in try pushSpool.spool() }
    }
    guard case .success(let result) = opened else { throw .closed(path: core.path) }
    return try result.get()
  }

  /// - Parameter isGiven: Whether the caller said whose it is.
  private func append(
    _ record: PushRecord, isGiven: Bool, arrivedAt time: Date? = nil
  ) async throws(PushError) -> ReceivedPush {
    guard !record.events.isEmpty else { return record.push }
    var record = record
    do throws(StoreError) {
      let log = try core.log
      if !isGiven { try address(&record, arrivedAt: time) }
      guard !record.events.isEmpty else { return record.push }
      try await core.append(record.batch(log.fingerprint(of:)))
      caretaker.note(record.events.count, in: self)
    } catch {
      throw PushError(error, path: core.path)
    }
    return record.push
  }

  /// Assigns a record to the account that the push names.
  ///
  /// A push for another one than the person who is here, such as for one who has left, is nobody's,
  /// as is one that names none and arrived before the latest login.
  private func address(
    _ record: inout PushRecord, arrivedAt time: Date?
  ) throws(StoreError) {
    if let id = record.push[.account] {
      if let login = try login(ofServerID: id) { return record.address(to: login) }
      if try isElsewhere(id, record.login) { return record.disown() }
    }
    guard let time, let last = try lastLogin, time.kept < last.time else { return }
    record.disown()
  }

  private func pushRecipient(_ inbox: Inbox?) throws(PushError) -> Recipient {
    do throws(StoreError) { return try recipient(inbox?.account) } catch {
      throw PushError(error, path: core.path)
    }
  }
}

extension PushError {
  /// Maps a store failure to a push error.
  fileprivate init(_ error: StoreError, path: String) {
    switch error {
    case .log(let error): self = .notRecorded(error)
    case .closed(let path): self = .notRecorded(.closed(path: path))
    default: self = .notRecorded(.failed(path: path, detail: "\(error)"))
    }
  }
}
