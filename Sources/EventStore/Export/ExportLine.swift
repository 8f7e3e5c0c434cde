import LMDB

/// A parsed line of an exported log.
enum ExportLine {
  case head(ExportHead)
  /// A record, whose payload is stored separately.
  case record(RecordNumber, RecordHeader)
  case manifest(ExportManifest)
}

extension ExportScanner {
  /// Parses the first line.
  ///
  /// - Throws: Also `ImportError`, if the line is not from an exported log or has a newer version.
  mutating func head() throws -> ExportHead {
    typealias Name = ExportFormat.Name
    let zeros = [UInt8](repeating: 0, count: FingerprintKey.byteCount)
    var head = ExportHead(
      id: StoreID(low: 0, high: 0), secret: FingerprintKey(zeros.raw), floor: 0,
      chain: 0, hasBaseline: false, isRedacted: false)
    guard isHead() else { throw ImportError.notAnExport }
    var isFirst = false
    var missing: Set = [Name.version, Name.store, Name.secret, Name.floor, Name.chain]
    while try hasNext(&isFirst, before: "}") {
      let name = try name()
      missing.remove(name)
      if name == Name.version { try checkVersion() } else { try take(name, into: &head) }
    }
    if let name = missing.min() { throw Fault("'\(name)' is missing") }
    try expectEnd()
    return head
  }

  private mutating func take(_ name: String, into head: inout ExportHead) throws(Fault) {
    typealias Name = ExportFormat.Name
    switch name {
    case Name.store: head.id = StoreID(bytes: try quotedBytes()) ?? head.id
    case Name.secret: head.secret = try secret()
    case Name.generation: head.generation = try count()
    case Name.erasures: head.erasures = try count()
    case Name.floor: head.floor = try recordNumber()
    case Name.chain: head.chain = UInt32(truncatingIfNeeded: try quotedHex(digits: 8))
    case Name.baseline: head.hasBaseline = try boolean()
    case Name.isRedacted: head.isRedacted = try boolean()
    default: throw Fault("'\(name)' is unknown")
    }
  }

  /// Consumes the first member; returns whether the line starts like the first line of an export.
  private mutating func isHead() -> Bool {
    do throws(Fault) {
      try expect("{")
      let name = try name()
      let value = try text()
      return name == ExportFormat.Name.tideline && value == ExportFormat.magic
    } catch {
      return false
    }
  }

  private mutating func checkVersion() throws {
    let version = try number()
    guard version <= ExportFormat.version else {
      throw ImportError.newerVersion(found: version, known: ExportFormat.version)
    }
    guard version > 0 else { throw Fault("version 0 does not exist") }
  }

  private mutating func secret() throws(Fault) -> FingerprintKey {
    let bytes = try quotedBytes()
    return FingerprintKey(bytes.raw)
  }

  /// The maximum count of rewrites or erasures, which leaves room for more.
  private static let countMax: UInt64 = 1 << 62

  /// Reads the number of times that something was done to the log.
  private mutating func count() throws(Fault) -> UInt64 {
    let count = try number()
    guard count <= Self.countMax else { throw Fault("the count \(count) is out of range") }
    return count
  }

  /// Reads 0 or a valid record number that leaves room for others after it.
  private mutating func recordNumber() throws(Fault) -> RecordNumber {
    let number = RecordNumber(rawValue: try number())
    guard number <= ExportFormat.numberMax else {
      throw Fault("\(number) is not a valid record number")
    }
    return number
  }
}

