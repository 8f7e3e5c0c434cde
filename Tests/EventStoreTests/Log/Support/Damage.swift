import EventStore
import Foundation
import LMDB
import TestSupport

extension TemporaryFolder {
  /// Changes the file of a closed log behind its back, in this folder or in a subfolder.
  func editLog(
    in name: String? = nil,
    _ body: (inout WriteTransaction, Table<UInt64, [UInt8]>) throws(LMDBError) -> Void
  ) throws {
    let environment = try Environment(at: name.map { self.path(of: $0) } ?? path)
    let table: Table<UInt64, [UInt8]> = try environment.table(nil)
    try environment.write { transaction throws(LMDBError) in try body(&transaction, table) }
    environment.close()
  }
}

/// Damage to the records of a log.
enum Damage: Hashable {
  case removal(ClosedRange<UInt64>)
  case flip(UInt64, bit: Int)
  case swap(UInt64, UInt64)
  case truncation(UInt64, count: Int)
  case renumbering(UInt64, as: UInt64)

  func inflict(on folder: TemporaryFolder, in name: String? = nil) throws {
    if case .renumbering(let number, let other) = self {
      return try Self.renumber(number, as: other, on: folder)
    }
    try folder.editLog(in: name) { transaction, table throws(LMDBError) in
      switch self {
      case .removal(let numbers):
        for number in numbers { try transaction.remove(number, from: table) }
      case .flip(let number, let bit):
        guard var bytes = try transaction.value(for: number, in: table) else { return }
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        try transaction.put(bytes, for: number, in: table)
      case .swap(let a, let b):
        guard let left = try transaction.value(for: a, in: table),
          let right = try transaction.value(for: b, in: table)
        else { return }
        try transaction.put(right, for: a, in: table)
        try transaction.put(left, for: b, in: table)
      case .truncation(let number, let count):
        guard let bytes = try transaction.value(for: number, in: table) else { return }
        try transaction.put(Array(bytes.prefix(count)), for: number, in: table)
      case .renumbering: break
      }
    }
  }

  /// Gives a record another number in place, so the keys are no longer in order.
  private static func renumber(
    _ number: UInt64, as other: UInt64, on folder: TemporaryFolder
  ) throws {
    func key(_ number: UInt64) -> Data {
      // The node's flags, the key's length, and the key.
      withUnsafeBytes(of: number.littleEndian) { Data([0, 0, 8, 0] + $0) }
    }
    let file = URL(filePath: folder.path(of: Environment.dataFile))
    var bytes = try Data(contentsOf: file)
    while let place = bytes.range(of: key(number)) {
      bytes.replaceSubrange(place, with: key(other))
    }
    try bytes.write(to: file)
  }
}

/// What a reader found: the numbers of whole records, and of damaged ones between them.
struct Findings: Equatable {
  var whole: [UInt64] = []
  var damaged: [UInt64] = []

  /// Reads the log with one cursor.
  init(reading log: Log, from first: RecordNumber? = nil) throws {
    self = try log.read { snapshot throws(LogError) in
      var findings = Findings()
      var cursor = try snapshot.records(from: first)
      while true {
        do throws(LogError) {
          guard try cursor.next() else { return findings }
          findings.whole.append(cursor.number.rawValue)
        } catch {
          try findings.note(error)
        }
      }
    }
  }

  /// Follows the log up to its last record.
  init(following log: Log, from first: RecordNumber) async throws {
    var (findings, iterator) = (Findings(), log.records(from: first).makeAsyncIterator())
    let last = try log.last.rawValue
    while max(findings.whole.last ?? 0, findings.damaged.last ?? 0) < last {
      do throws(LogError) {
        guard let record = try await iterator.next() else { break }
        findings.whole.append(record.number.rawValue)
      } catch {
        try findings.note(error)
      }
    }
    self = findings
  }

  init() {}

  init(whole: [UInt64], damaged: [UInt64]) { (self.whole, self.damaged) = (whole, damaged) }

  private mutating func note(_ error: LogError) throws(LogError) {
    guard case .damagedRecord(let number, _) = error, damaged.count < 100 else { throw error }
    damaged.append(number.rawValue)
  }
}
