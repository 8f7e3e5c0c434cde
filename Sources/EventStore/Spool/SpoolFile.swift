import LMDB

/// The encoding of an event in a spool file.
///
/// See <doc:SpoolFormat>.
struct SpoolFile {
  /// The newest format that this version reads and writes.
  static let format: UInt32 = 1
  /// The maximum size of a file in bytes; apart from the name, its fields need far less than 1 KB.
  static let bytesMax = Log.payloadBytesMax + Spool.entityBytesMax + (1 << 10)

  private static let magic = Array("tidespl1".utf8)
  private static let headerCount = 16
  private static let checksumCount = 4

  /// The event; its entity is still only a name if it was written with one.
  let event: Event
  /// The name of the entity that the event is about.
  let entity: String?
  /// The range of the payload in the file.
  let payload: Range<Int>

  /// Encodes an event as the contents of a file.
  ///
  /// - Throws: `tooLarge`.
  static func bytes(
    of event: Event, about entity: String?, appendingPayload append: (inout [UInt8]) -> Void
  ) throws(LogError) -> [UInt8] {
    let nameCount = entity?.utf8.count ?? 0
    guard nameCount <= Spool.entityBytesMax else {
      throw .tooLarge(what: "entity's name", bytes: nameCount, limit: Spool.entityBytesMax)
    }
    let fields = PayloadWriter.bytes { $0.put(event, about: entity) }
    var bytes = magic
    bytes.append(littleEndian: format)
    bytes.append(littleEndian: UInt32(fields.count))
    bytes += fields
    let start = bytes.count
    append(&bytes)
    guard bytes.count - start <= Log.payloadBytesMax else {
      throw .tooLarge(what: "payload", bytes: bytes.count - start, limit: Log.payloadBytesMax)
    }
    bytes.append(littleEndian: Checksum.of(bytes.raw))
    return bytes
  }

  /// Decodes the contents of a file.
  init(_ bytes: RawSpan) throws(SpoolDamage) {
    let known = min(bytes.byteCount, Self.magic.count)
    guard Self.magic.starts(with: bytes.extracting(first: known).array) else { throw .foreign }
    guard bytes.byteCount <= Self.bytesMax else { throw .tooLarge }
    guard bytes.byteCount >= Self.headerCount + Self.checksumCount else { throw .damaged }
    let format = bytes.integer(UInt32.self, at: 8)
    guard format <= Self.format else { throw .newerFormat(Int(format)) }
    let end = bytes.byteCount - Self.checksumCount
    guard Checksum.of(bytes.extracting(first: end)) == bytes.integer(UInt32.self, at: end),
      case let start = Self.headerCount + Int(bytes.integer(UInt32.self, at: 12)), start <= end
    else { throw .damaged }
    guard end - start <= Log.payloadBytesMax else { throw .tooLarge }
    let header = bytes.extracting(Self.headerCount..<start)
    guard let fields = try? PayloadFields(decoding: header), let event = Event(spooled: fields)
    else { throw .damaged }
    self.event = event
    entity = if case .text(let name)? = fields[SpoolField.entity] { name } else { nil }
    payload = start..<end
    // Re-encoding reveals fields that are unknown, out of range, or lack their counterpart.
    guard entity == nil || event.entity == nil else { throw .damaged }
    let written = PayloadWriter.bytes { $0.put(event, about: entity) }
    guard written.raw.equals(header) else { throw .damaged }
  }
}
