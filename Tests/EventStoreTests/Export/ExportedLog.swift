import EventStore
import TestSupport

/// A log of random records that is exported and imported.
struct ExportedLog {
  let folder: TemporaryFolder
  let log: Log

  /// Creates a log with records of every kind and form.
  init(seed: UInt64, count: Int = 60) async throws {
    var dice = SeededGenerator(seed: seed)
    folder = try TemporaryFolder()
    log = try await Log.open(at: folder.path)
    var batch = Batch()
    for _ in 0..<count {
      let payload = Self.payload(using: &dice)
      batch.add(Self.event(using: &dice), payload: payload.span.bytes)
    }
    try await log.append(batch, durability: .relaxed)
  }

  /// Returns random fields, or bytes that are not fields.
  private static func payload(using dice: inout SeededGenerator) -> [UInt8] {
    switch Int.random(in: 0..<8, using: &dice) {
    case 0: .random(using: &dice)
    case 1: []
    case 2: PayloadFields.everyType.encoded
    default: PayloadFields.random(depth: 3, using: &dice).encoded
    }
  }

  private static func event(using dice: inout SeededGenerator) -> Event {
    func some<Value>(_ value: Value) -> Value? { Bool.random(using: &dice) ? value : nil }
    return Event(
      kind: EventKind(rawValue: .random(in: 0..<65_535, using: &dice)),
      version: .random(in: 0 ... .max, using: &dice),
      origin: Bool.random(using: &dice) ? .fact : .intent,
      recordedAt: Timestamp(rawValue: .random(using: &dice)),
      login: some(Login(account: .max - 1, epoch: 7)),
      cause: some(.record(RecordNumber(rawValue: dice.next()))),
      exchange: some(.record(RecordNumber(rawValue: dice.next() >> 8))),
      entity: some(Fingerprint(rawValue: dice.next())))
  }

  /// Exports the lines of a log.
  static func lines(of log: Log, _ options: LogExport.Options = .init()) throws -> [UInt8] {
    var (export, lines) = (try LogExport(log, options), [UInt8]())
    while let part = try export.next() { lines += part }
    return lines
  }

  /// Imports a log from lines that arrive in parts of a given size.
  static func imported(_ lines: [UInt8], part: Int = 1 << 16) async throws -> ExportedLog {
    let folder = try TemporaryFolder()
    var rest = lines[...]
    _ = try Log.importing(into: folder.path) {
      guard !rest.isEmpty else { return nil }
      defer { rest = rest.dropFirst(part) }
      return Array(rest.prefix(part))
    }
    return ExportedLog(folder: folder, log: try await Log.open(at: folder.path))
  }

  private init(folder: TemporaryFolder, log: Log) { (self.folder, self.log) = (folder, log) }
}

extension Log {
  /// Returns all records.
  func whole() throws -> [Record] {
    try read { snapshot throws(LogError) in
      var records: [Record] = []
      var cursor = try snapshot.records()
      while try cursor.next() { records.append(cursor.record.record) }
      return records
    }
  }
}