extension ExportScanner {
  /// Parses a line after the first, and appends its payload to `payload`.
  mutating func line(payload: inout [UInt8]) throws(Fault) -> ExportLine {
    typealias Name = ExportFormat.Name
    try expect("{")
    let first = try name()
    if first == Name.manifest { return .manifest(try manifest()) }
    guard first == Name.number else { throw Fault("'\(first)' is unknown") }
    let number = try recordNumber()
    guard number > 0 else { throw Fault("0 is not a valid record number") }
    let start = payload.count
    var header = RecordHeader(
      kind: EventKind(rawValue: 0), version: 1, recordedAt: Timestamp(rawValue: 0),
      payloadCount: 0, payloadChecksum: 0)
    var (isFirst, hasPayload, hasKind, hasTime) = (false, false, false, false)
    while try hasNext(&isFirst, before: "}") {
      let name = try name()
      switch name {
      case Name.kind:
        (header.kind, hasKind) = (EventKind(rawValue: try self.number(UInt16.self)), true)
      case Name.recordedAt:
        (header.recordedAt, hasTime) = (Timestamp(rawValue: try signed()), true)
      case Name.payload where !hasPayload:
        if peek() == UInt8(ascii: "n") {
          try expect(word: "null")
        } else {
          try appendPayload(to: &payload)
        }
        hasPayload = true
      default: try take(name, into: &header)
      }
    }
    try expectEnd()
    guard hasKind, hasTime, hasPayload else { throw Fault("kind, time or payload is missing") }
    return .record(number, try closed(header, payload.raw.extracting(start..<payload.count)))
  }

  private mutating func take(_ name: String, into header: inout RecordHeader) throws(Fault) {
    typealias Name = ExportFormat.Name
    switch name {
    case Name.version: header.version = try number(UInt8.self)
    case Name.origin: header.origin = try origin()
    case Name.login: header.login = try login()
    case Name.cause: header.cause = RecordNumber(rawValue: try number())
    case Name.exchange: header.exchange = RecordNumber(rawValue: try number())
    case Name.entity: header.entity = Fingerprint(rawValue: try quotedHex(digits: 16))
    case Name.baseline: header.isBaseline = try boolean()
    case Name.chain: header.chain = UInt32(truncatingIfNeeded: try quotedHex(digits: 8))
    case Name.erased:
      try expect("[")
      header.isErased = true
      header.payloadCount = Int(try number(UInt32.self))
      try expect(",")
      header.payloadChecksum = UInt32(truncatingIfNeeded: try quotedHex(digits: 8))
      try expect("]")
    default: throw Fault("'\(name)' is unknown, or given twice")
    }
  }

  /// Returns the header completed with the values that follow from the payload.
  private func closed(
    _ header: RecordHeader, _ payload: RawSpan
  ) throws(Fault) -> RecordHeader {
    var header = header
    guard !header.isErased else {
      guard payload.isEmpty, header.payloadCount > 0 else {
        throw Fault("a record marked as erased has a payload")
      }
      return header
    }
    guard payload.byteCount <= Log.payloadBytesMax else { throw Fault("the payload is too long") }
    header.payloadCount = payload.byteCount
    header.payloadChecksum = Checksum.of(payload)
    return header
  }

  private mutating func origin() throws(Fault) -> Event.Origin {
    switch try text() {
    case "fact": .fact
    case "intent": .intent
    default: throw Fault("an origin is unknown")
    }
  }

  private mutating func login() throws(Fault) -> Login {
    try expect("[")
    let account = try number(UInt32.self)
    try expect(",")
    let epoch = try number(UInt32.self)
    try expect("]")
    guard max(account, epoch) <= Login.numberMax else {
      throw Fault("[\(account),\(epoch)] is not a valid login")
    }
    return Login(account: account, epoch: epoch)
  }

  private mutating func manifest() throws(Fault) -> ExportManifest {
    typealias Name = ExportFormat.Name
    var (manifest, isFirst) = (ExportManifest(), true)
    try expect("{")
    while try hasNext(&isFirst, before: "}") {
      let name = try name()
      switch name {
      case Name.records: manifest.records = try number()
      case Name.last: manifest.last = try recordNumber()
      case Name.lost: manifest.lost = try number()
      case Name.payloadBytes: manifest.payloadBytes = try number()
      case Name.chain: manifest.chain = UInt32(truncatingIfNeeded: try quotedHex(digits: 8))
      case Name.checksum: manifest.checksum = UInt32(truncatingIfNeeded: try quotedHex(digits: 8))
      default: throw Fault("'\(name)' is unknown")
      }
    }
    try expect("}")
    try expectEnd()
    return manifest
  }
}
