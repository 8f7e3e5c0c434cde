import EventStore
import TestSupport
import Tideline

/// Writes records that no server, push or person would write but a log may hold: events of all
/// kinds with random values and few ids, so that ids collide, at odd times, and some damaged.
struct OddAuthor {
  private var coder: RandomCoder
  private var epochs: [UInt32: UInt32] = [:]
  private var count: UInt64 = 0

  init(seed: UInt64) { coder = RandomCoder(generator: SeededGenerator(seed: seed)) }

  private static let texts = [
    "a", "b", "c", "", "local-1", "inbox", "unread", "unseen", "starred", "sending", "é",
    "e\u{301}", "\u{301}e",
  ]

  private static let integers: [Int64] = [
    0, 1, 2, 3, -1, .max, .min, .max - 1, 1_700_000_000_000, 600_000, 99,
  ]

  /// Returns a batch with the given number of records.
  mutating func batch(of size: Int) -> Batch {
    var batch = Batch()
    for _ in 0..<size {
      count += 1
      if coder.number(below: 30) == 0 {
        let kept = keepOperation()
        batch.add(header(of: kept), payload: kept.payload.span.bytes)
        continue
      }
      let event = event()
      var payload = event.payload
      if coder.number(below: 3) > 0 { payload = odd(payload) }
      if coder.number(below: 12) == 0 { damage(&payload) }
      batch.add(header(of: event), payload: payload.span.bytes)
    }
    return batch
  }

  private mutating func event() -> any InboxEvent {
    switch coder.number(below: 10) {
    case 0 where count < 4 || coder.number(below: 3) == 0: return logIn()
    case 1...4:
      let classes = ObjectClass.allCases
      let objectClass = classes[coder.number(below: classes.count)]
      return ObjectFact(objectClass, coder.random(ObjectFields.self))
    default: return coder.event(EventCatalog.types[coder.number(below: EventCatalog.types.count)])
    }
  }

  private mutating func logIn() -> any InboxEvent {
    let account = UInt32(1 + coder.number(below: 2))
    epochs[account, default: 0] += 1
    let policies: [PolicySwitches] = [
      .inbox, .marketingCloud, .engage, coder.random(PolicySwitches.self),
    ]
    let policy = policies[coder.number(below: policies.count)]
    return LoggedIn {
      $0.person = "p\(account)"
      $0.policy = policy
    }
  }

  /// Returns an object and its operation, whose numbers are those of no baseline.
  private mutating func keepOperation() -> any InboxEvent {
    let integers = (0..<4).map { _ in Self.integers[coder.number(below: Self.integers.count)] }
    var kept = StateKept.operation(
      onThread: Self.texts[coder.number(below: Self.texts.count)], intent: integers[0],
      account: 1 + coder.number(below: 2)
    ) {
      $0[4] = .integer(Int64(1 + coder.number(below: 3)))
      $0[7] = .integer(Int64(1 + coder.number(below: 6)))
      ($0[8], $0[19], $0[20]) = (
        .integer(integers[1]), .integer(integers[2]), .integer(integers[3])
      )
    }
    // No other operation's.
    kept.rows[1].id += "/\(count)"
    if coder.number(below: 3) == 0 { misplace(&kept) }
    return kept
  }

  /// Gives the object an operation, and a base or a content, that it may not be able to have.
  private mutating func misplace(_ kept: inout StateKept) {
    let kinds = ObjectKind.all
    kept.rows[0].collection = Int64(kinds[coder.number(below: kinds.count)].collection.number)
    kept.rows[1].values.fields[4] = .integer(Int64(1 + coder.number(below: 11)))
    kept.rows[1].values.fields[5] = .integer(Int64(1 + coder.number(below: 8)))
    guard coder.number(below: 2) == 0 else { return }
    var other = RowKept()
    (other.collection, other.id) = (Int64(1 + coder.number(below: 20)), kept.rows[0].id)
    kept.rows.insert(other, at: 1 + coder.number(below: 2))
  }

