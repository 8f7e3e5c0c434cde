public import EventStore

extension InboxStore {
  /// Takes in a push that the app itself was given: what it brings is shown at once, and on the
  /// medium when this returns.
  ///
  /// It is recorded for who is logged in; while nobody is, nothing of it is kept. Where several
  /// are, it is that one's whose inbox is given here, or whose account it names by the server's
  /// id, or else that of who logged in last. Whoever was given a completion handler calls it then,
  /// but for a push that is not ours. Extensions that must hold no locks leave theirs in the spool
  /// instead.
  ///
  /// - Throws: ``PushError``; nothing was recorded then, unless it is `notRecorded(.failed)`.
  @discardableResult
  public func receive(
    _ payload: PushPayload, by keys: PushKeys, isForeground: Bool = false,
    for inbox: Inbox? = nil
  ) async throws(PushError) -> ReceivedPush {
    let recipient = try pushRecipient(inbox)
    return try await append(
      PushRecord(payload, keys, now, recipient, isForeground: isForeground))
  }

  /// Takes in that the person opened what a push showed: its message, and that it was opened, which
  /// means that it is read if the account is configured so at that moment.
  ///
  /// What was only put away, and what has no message, is not recorded.
  ///
  /// - Throws: ``PushError``; nothing was recorded then, unless it is `notRecorded(.failed)`.
  @discardableResult
  public func receive(
    _ response: PushResponse, by keys: PushKeys, for inbox: Inbox? = nil
  ) async throws(PushError) -> ReceivedPush {
    let recipient = try pushRecipient(inbox)
    return try await append(PushRecord(response, keys, now, recipient, key: randomness.key()))
  }

  /// Takes in what extensions of the app have left in the spool; lists show it when this returns.
  ///
  /// Opening and resuming the store do that as well, and while it is open what comes is taken in
  /// by itself: this is for who can't wait for that. What a process appends to the log itself is
  /// shown without it.
  ///
  /// - Returns: What was taken in, and what was refused and is kept.
  /// - Throws: `StoreError`; what was not taken in is in the spool still.
  @discardableResult
  public func drainSpool() async throws(StoreError) -> Drained {
    // What is being taken in for somebody else is shown as well then.
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

  /// What extensions leave their pushes in.
  func spool() async throws(LogError) -> Spool {
    let opened = await onThread { [letterbox] in
      Result { () throws(LogError) in try letterbox.spool() }
    }
    guard case .success(let result) = opened else { throw .closed(path: core.path) }
    return try result.get()
  }

  private func append(_ record: PushRecord) async throws(PushError) -> ReceivedPush {
    guard !record.events.isEmpty else { return record.push }
    var record = record
    do throws(StoreError) {
      let log = try core.log
      if let login = try record.addressee.flatMap(login(ofServerID:)) {
        record.address(to: login)
      }
      try await core.append(record.batch(log.fingerprint(of:)))
      caretaker.note(record.events.count, in: self)
    } catch {
      throw PushError(error, path: core.path)
    }
    return record.push
  }

  private func pushRecipient(_ inbox: Inbox?) throws(PushError) -> Recipient {
    do throws(StoreError) { return try recipient(inbox?.account) } catch {
      throw PushError(error, path: core.path)
    }
  }
}

extension PushError {
  /// What a failure of a store means for a push.
  fileprivate init(_ error: StoreError, path: String) {
    switch error {
    case .log(let error): self = .notRecorded(error)
    case .closed(let path): self = .notRecorded(.closed(path: path))
    default: self = .notRecorded(.failed(path: path, detail: "\(error)"))
    }
  }
}
