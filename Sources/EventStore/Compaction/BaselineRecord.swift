import LMDB

/// A record of a baseline to be written to the log.
public struct BaselineRecord: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    case kept
    case written([UInt8], headerCount: Int)
  }

  /// The record's number, which is not above the new floor.
  public let number: RecordNumber
  let content: Content

  /// Returns the existing record with a number, unchanged.
  public static func kept(_ number: RecordNumber) -> BaselineRecord {
    BaselineRecord(number: number, content: .kept)
  }

  /// Returns an event that stands for others, in place of any record that is compacted away.
  ///
  /// - Precondition: The event refers to no record of its batch, because it has no batch.
  public static func written(
    _ event: Event, as number: RecordNumber, _ encode: (inout PayloadWriter) -> Void
  ) -> BaselineRecord {
    let payload = PayloadWriter.bytes(encode)
    var header = RecordHeader(
      kind: event.kind, version: event.version, origin: event.origin, isBaseline: true,
      recordedAt: event.recordedAt, login: event.login, cause: event.cause?.number,
      exchange: event.exchange?.number, entity: event.entity, payloadCount: payload.count,
      payloadChecksum: Checksum.of(payload.raw))
    header.chain = 0
    let count = header.byteCount
    var bytes = [UInt8](repeating: 0, count: count) + payload
    bytes.withMutableBytes { header.write(to: &$0, at: 0) }
    return BaselineRecord(number: number, content: .written(bytes, headerCount: count))
  }
}

extension BaselineRecord {
  /// Returns the record as it will be in a log that has another one, or none, in its place.
  package func record(insteadOf present: Record?) -> Record? {
    guard case .written(let bytes, _) = content else { return present }
    return RecordView(number, bytes.raw).record
  }
}

extension Event.Reference {
  /// The number of a record that is already in the log.
  fileprivate var number: RecordNumber {
    guard case .record(let number) = self else {
      preconditionFailure("a record of a baseline has no batch")
    }
    return number
  }
}
