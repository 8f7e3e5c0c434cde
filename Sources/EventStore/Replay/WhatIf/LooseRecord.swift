import LMDB

/// A record as it lies in a log, or would.
struct LooseRecord: Sendable {
  let number: RecordNumber
  let bytes: [UInt8]

  /// A record as it lies in a log.
  init(number: RecordNumber, bytes: [UInt8]) { (self.number, self.bytes) = (number, bytes) }

  /// A record with a header that fits its payload; its chain is of no meaning.
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
  /// A record that an event would have become.
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
  /// Reduces the record that follows in the log, and stands at its place then; `body` is called
  /// while it is still known what it did.
  func reduce(
    _ record: LooseRecord, at place: Applied, telling body: () throws -> Void
  ) throws {
    try reduceLoose(place, telling: body) { fold throws in
      try fold(RecordView(record.number, record.bytes.raw))
    }
  }

  /// Reduces a record that is in no log.
  func reduce(_ record: LooseRecord) throws { try reduce([record][...]) }

  /// Reduces records that are in no log, together, in ascending order of their numbers; some
  /// between may be missing.
  func reduce(_ records: ArraySlice<LooseRecord>) throws {
    guard let last = records.last else { return }
    try reduceLoose(Applied(number: last.number, chain: 0)) { fold throws in
      for record in records { try fold(RecordView(record.number, record.bytes.raw)) }
    }
  }
}
