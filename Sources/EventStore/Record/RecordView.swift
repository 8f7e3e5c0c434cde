import LMDB

/// A record as it lies in the log, borrowed without a copy.
public struct RecordView: ~Escapable {
  /// Its number.
  public let number: RecordNumber
  private let bytes: RawSpan
  /// How long its header is, or 0 where the bytes are no record's.
  private let headerCount: Int

  @_lifetime(copy bytes)
  @inline(__always)
  init(_ number: RecordNumber, _ bytes: RawSpan) {
    self.number = number
    self.bytes = bytes
    headerCount = RecordHeader.count(in: bytes)
  }

  /// Its header.
  ///
  /// - Complexity: O(1); it is decoded each time.
  public var header: RecordHeader {
    guard let header = RecordHeader(bytes) else { preconditionFailure("the record is damaged") }
    return header
  }

  /// Its payload; empty where it was erased.
  public var payload: RawSpan {
    @_lifetime(copy self) get { bytes.extracting(droppingFirst: headerCount) }
  }

  /// Whether its payload was erased.
  @inline(__always)
  var isErased: Bool {
    headerCount > 0 && bytes.byte(at: HeaderFormat.Offset.flags) & HeaderFormat.Flag.erased != 0
  }

  /// Whether it stands for one that was lost.
  @inline(__always)
  var isLost: Bool {
    headerCount > 0
      && bytes.integer(UInt16.self, at: HeaderFormat.Offset.kind) == EventKind.lost.rawValue
  }

  /// What is wrong with its bytes, its place in the chain aside.
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

  /// The chain that stands in it.
  @inline(__always)
  var chain: Chain { Chain(bytes.integer(UInt32.self, at: headerCount - 4)) }

  /// The chain as it must be after a record with the given one.
  @inline(__always)
  func chain(after previous: Chain) -> Chain {
    previous.extended(by: number, bytes, count: headerCount)
  }

  /// A copy of all its bytes.
  var copy: [UInt8] { bytes.array }

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
