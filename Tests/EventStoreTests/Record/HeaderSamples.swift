import EventStore
import TestSupport
import Testing

extension RecordHeader {
  /// A header of zeros, without any optional field.
  static func bare() throws -> RecordHeader {
    let bytes: [UInt8] = [1] + [UInt8](repeating: 0, count: 27)
    let header = RecordHeader(bytes.span.bytes)
    return try #require(header)
  }

  /// Returns a header with those of the seven flags and fields whose bits `combination` has.
  static func random(
    _ combination: Int, using generator: inout SeededGenerator
  ) throws -> RecordHeader {
    func has(_ bit: Int) -> Bool { combination & 1 << bit != 0 }
    var header = try bare()
    header.kind = EventKind(rawValue: .random(in: 0 ... .max, using: &generator))
    header.version = .random(in: 0 ... .max, using: &generator)
    header.recordedAt = Timestamp(rawValue: .random(using: &generator))
    header.payloadCount = Int(UInt32.random(in: 0 ... .max, using: &generator))
    header.payloadChecksum = .random(in: 0 ... .max, using: &generator)
    header.chain = .random(in: 0 ... .max, using: &generator)
    header.origin = has(0) ? .intent : .fact
    (header.isErased, header.isBaseline) = (has(1), has(2))
    if has(3) {
      header.login = Login(
        account: .random(in: 0 ... .max, using: &generator),
        epoch: .random(in: 0 ... .max, using: &generator))
    }
    if has(4) { header.cause = RecordNumber(rawValue: generator.next()) }
    if has(5) { header.exchange = RecordNumber(rawValue: generator.next()) }
    if has(6) { header.entity = Fingerprint(rawValue: generator.next()) }
    return header
  }

  /// The header as bytes.
  var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0xAA, count: byteCount)
    var elements = bytes.mutableSpan
    var span = elements.mutableBytes
    write(to: &span, at: 0)
    return bytes
  }

  /// The header as the format documents it, written without the code under test.
  var describedBytes: [UInt8] {
    let present: [Bool] = [
      origin == .intent, isErased, isBaseline, login != nil, cause != nil, exchange != nil,
      entity != nil,
    ]
    var flags: UInt8 = 0
    for (bit, isPresent) in present.enumerated() where isPresent { flags |= 1 << UInt8(bit) }
    var bytes: [UInt8] = [1, flags]
    bytes += littleEndian(kind.rawValue) + [version, coding.rawValue, 0, 0]
    bytes += littleEndian(recordedAt.rawValue) + littleEndian(UInt32(payloadCount))
    bytes += littleEndian(payloadChecksum)
    if let login { bytes += littleEndian(login.account) + littleEndian(login.epoch) }
    for field in [cause?.rawValue, exchange?.rawValue, entity?.rawValue] {
      if let field { bytes += littleEndian(field) }
    }
    return bytes + littleEndian(chain)
  }
}

/// Returns the bytes of an integer, lowest first.
func littleEndian<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
  (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> T(8 * $0)) }
}
