import EventStore

/// What to record of a push: its events, time and login.
struct PushRecord {
  /// The push as understood.
  var push: ReceivedPush
  /// The events, in order; empty if there is nothing to record.
  private(set) var events: [any FieldedEvent] = []

  private let time: Timestamp
  private var recipient: Recipient

  /// Creates the record of an arrival.
  init(
    _ push: ReceivedPush, _ time: Timestamp, _ recipient: Recipient, isForeground: Bool
  ) {
    self.push = push
    self.time = time
    self.recipient = recipient
    self.push.account = login?.account
    // A push for a person who has left belongs to nobody, but a privacy change concerns the device.
    guard recipient != .nobody || push.kind == .privacy else { return }
    if let event = push.event(isForeground: isForeground) { add(event) }
  }

  /// Creates the record of an opening and its message, which may not have been recorded before.
  init(
    _ response: PushResponse, to push: ReceivedPush, _ time: Timestamp, _ recipient: Recipient,
    key: OperationKey
  ) {
    self.push = push
    self.time = time
    self.recipient = recipient
    self.push.account = login?.account
    guard recipient != .nobody, let opening = response.opening(of: push, key: key) else { return }
    if let arrival = push.event(isForeground: false) { add(arrival) }
    add(opening)
  }

  /// The login that it is recorded for, if that is known.
  var login: Login? {
    if case .login(let login) = recipient { login } else { nil }
  }

  /// Records nothing, because the push is for somebody who is not here.
  mutating func disown() {
    (recipient, events) = (.nobody, [])
    (push.account, push.isRecorded) = (nil, false)
  }

  /// Assigns the record to a login.
  mutating func address(to login: Login) {
    recipient = .login(login)
    push.account = login.account
  }

  private mutating func add(_ event: any FieldedEvent) {
    events.append(event)
    push.isRecorded = true
  }

  /// Returns the events as a batch for a log that computes fingerprints of names.
  func batch(_ fingerprint: @escaping @Sendable (String) -> Fingerprint) -> Batch {
    let circumstances = Circumstances(now: time, login: login, fingerprint: fingerprint)
    var batch = Batch()
    for event in events { batch.add(event, in: circumstances) }
    return batch
  }

  /// Writes the events to a spool.
  func write(to spool: Spool) throws(PushError) {
    do throws(LogError) {
      for event in events {
        let header = Event(event, recordedAt: time, login: login)
        // The log that drains the spool computes the fingerprint.
        let entity = login.flatMap { event.entity?.text(in: $0.account) }
        try spool.write(header, about: entity) { event.encode(into: &$0) }
      }
    } catch {
      throw .notRecorded(error)
    }
  }
}
