import LMDB

/// Events that are appended together: all of them or, on failure, none.
///
/// Records are written one after another into one buffer, as they will be in the log except for
/// their chain. So a batch costs a few allocations however many events it holds, and leaves little
/// work to the log's thread.
public struct Batch: Sendable {
  /// The location of a record in the bytes.
  struct Entry: Sendable {
    let record: Range<Int>
    let headerCount: Int
    /// The header fields that hold indices in the batch, to be resolved to numbers.
    let relative: UInt8
  }

  /// The records, one after another.
  private(set) var bytes: [UInt8] = []
  private(set) var entries: [Entry] = []
  /// The bytes of the longest payload.
  package private(set) var longestPayload = 0
  /// Whether the views' thread shows each event as soon as it is reduced.
  ///
  /// Threads that wait for the views get them before the next event: for events that may each touch
  /// very many rows. The last one may be shown with what follows it; a process that reads them from
  /// the log shows them together.
  package var isStepwise = false
  /// The number of the first record for which references within the batch are resolved to numbers;
  /// zero while they are indices.
  private var first = RecordNumber.zero

  /// Creates an empty batch.
  public init() {}

  /// The number of events.
  public var count: Int { entries.count }

  /// Whether the batch holds no events.
  public var isEmpty: Bool { entries.isEmpty }

  /// The total bytes of the records, headers and payloads.
  public var byteCount: Int { bytes.count }

  /// Reserves capacity for a number of events with a total number of payload bytes.
  public mutating func reserveCapacity(events: Int, payloadBytes: Int) {
    entries.reserveCapacity(events)
    bytes.reserveCapacity(payloadBytes + events * HeaderFormat.countMax)
  }

  /// Adds an event whose payload `encode` writes; returns its index in the batch.
  ///
  /// - Complexity: O(*n*) in the bytes of the payload.
  @discardableResult
  public mutating func add<E: Error>(
    _ event: Event, _ encode: (inout PayloadWriter) throws(E) -> Void
  ) throws(E) -> Int {
    let start = bytes.count
    let header = open(event)
    do throws(E) {
      try PayloadWriter.write(into: &bytes, encode)
    } catch {
      bytes.removeLast(bytes.count - start)
      throw error
    }
    return close(header, from: start, event)
  }

  /// Adds an event with an encoded payload; returns its index in the batch.
  @discardableResult
  public mutating func add(_ event: Event, payload: RawSpan = RawSpan()) -> Int {
    let start = bytes.count
    let header = open(event)
    bytes.append(copying: payload)
    return close(header, from: start, event)
  }

  /// Removes the event that was added last.
  ///
  /// - Complexity: O(*n*) in the events that stay.
  package mutating func takeBackLast() {
    guard let last = entries.popLast() else { return }
    bytes.removeLast(last.record.count)
    longestPayload = entries.map { $0.record.count - $0.headerCount }.max() ?? 0
  }

  /// The capacity reserved for the first event; most have no more bytes.
  private static let firstBytes = 256

  /// Reserves space for a header.
  private mutating func open(_ event: Event) -> RecordHeader {
    precondition(first == .zero, "the batch is on its way into a log")
    let header = RecordHeader(event)
    if bytes.capacity == 0 { bytes.reserveCapacity(Self.firstBytes) }
    bytes.append(contentsOf: repeatElement(0, count: header.byteCount))
    return header
  }

  /// Fills in the header, once the payload is written.
  private mutating func close(_ opened: RecordHeader, from start: Int, _ event: Event) -> Int {
    var header = opened
    let headerCount = header.byteCount
    let payload = (start + headerCount)..<bytes.count
    header.payloadCount = payload.count
    header.payloadChecksum = Checksum.of(bytes.raw.extracting(payload))
    bytes.withMutableBytes { header.write(to: &$0, at: start) }
    let relative =
      (event.cause.isRelative ? HeaderFormat.Flag.cause : 0)
      | (event.exchange.isRelative ? HeaderFormat.Flag.exchange : 0)
    entries.append(
      Entry(record: start..<bytes.count, headerCount: headerCount, relative: relative))
    longestPayload = max(longestPayload, payload.count)
    return entries.count - 1
  }
}

