import LMDB

/// A record in the log, borrowed without a copy.
public struct RecordView: ~Escapable {
  /// The record's number.
  public let number: RecordNumber
  private let bytes: RawSpan
  /// The length of the header, or 0 if the bytes are not a record.
  private let headerCount: Int

  @_lifetime(copy bytes)
  @inline(__always)
  init(_ number: RecordNumber, _ bytes: RawSpan) {
    self.number = number
    self.bytes = bytes
    headerCount = RecordHeader.count(in: bytes)
  }

  /// The kind of the record.
  ///
  /// - Complexity: O(1), in less time than the header takes.
  public var kind: EventKind {
    precondition(headerCount > 0, "the record is damaged")
    return EventKind(rawValue: bytes.integer(UInt16.self, at: HeaderFormat.Offset.kind))
  }

  /// The record's header.
  ///
  /// - Complexity: O(1); it is decoded each time.
  public var header: RecordHeader {
    guard let header = RecordHeader(bytes) else { preconditionFailure("the record is damaged") }
    return header
  }

  /// The record's payload; empty if it was erased.
  public var payload: RawSpan {
    @_lifetime(copy self) get { bytes.extracting(droppingFirst: headerCount) }
  }

  /// Whether the payload was erased.
  @inline(__always)
  var isErased: Bool {
    headerCount > 0 && bytes.byte(at: HeaderFormat.Offset.flags) & HeaderFormat.Flag.erased != 0
  }

  /// Whether the record stands for one that was lost.
  @inline(__always)
  var isLost: Bool {
    headerCount > 0
      && bytes.integer(UInt16.self, at: HeaderFormat.Offset.kind) == EventKind.lost.rawValue
  }

  /// The damage to the record's bytes, apart from its place in the chain.
  ///
  /// O(n) in the payload.
  @inline(__always)
  var damage: RecordDamage? {
    guard headerCount > 0 else { return .unknownFormat }
    let payload = payload
    let count = Int(bytes.integer(UInt32.self, at: HeaderFormat.Offset.payloadCount))
    guard bytes.byte(at: HeaderFormat.Offset.flags) & HeaderFormat.Flag.erased == 0 else {
      return payload.isEmpty && count > 0 ? nil : .payload
    }
    guard payload.byteCount == count else { return .cutOff }
    let checksum = bytes.integer(UInt32.self, at: HeaderFormat.Offset.payloadChecksum)
    return Checksum.of(payload) == checksum ? nil : .payload
  }

  /// The chain stored in the record.
  @inline(__always)
  var chain: Chain { Chain(bytes.integer(UInt32.self, at: headerCount - 4)) }

  /// Returns the expected chain after a record with the given one.
  @inline(__always)
  func chain(after previous: Chain) -> Chain {
    previous.extended(by: number, bytes, count: headerCount)
  }

  /// A copy of all the record's bytes.
  var copy: [UInt8] { bytes.array }

  /// A copy that outlives the transaction.
  public var record: Record {
    Record(number: number, header: header, payload: payload.array)
  }
}

/// A record of the log, with a copy of its payload.
public struct Record: Hashable, Sendable {
  /// The record's number.
  public let number: RecordNumber
  /// The record's header.
  public let header: RecordHeader
  /// The record's payload; empty if it was erased.
  public let payload: [UInt8]

  /// Creates a record from its parts, whether or not they match.
  package init(number: RecordNumber, header: RecordHeader, payload: [UInt8]) {
    self.number = number
    self.header = header
    self.payload = payload
  }
}