  private mutating func header(of event: any InboxEvent) -> Event {
    let account = UInt32(1 + coder.number(below: 2))
    let isOdd = coder.number(below: 20) == 0
    let epoch = isOdd ? UInt32.max : epochs[account] ?? 1
    let hasLogin = event is LoggedIn || coder.number(below: 8) > 0
    let time =
      coder.number(below: 10) == 0
      ? Self.integers[coder.number(below: Self.integers.count)]
      : 1_700_000_000_000 + Int64(count) * 1_000
    let answer = UInt64(coder.number(below: Int(count) + 2))
    return Event(
      kind: event.kind, version: event.version, origin: event.origin,
      recordedAt: Timestamp(rawValue: time),
      login: hasLogin ? Login(account: account, epoch: epoch) : nil,
      exchange: coder.number(below: 3) == 0 ? .record(RecordNumber(rawValue: answer)) : nil)
  }

  /// Returns the payload with texts and numbers that other payloads use as well.
  private mutating func odd(_ payload: [UInt8]) -> [UInt8] {
    guard let fields = try? PayloadFields(decoding: payload.span.bytes) else { return payload }
    return odd(fields).encoded
  }

  private mutating func odd(_ fields: PayloadFields) -> PayloadFields {
    var changed = PayloadFields()
    for field in fields { changed[field.number] = odd(field.value) }
    return changed
  }

  private mutating func odd(_ value: PayloadValue) -> PayloadValue {
    switch value {
    case .text where coder.number(below: 4) > 0:
      return .text(Self.texts[coder.number(below: Self.texts.count)])
    case .integer(let number):
      switch coder.number(below: 4) {
      case 0: return .integer(number)
      case 1: return .integer(Int64(coder.number(below: Int(count) + 2)))
      default: return .integer(Self.integers[coder.number(below: Self.integers.count)])
      }
    case .fields(let fields): return .fields(odd(fields))
    case .list(let values):
      var list: [PayloadValue] = []
      for value in values { list.append(odd(value)) }
      return .list(list)
    default: return coder.number(below: 30) == 0 ? .null : value
    }
  }

  private mutating func damage(_ payload: inout [UInt8]) {
    guard !payload.isEmpty else { return }
    if coder.number(below: 2) == 0 { payload.removeLast(coder.number(below: payload.count)) }
    for _ in 0..<coder.number(below: 4) where !payload.isEmpty {
      payload[coder.number(below: payload.count)] = UInt8(
        truncatingIfNeeded: coder.generator.next())
    }
  }
}

extension StateKept {
  /// Creates the record of an account with a floor, or of one that is gone if it is negative.
  static func account(_ account: Int, floor: Int64, aliases: [String] = []) -> StateKept {
    var row = RowKept()
    (row.collection, row.id) = (Int64(Account.collection.number), "\(account)")
    row.aliases = aliases
    row.values.fields = [
      1: .integer(Int64(account)), 21: .integer(1), 22: .boolean(true), 44: .integer(floor),
    ]
    row.isGone = floor < 0
    return StateKept {
      $0.texts.put(.id, "\(account)")
      $0.rows = [row]
    }
  }

  /// Creates the record of a thread and an open operation that marks it as read.
  ///
  /// - Parameter fill: Sets more fields of the operation's row.
  static func operation(
    onThread id: String, intent: Int64, account: Int = 1,
    _ fill: (inout PayloadFields) -> Void = { _ in }
  ) -> StateKept {
    var (thread, operation) = (RowKept(), RowKept())
    (thread.collection, thread.id) = (
      Int64(MailThread.collection.number), "\(account)/\(id)"
    )
    thread.values.fields = [1: .integer(Int64(account)), 2: .integer(-1)]
    operation.collection = Int64(Operations.collection.number)
    operation.id = "\(UInt64(clamping: intent))/\(account)/\(id)"
    operation.values.fields = [
      1: .integer(Int64(account)), 2: .integer(1), 3: .integer(intent), 4: .integer(1),
      5: .integer(ObjectClass.thread.rawValue), 6: .text(id), 7: .integer(1), 13: .boolean(true),
    ]
    fill(&operation.values.fields)
    return StateKept {
      $0.texts.put(.id, id)
      $0.rows = [thread, operation]
    }
  }
}
