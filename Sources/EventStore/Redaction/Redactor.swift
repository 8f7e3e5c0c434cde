import LMDB

/// Replaces the texts of records one by one.
struct Redactor {
  private let redaction: Redaction
  let pseudonyms: Pseudonyms
  private let secret: FingerprintKey
  private let id: StoreID

  init(_ redaction: Redaction) {
    self.redaction = redaction
    pseudonyms = Pseudonyms(redaction)
    secret = FingerprintKey(of: redaction.secret, "entities")
    let id = FingerprintKey(of: redaction.secret, "store").bytes
    self.id = StoreID(bytes: id) ?? StoreID(low: 0, high: 0)
  }

  /// Returns the head of the redacted export, which has another store id and another secret.
  func redacted(_ head: ExportHead) -> ExportHead {
    var head = head
    (head.id, head.secret, head.isRedacted) = (id, secret, true)
    head.chain = head.floor == 0 ? Chain(of: id).value : head.chain
    return head
  }

  /// Returns a record with pseudonyms.
  func redacted(
    _ header: RecordHeader, _ payload: RawSpan
  ) -> (RecordHeader, [UInt8]) {
    var header = header
    let original = payload.array
    let redacted = self.payload(of: header, payload, original)
    if let entity = header.entity {
      header.entity = fingerprint(for: entity, redaction.entity(header, redacted))
    }
    if header.isErased {
      let noise = pseudonyms.noise(of: UInt64(header.payloadChecksum))
      header.payloadChecksum = UInt32(truncatingIfNeeded: noise)
    } else {
      header.payloadCount = redacted.count
      header.payloadChecksum = Checksum.of(redacted.raw)
    }
    return (header, redacted)
  }

  private func fingerprint(for entity: Fingerprint, _ name: String?) -> Fingerprint {
    guard let name else { return Fingerprint(rawValue: secret.fingerprint(of: entity.rawValue, 0)) }
    return Fingerprint(rawValue: secret.fingerprint(of: name))
  }

  private func payload(
    of header: RecordHeader, _ payload: RawSpan, _ original: [UInt8]
  ) -> [UInt8] {
    var (bytes, place) = ([UInt8](), Redaction.Place(kind: header.kind))
    do throws(PayloadError) {
      try append(fields: PayloadReader(payload), to: &bytes, &place)
      return bytes
    } catch {
      return pseudonyms.noise(of: original)
    }
  }

  private func append(
    fields: consuming PayloadReader, to bytes: inout [UInt8], _ place: inout Redaction.Place
  ) throws(PayloadError) {
    var reader = fields
    place.heads.append(nil)
    while let field = try reader.next() {
      if field.number == 1, field.type == .integer {
        place.heads[place.heads.count - 1] = try field.integer
      }
      place.path.append(field.number)
      try append(field, as: field.number, to: &bytes, &place)
      place.path.removeLast()
    }
    place.heads.removeLast()
  }

  private func append(
    _ field: borrowing PayloadReader.Field, as number: Int, to bytes: inout [UInt8],
    _ place: inout Redaction.Place
  ) throws(PayloadError) {
    switch field.code {
    case .integer where redaction.isHash(place):
      let hash = pseudonyms.noise(of: UInt64(bitPattern: try field.integer))
      bytes.append(Int64(bitPattern: hash), as: number)
    case .null, .no, .yes, .integer, .double: bytes.append(field, as: number)
    case .text:
      _ = try field.text
      let text = pseudonyms.pseudonym(of: field.content.array, redaction.treatment(place))
      bytes.append(text.raw, as: number, .text)
    case .bytes: bytes.append(content(field.content.array, place), as: number)
    case .fields:
      bytes.append(tag: number, .fields)
      let start = bytes.count
      bytes.append(0)
      try append(fields: field.fields, to: &bytes, &place)
      bytes.fillLength(at: start)
    case .list:
      bytes.append(tag: number, .list)
      let start = bytes.count
      bytes.append(0)
      var items = try field.items
      while let item = try items.next() { try append(item, as: 0, to: &bytes, &place) }
      bytes.fillLength(at: start)
    }
  }

  private func content(_ bytes: [UInt8], _ place: Redaction.Place) -> [UInt8] {
    let treatment = redaction.treatment(place)
    return switch treatment {
    case .kept, .json, .replaced: pseudonyms.pseudonym(of: bytes, treatment)
    default: pseudonyms.noise(of: bytes)
    }
  }
}
