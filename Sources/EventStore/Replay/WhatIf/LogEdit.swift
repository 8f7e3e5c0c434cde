/// Something that is to have happened otherwise than the log says.
public enum LogEdit: Sendable, Hashable {
  /// A record is to be as if it had never been.
  case skip(RecordNumber)
  /// A record is to have come right behind another.
  case move(RecordNumber, behind: RecordNumber)
  /// A record is to have had another payload.
  case patch(RecordNumber, payload: [UInt8])
  /// A record is to have been another event, with another payload.
  case replace(RecordNumber, Event, payload: [UInt8])
  /// An event is to have come right behind a record.
  case inject(Event, payload: [UInt8], behind: RecordNumber)

  /// The first record that stands before all that is edited.
  fileprivate var start: RecordNumber {
    switch self {
    case .skip(let number), .patch(let number, _), .replace(let number, _, _):
      number.advanced(by: -1)
    case .move(let number, let target): min(number.advanced(by: -1), target)
    case .inject(_, _, let target): target
    }
  }
}

/// The records of a log, a few of them edited, in the order in which they are to have come.
///
/// Where records are only skipped and patched all others keep their numbers. Where one is moved or
/// injected, those behind get the numbers that they would have got; what headers and payloads say
/// of numbers is changed along, payloads as far as `renumber` knows how.
public struct EditedLog: Sendable {
  /// Changes the numbers of records that a record's payload names, and returns it.
  public typealias Renumbering =
    @Sendable (_ record: Record, _ number: @escaping (RecordNumber) -> RecordNumber) -> Record

  let log: Log
  let edits: [LogEdit]
  let renumber: Renumbering
  /// The record behind which the edits begin.
  let start: RecordNumber
  private var skipped: Set<RecordNumber> = []
  private var patched: [RecordNumber: [UInt8]] = [:]
  private var replaced: [RecordNumber: (Event, [UInt8])] = [:]
  private var behind: [RecordNumber: [Addition]] = [:]
  private let isOrdered: Bool

  private enum Addition {
    case moved(RecordNumber)
    case injected(Event, [UInt8])
  }

  /// A log with edits; of two that concern the same record the later counts.
  public init(
    _ log: Log, _ edits: [LogEdit], renumber: @escaping Renumbering = { record, _ in record }
  ) {
    (self.log, self.edits, self.renumber) = (log, edits, renumber)
    start = max(edits.map(\.start).min() ?? .zero, log.floor)
    for edit in edits {
      switch edit {
      case .skip(let number): skipped.insert(number)
      case .patch(let number, let payload): patched[number] = payload
      case .replace(let number, let event, let payload): replaced[number] = (event, payload)
      case .move(let number, let target): behind[target, default: []].append(.moved(number))
      case .inject(let event, let payload, let target):
        behind[target, default: []].append(.injected(event, payload))
      }
    }
    isOrdered = behind.isEmpty
    for case .move(let number, _) in edits { skipped.insert(number) }
  }

  /// Calls `body` with each record behind the start of the edits, as it is to have been, up to what
  /// was a record of the log.
  ///
  /// - Throws: What the log or `body` throws; a damaged record is left out.
  func forEach(through last: RecordNumber, _ body: (LooseRecord) throws -> Void) throws {
    guard start <= last else { return }
    let moved = try moved()
    try log.read { snapshot throws in
      let numbers = try numbering(through: last)
      let renumbering = { (old: RecordNumber) in numbers[old] ?? old }
      var next = start.advanced(by: 1)
      func emit(_ record: Record) throws {
        var record = record
        if !isOrdered { record = renumbered(record, next, renumbering) }
        try body(LooseRecord(record))
        next = record.number.advanced(by: 1)
      }
      func addBehind(_ number: RecordNumber) throws {
        for addition in behind[number] ?? [] {
          switch addition {
          case .moved(let old):
            if let record = moved[old] { try emit(edited(record)) }
          case .injected(let event, let payload):
            // What it names are numbers of the log as it is, which change where all do.
            try emit(Record(event, payload: payload, number: next) { $0 })
          }
        }
      }
      try addBehind(start)
      var cursor = try snapshot.records(behind: snapshot.place(at: start))
      while try cursor.nextWhole(through: last) {
        if !skipped.contains(cursor.number) { try emit(edited(cursor.record.record)) }
        try addBehind(cursor.number)
      }
    }
  }

  /// The records that are to have come elsewhere.
  private func moved() throws -> [RecordNumber: Record] {
    try log.read { snapshot throws in
      var moved: [RecordNumber: Record] = [:]
      for case .move(let number, _) in edits { moved[number] = try snapshot.record(number) }
      return moved
    }
  }

  private func edited(_ record: Record) -> Record {
    if let (event, payload) = replaced[record.number] {
      return Record(event, payload: payload, number: record.number) { $0 }
    }
    guard let payload = patched[record.number] else { return record }
    return Record(number: record.number, header: record.header, payload: payload)
  }

  private func renumbered(
    _ record: Record, _ next: RecordNumber,
    _ number: @escaping (RecordNumber) -> RecordNumber
  ) -> Record {
    var header = record.header
    header.cause = header.cause.map(number)
    header.exchange = header.exchange.map(number)
    let moved = Record(number: next, header: header, payload: record.payload)
    return renumber(moved, number)
  }

  /// The new numbers of those records up to one that get others.
  func numbering(through last: RecordNumber) throws -> [RecordNumber: RecordNumber] {
    var (numbers, next): ([RecordNumber: RecordNumber], RecordNumber) = ([:], start)
    guard !isOrdered, start <= last else { return numbers }
    func add(_ old: RecordNumber?) {
      next = next.advanced(by: 1)
      if let old, old != next { numbers[old] = next }
    }
    func addBehind(_ number: RecordNumber) {
      for addition in behind[number] ?? [] {
        if case .moved(let old) = addition { add(old) } else { add(nil) }
      }
    }
    addBehind(start)
    guard start < last else { return numbers }
    for number in start.advanced(by: 1)...last {
      if !skipped.contains(number) { add(number) }
      addBehind(number)
    }
    return numbers
  }
}

extension Snapshot {
  /// The place behind a record of the log, or at its beginning.
  func place(at number: RecordNumber) throws(LogError) -> Applied {
    guard let chain = try chain(at: number) else { return base.beginning }
    return Applied(number: number, chain: chain)
  }
}