extension Batch {
  /// Writes every event as a record after the end, and advances the end.
  func write(
    to transaction: inout WriteTransaction, _ table: Table<UInt64, [UInt8]>,
    _ end: inout LogFile.End
  ) throws(LMDBError) {
    let first = end.number.advanced(by: 1)
    let bytes = bytes.raw
    var appender = try transaction.appender(to: table, isLast: !end.base.usesAreas)
    for entry in entries {
      var record = try appender.reserve(entry.record.count, for: end.number.rawValue + 1)
      record.store(copying: bytes.extracting(entry.record), at: 0)
      move(&record, entry, to: first)
      end.advance(over: &record, headerCount: entry.headerCount)
    }
  }
}

extension Batch {
  /// Returns the end of the log once the batch follows a place.
  package func end(after start: LogPoint) -> LogPoint {
    var (number, chain) = (start.number, Chain(start.chain))
    let resolved = resolved(from: start.number.advanced(by: 1))
    let bytes = resolved.raw
    for entry in entries {
      number = number.advanced(by: 1)
      chain = chain.extended(
        by: number, bytes.extracting(entry.record), count: entry.headerCount)
    }
    return LogPoint(number: number, chain: chain.value)
  }

  /// Calls `body` with each event as its record in a batch that begins at `first`, without its
  /// chain.
  package func forEach<E: Error>(
    from first: RecordNumber, _ body: (borrowing RecordView) throws(E) -> Void
  ) throws(E) {
    let resolved = resolved(from: first)
    let bytes = resolved.raw
    var number = first
    for entry in entries {
      try body(RecordView(number, bytes.extracting(entry.record)))
      number = number.advanced(by: 1)
    }
  }

  /// Calls `body` with the payload of the event at an index.
  func withPayload<R>(at index: Int, _ body: (RawSpan) -> R) -> R {
    let entry = entries[index]
    return body(bytes.raw.extracting(entry.record.dropFirst(entry.headerCount)))
  }

  /// Returns the event at an index as its record in a batch that begins at `first`, without its
  /// chain.
  func record(at index: Int, from first: RecordNumber) -> Record {
    let entry = entries[index]
    var bytes = bytes.raw.extracting(entry.record).array
    bytes.withMutableBytes { move(&$0, entry, to: first) }
    return RecordView(first.advanced(by: index), bytes.raw).record
  }

  /// Resolves all references within the batch to numbers in place, also if they are resolved for
  /// another first number, so that its readers need no copy; no event may be added afterwards.
  ///
  /// - Complexity: O(events), and O(bytes) if the batch is shared and has such references.
  package mutating func resolve(from first: RecordNumber) {
    guard first != self.first, entries.contains(where: { $0.relative != 0 }) else { return }
    // The bytes are taken out, since records and entries are not to be held at the same time.
    var moved: [UInt8] = []
    swap(&moved, &bytes)
    moved.withMutableBytes { bytes in
      for entry in entries where entry.relative != 0 {
        var record = bytes._mutatingExtracting(entry.record)
        move(&record, entry, to: first)
      }
    }
    swap(&moved, &bytes)
    self.first = first
  }

  /// Resolves the references of one record.
  private func move(_ record: inout MutableRawSpan, _ entry: Entry, to first: RecordNumber) {
    guard entry.relative != 0, first != self.first else { return }
    RecordHeader.move(entry.relative, in: &record, by: first.rawValue &- self.first.rawValue)
  }

  /// Returns the records' bytes with all references within the batch resolved to numbers.
  func resolved(from first: RecordNumber) -> [UInt8] {
    var copy = self
    copy.resolve(from: first)
    return copy.bytes
  }
}

extension RecordHeader {
  /// Creates the header of an event, without its payload and chain.
  fileprivate init(_ event: Event) {
    self.init(
      kind: event.kind, version: event.version, origin: event.origin, isErased: false,
      isBaseline: false, recordedAt: event.recordedAt, login: event.login,
      cause: event.cause?.field, exchange: event.exchange?.field, entity: event.entity,
      coding: .plain, payloadCount: 0, payloadChecksum: 0, chain: 0)
  }
}

extension Event.Reference {
  /// The number or, for a record of the same batch, its index.
  fileprivate var field: RecordNumber {
    switch self {
    case .record(let number): number
    case .sameBatch(let index): RecordNumber(rawValue: UInt64(index))
    }
  }
}

extension Event.Reference? {
  fileprivate var isRelative: Bool {
    if case .sameBatch? = self { true } else { false }
  }
}
