import LMDB

/// A record as it lies in the log, borrowed without a copy.
public struct RecordView: ~Escapable {
  /// Its number.
  public let number: RecordNumber
  /// Its header.
  public let header: RecordHeader
  private let bytes: RawSpan

  @_lifetime(copy bytes)
  init(_ number: RecordNumber, _ header: RecordHeader, _ bytes: RawSpan) {
    self.number = number
    self.header = header
    self.bytes = bytes
  }

  /// Its payload; empty where it was erased.
  public var payload: RawSpan {
    @_lifetime(copy self) get { bytes.extracting(droppingFirst: header.byteCount) }
  }

  /// What is wrong with its payload, if anything.
  ///
  /// O(n).
  public var payloadDamage: RecordDamage? {
    if header.isErased { return payload.isEmpty && header.payloadCount > 0 ? nil : .payload }
    guard payload.byteCount == header.payloadCount else { return .cutOff }
    return Checksum.of(payload) == header.payloadChecksum ? nil : .payload
  }

  /// The chain as it must be after a record with the given one.
  func chain(after previous: Chain) -> Chain {
    previous.extended(by: number, bytes, count: header.byteCount)
  }

  /// A copy that outlives the transaction.
  public var record: Record {
    Record(number: number, header: header, payload: payload.array)
  }
}

/// A record of the log, with a copy of its payload.
public struct Record: Hashable, Sendable {
  /// Its number.
  public let number: RecordNumber
  /// Its header.
  public let header: RecordHeader
  /// Its payload; empty where it was erased.
  public let payload: [UInt8]

  /// A record from its parts, whether or not they fit together.
  package init(number: RecordNumber, header: RecordHeader, payload: [UInt8]) {
    self.number = number
    self.header = header
    self.payload = payload
  }
}
