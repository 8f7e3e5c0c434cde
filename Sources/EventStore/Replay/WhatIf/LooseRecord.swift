import LMDB

/// A record as stored, in a log or not.
struct LooseRecord: Sendable {
  let number: RecordNumber
  let bytes: [UInt8]

  /// Creates a record from its stored bytes.
  init(number: RecordNumber, bytes: [UInt8]) { (self.number, self.bytes) = (number, bytes) }

  /// Creates a record whose header fits its payload; its chain is meaningless.
  init(_ record: Record) {
    var header = record.header
    if !header.isErased {
      header.payloadCount = record.payload.count
      header.payloadChecksum = Checksum.of(record.payload.raw)
    }
    let count = header.byteCount
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.withMutableBytes { header.write(to: &$0, at: 0) }
    number = record.number
    self.bytes = bytes + record.payload
  }
}

extension Record {
  /// Creates the record that an event would have become.
  init(
    _ event: Event, payload: [UInt8], number: RecordNumber,
    resolving: (RecordNumber) -> RecordNumber
  ) {
    func resolved(_ reference: Event.Reference?) -> RecordNumber? {
      if case .record(let number)? = reference { resolving(number) } else { nil }
    }
    self.init(
      number: number,
      header: RecordHeader(
        kind: event.kind, version: event.version, origin: event.origin,
        recordedAt: event.recordedAt, login: event.login, cause: resolved(event.cause),
        exchange: resolved(event.exchange), entity: event.entity, payloadCount: payload.count,
        payloadChecksum: Checksum.of(payload.raw)),
      payload: payload)
  }
}

extension Workspace {
  /// Reduces the next record of the log and moves to its place; `body` is called while the record's
  /// changes are still known.
  func reduce(
    _ record: LooseRecord, at place: LogPoint, telling body: () throws -> Void
  ) throws {
    try reduceLoose(place, telling: body) { fold throws in
      try fold(RecordView(record.number, record.bytes.raw))
    }
  }

  /// Reduces a record that is in no log.
  func reduce(_ record: LooseRecord) throws { try reduce([record][...]) }

  /// Reduces records that are in no log as one batch, in ascending order of their numbers, with
  /// possible gaps.
  func reduce(_ records: ArraySlice<LooseRecord>) throws {
    guard let last = records.last else { return }
    try reduce(records, through: last.number)
  }

  /// Reduces such records, and moves to a place that is not before the last one.
  func reduce(_ records: some Sequence<LooseRecord>, through last: RecordNumber) throws {
    try reduceLoose(LogPoint(number: last, chain: 0)) { fold throws in
      for record in records { try fold(RecordView(record.number, record.bytes.raw)) }
    }
  }
}
