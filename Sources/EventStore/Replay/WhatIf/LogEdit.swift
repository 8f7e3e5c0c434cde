/// A hypothetical change to the history in a log.
public enum LogEdit: Sendable, Hashable {
  /// Treats a record as if it had never existed.
  case skip(RecordNumber)
  /// Moves a record to directly after another.
  case move(RecordNumber, after: RecordNumber)
  /// Gives a record another payload.
  case patch(RecordNumber, payload: [UInt8])
  /// Replaces a record by another event with another payload.
  case replace(RecordNumber, Event, payload: [UInt8])
  /// Inserts an event directly after a record.
  case inject(Event, payload: [UInt8], after: RecordNumber)

  /// The last record before the edit.
  fileprivate var start: RecordNumber {
    switch self {
    case .skip(let number), .patch(let number, _), .replace(let number, _, _):
      number.advanced(by: -1)
    case .move(let number, let target): min(number.advanced(by: -1), target)
    case .inject(_, _, let target): target
    }
  }
}

/// The records of a log with a few edits, in their hypothetical order.
///
/// If records are only skipped and patched, all others keep their numbers. If one is moved or
/// injected, the following records get the numbers they would have received. References to numbers
/// are updated in headers and, as far as `renumber` supports it, in payloads.
public struct EditedLog: Sendable {
  /// Updates the record numbers that a record's payload refers to, and returns the record.
  public typealias Renumbering =
    @Sendable (_ record: Record, _ number: @escaping (RecordNumber) -> RecordNumber) -> Record

  let log: Log
  let edits: [LogEdit]
  let renumber: Renumbering
  /// The record after which the edits begin.
  let start: RecordNumber
  private var skipped: Set<RecordNumber> = []
  private var patched: [RecordNumber: [UInt8]] = [:]
  private var replaced: [RecordNumber: (Event, [UInt8])] = [:]
  private var additions: [RecordNumber: [Addition]] = [:]
  private let isOrdered: Bool

  private enum Addition {
    case moved(RecordNumber)
    case injected(Event, [UInt8])
  }

  /// Creates an edited log; of two patches or two replacements of a record, the later one counts.
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
      case .move(let number, let target): additions[target, default: []].append(.moved(number))
      case .inject(let event, let payload, let target):
        additions[target, default: []].append(.injected(event, payload))
      }
    }
    isOrdered = additions.isEmpty
    for case .move(let number, _) in edits { skipped.insert(number) }
  }

  /// Calls `body` with each edited record after the start of the edits, up to one that was a record
  /// of the log.
  ///
  /// - Throws: Errors of the log or of `body`; damaged records are left out.
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
        for addition in additions[number] ?? [] {
          switch addition {
          case .moved(let old):
            if let record = moved[old] { try emit(edited(record)) }
          case .injected(let event, let payload):
            // Its references are numbers of the original log, renumbered with all others.
            try emit(Record(event, payload: payload, number: next) { $0 })
          }
        }
      }
      try addBehind(start)
      var cursor = try snapshot.records(after: snapshot.place(at: start))
      while try cursor.nextWhole(through: last) {
        if !skipped.contains(cursor.number) { try emit(edited(cursor.record.record)) }
        try addBehind(cursor.number)
      }
    }
  }

  /// Returns the records to be moved.
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
    var header = record.header
    header.isErased = false
    return Record(number: record.number, header: header, payload: payload)
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

  /// Returns the new numbers of the records up to one whose numbers change; 0 for those that are
  /// left out.
  func numbering(through last: RecordNumber) throws -> [RecordNumber: RecordNumber] {
    guard !isOrdered, start <= last else { return [:] }
    return try log.read { snapshot throws in
      var (numbers, next): ([RecordNumber: RecordNumber], RecordNumber) = ([:], start)
      func add(_ old: RecordNumber?) {
        next = next.advanced(by: 1)
        if let old { numbers[old] = next }
      }
      func addBehind(_ number: RecordNumber) {
        for addition in additions[number] ?? [] {
          if case .moved(let old) = addition { add(old) } else { add(nil) }
        }
      }
      func leaveOut(_ left: Range<RecordNumber>) {
        for number in left where numbers[number] == nil { numbers[number] = .zero }
      }
      var expected = start.advanced(by: 1)
      addBehind(start)
      var cursor = try snapshot.records(after: snapshot.place(at: start))
      while try cursor.nextWhole(through: last) {
        // Damaged records are left out.
        leaveOut(expected..<max(cursor.number, expected))
        expected = cursor.number.advanced(by: 1)
        if skipped.contains(cursor.number) {
          leaveOut(cursor.number..<expected)
        } else {
          add(cursor.number)
        }
        addBehind(cursor.number)
      }
      if expected <= last { leaveOut(expected..<last.advanced(by: 1)) }
      return numbers.filter { $0.key != $0.value }
    }
  }
}

extension Snapshot {
  /// Returns the place after a record, or the log's beginning.
  func place(at number: RecordNumber) throws(LogError) -> LogPoint {
    guard let chain = try chain(at: number) else { return base.beginning }
    return LogPoint(number: number, chain: chain)
  }
}
