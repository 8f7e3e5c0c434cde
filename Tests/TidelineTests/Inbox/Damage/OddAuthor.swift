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
