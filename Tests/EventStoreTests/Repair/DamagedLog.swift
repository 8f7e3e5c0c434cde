import EventStore
import Foundation
import LMDB
import TestSupport

/// A log to damage and to restore, with its sound bytes and records at hand.
final class DamagedLog {
  let folder: TemporaryFolder
  let records: [Record]
  let bytes: [UInt8]
  /// The place in the file of each record's value in the tree.
  let places: [RecordNumber: Range<Int>]
  private let handle: FileHandle

  init(seed: UInt64, batches: Int = 12) async throws {
    folder = try TemporaryFolder()
    var options = Log.Options()
    options.random = SeededGenerator(seed: seed)
    let log = try await Log.open(at: folder.path, options: options)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<batches { try await log.append(.random(using: &random), durability: .relaxed) }
    records = try log.everything()
    await log.close()
    let data = folder.path(of: "data.mdb")
    bytes = [UInt8](try Data(contentsOf: URL(filePath: data)))
    places = try Self.places(in: data, bytes)
    handle = try FileHandle(forUpdating: URL(filePath: data))
  }

  var path: String { folder.path }

  /// Finds each value on the page of its key or, if it has pages of its own, anywhere in the file.
  private static func places(
    in path: String, _ bytes: [UInt8]
  ) throws -> [RecordNumber: Range<Int>] {
    let file = try PageFile(path)
    let data = Data(bytes)
    var walk = TreeWalk(file)
    var places: [RecordNumber: Range<Int>] = [:]
    walk.visit(file.meta.main) { entry in
      guard let key = UInt64(bytes: entry.key), key > 0 else { return }
      let value = Data(entry.value.array)
      let page = Int(entry.page) * file.pageSize
      let place =
        data.range(of: value, in: page..<page + file.pageSize) ?? data.range(of: value)
      places[RecordNumber(rawValue: key)] = place
    }
    return places
  }

  func flip(_ bit: Int) throws {
    try write([bytes[bit / 8] ^ 1 << UInt8(bit % 8)], at: bit / 8)
  }

  func mend(_ bit: Int) throws { try write([bytes[bit / 8]], at: bit / 8) }

  func truncate(to size: Int) throws { try handle.truncate(atOffset: UInt64(size)) }

  func restore() throws {
    try truncate(to: 0)
    try write(bytes, at: 0)
  }

  /// Overwrites one to three pages with random bytes or another page's; returns which.
  func overwritePages(_ random: inout SeededGenerator) throws -> Set<Int> {
    let pages = 0..<bytes.count / 4096
    let chosen = Set(
      (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in
        pages.randomElement(using: &random)
      })
    for page in chosen.sorted() {
      let other = Int.random(in: pages, using: &random) * 4096
      let isGarbage = Bool.random(using: &random)
      let garbage = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) }
      try write(isGarbage ? garbage : Array(bytes[other..<other + 4096]), at: page * 4096)
    }
    return chosen
  }

  func write(_ bytes: [UInt8], at offset: Int) throws {
    try handle.seek(toOffset: UInt64(offset))
    try handle.write(contentsOf: bytes)
  }

  /// Returns the record that holds a bit, or `nil`.
  func record(at bit: Int) -> RecordNumber? {
    places.first { $0.value.contains(bit / 8) }?.key
  }

  /// Returns a random bit of the file or, as often, of a record.
  func randomBit(_ random: inout SeededGenerator) -> Int {
    guard Bool.random(using: &random), let record = records.randomElement(using: &random),
      let place = places[record.number]
    else { return Int.random(in: 0..<bytes.count * 8, using: &random) }
    return Int.random(in: place.lowerBound * 8..<place.upperBound * 8, using: &random)
  }
}

extension Batch {
  /// Random events with headers and payloads of many kinds and lengths, a few of them on pages of
  /// their own.
  static func random(using random: inout SeededGenerator) -> Batch {
    var batch = Batch()
    for _ in 0..<Int.random(in: 4...20, using: &random) {
      let length = [0, 3, 40, 90, 300, 5000].randomElement(using: &random) ?? 0
      var event = Event(
        kind: .note, recordedAt: Timestamp(rawValue: .random(in: 0...9, using: &random)))
      if Bool.random(using: &random) { event.login = Login(account: 7, epoch: 2) }
      if Bool.random(using: &random) { event.cause = .record(1) }
      if Bool.random(using: &random) { event.entity = Fingerprint(rawValue: random.next()) }
      if Bool.random(using: &random) { event.origin = .intent }
      let text = (0..<length).map { _ in String(UInt8.random(in: 0..<10, using: &random)) }.joined()
      if length == 0 { batch.add(event) } else { batch.add(event) { $0.put(1, text) } }
    }
    return batch
  }
}

extension Log {
  /// All records, read with every check.
  func everything() throws -> [Record] {
    try read { snapshot throws(LogError) in
      var records: [Record] = []
      var cursor = try snapshot.records()
      while try cursor.next() { records.append(cursor.record.record) }
      return records
    }
  }
}

extension Record {
  /// Whether the records are the same except for their chains.
  func holdsSame(as other: Record) -> Bool {
    var header = header
    header.chain = other.header.chain
    return number == other.number && header == other.header && payload == other.payload
  }
}
