import EventStore
import TestSupport

/// A complete record, as the model of a log expects it.
struct HistoryEntry: Equatable {
  let number: RecordNumber
  let event: Event
  let payload: [UInt8]

  init(_ number: RecordNumber, _ event: Event, _ payload: [UInt8]) {
    (self.number, self.event, self.payload) = (number, event, payload)
  }

  init(_ record: Record) {
    let header = record.header
    number = record.number
    event = Event(
      kind: header.kind, version: header.version, origin: header.origin,
      recordedAt: header.recordedAt, login: header.login,
      cause: header.cause.map(Event.Reference.record),
      exchange: header.exchange.map(Event.Reference.record), entity: header.entity)
    payload = record.payload
  }

  /// Creates the record of a batch's event, with its references resolved.
  init(_ event: Event, _ payload: [UInt8], index: Int, batchBeginsAt first: RecordNumber) {
    func resolved(_ reference: Event.Reference?) -> Event.Reference? {
      guard case .sameBatch(let index)? = reference else { return reference }
      return .record(first.advanced(by: index))
    }
    var event = event
    (event.cause, event.exchange) = (resolved(event.cause), resolved(event.exchange))
    self.init(first.advanced(by: index), event, payload)
  }
}

extension Event {
  /// Returns an event that has each optional field with even odds, and is about one of five things.
  static func random(batchIndex: Int, using generator: inout SeededGenerator) -> Event {
    func maybe<T>(_ value: T, _ generator: inout SeededGenerator) -> T? {
      Bool.random(using: &generator) ? value : nil
    }
    let number = RecordNumber(rawValue: .random(in: 1...100, using: &generator))
    let own = Reference.sameBatch(.random(in: 0...batchIndex, using: &generator))
    return Event(
      kind: EventKind(rawValue: .random(in: 0...9, using: &generator)),
      version: .random(in: 0...3, using: &generator),
      origin: Bool.random(using: &generator) ? .fact : .intent,
      recordedAt: Timestamp(rawValue: .random(using: &generator)),
      login: maybe(Login(account: 1, epoch: 2), &generator),
      cause: maybe(Bool.random(using: &generator) ? .record(number) : own, &generator),
      exchange: maybe(Bool.random(using: &generator) ? own : .record(number), &generator),
      entity: maybe(Fingerprint(rawValue: .random(in: 1...5, using: &generator)), &generator))
  }
}

extension [UInt8] {
  /// Returns a payload whose size is at or near one from which LMDB stores it differently.
  static func randomPayload(using generator: inout SeededGenerator) -> [UInt8] {
    let range =
      switch Int.random(in: 0..<20, using: &generator) {
      case 0: 0...0
      case 1..<10: 1...120
      case 10..<14: 1900...2100
      case 14..<18: 3900...4200
      case 18: 8100...8200
      default: 0...100_000
      }
    let count = Int.random(in: range, using: &generator)
    let seed = generator.next()
    return (0..<count).map { UInt8(truncatingIfNeeded: seed >> UInt64($0 % 57) &+ UInt64($0)) }
  }
}
