import EventStore
import LMDB

/// Rows changed at scattered places: one of each hundred numbers, over many pages.
struct TableOfRows {
  let environment: Environment
  private let table: Table<UInt64, [UInt8]>
  private(set) var applied = LogPoint(number: .zero, chain: 0)

  private static let end: UInt64 = .max
  private static let rowCount: UInt64 = 251

  init(in generation: Generation) throws {
    environment = try Environment(at: generation.folder.path, options: Generation.options)
    table = try environment.table(nil)
    let bytes = try environment.read { [table] transaction throws(LMDBError) in
      try transaction.value(for: Self.end, in: table)
    }
    guard let bytes, bytes.count == 12 else { return }
    applied = LogPoint(
      number: RecordNumber(rawValue: bytes.raw.integer(UInt64.self, at: 0)),
      chain: bytes.raw.integer(UInt32.self, at: 8))
  }

  /// Applies records in commits that are not flushed.
  mutating func apply(_ log: Log, upTo last: UInt64) throws {
    var next = applied
    try environment.write(.none) { [table, applied] transaction throws(LMDBError) in
      for number in applied.number.rawValue + 1...last {
        try transaction.put(Self.row(of: number), for: Self.key(of: number), in: table)
      }
    }
    let number = RecordNumber(rawValue: last)
    let record = try log.read { snapshot throws(LogError) in try snapshot.record(number) }
    next = LogPoint(number: number, chain: record?.header.chain ?? 0)
    var bytes: [UInt8] = []
    bytes.append(littleEndian: last)
    bytes.append(littleEndian: next.chain)
    try environment.write(.none) { [table, bytes] transaction throws(LMDBError) in
      try transaction.put(bytes, for: Self.end, in: table)
    }
    applied = next
  }

  /// Returns the first difference from the log, or `nil` if none exists.
  func difference(from log: Log) throws -> String? {
    let last = applied.number.rawValue
    let record = try log.read { snapshot throws(LogError) in try snapshot.record(applied.number) }
    guard record?.header.chain == applied.chain else { return "the views end at no record" }
    var expected: [UInt64: [UInt8]] = [:]
    for number in 1...max(1, last) { expected[Self.key(of: number)] = Self.row(of: number) }
    var found: [UInt64: [UInt8]] = [:]
    try environment.read { transaction throws(LMDBError) in
      var cursor = try transaction.cursor(over: table)
      while try cursor.next() { found[UInt64(bytes: cursor.key) ?? 0] = cursor.value.array }
    }
    found[Self.end] = nil
    return found == expected ? nil : "\(found.count) rows at \(last), not as they should be"
  }

  private static func key(of number: UInt64) -> UInt64 { number &* 7_919 % rowCount }

  private static func row(of number: UInt64) -> [UInt8] {
    [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 200)
  }
}
