import EventStore
import LMDB
import TestSupport
import Testing

/// An index in a real environment beside a dictionary that knows what it should hold.
struct NameHistory: ~Copyable {
  /// Tails and runs so small that a few thousand pairs reach four tiers.
  static let shape = NameShape(tailMax: 40, sheetCount: 1)

  private let folder: TemporaryFolder
  private let environment: Environment
  private let table: Table<UInt64, [UInt8]>
  private let reader: KeptReader
  private(set) var index: NameIndex
  private var frozen: NameIndex.Frozen?
  private var generator: SeededGenerator

  /// What is in the index, what of it was frozen, and what is committed.
  private var (model, frozenModel, committedModel) = (Model(), Model(), Model())

  typealias Model = [UInt64: Set<UInt32>]

  init(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let environment = try Environment(at: folder.path)
    let table = try environment.table("names", keys: UInt64.self, values: [UInt8].self)
    let reader = KeptReader(environment)
    index = try NameIndex(NameBase(reader, table), shape: Self.shape)
    (self.folder, self.environment, self.table, self.reader) = (folder, environment, table, reader)
    generator = SeededGenerator(seed: seed)
  }

  /// Does something at random.
  mutating func step() throws {
    switch Int.random(in: 0..<12, using: &generator) {
    case 0..<7: try insert(Int.random(in: 1...60, using: &generator))
    case 7, 8: freeze()
    case 9, 10: try commit()
    default: try crash()
    }
    try expectModel(samples: 20)
  }

  /// Adds pairs, some of which share their hash with others.
  mutating func insert(_ count: Int) throws {
    for _ in 0..<count {
      let isShared = Int.random(in: 0..<8, using: &generator) == 0
      let known = isShared ? model.keys.min() : nil
      let hash = known ?? UInt64.random(in: 0 ... .max, using: &generator)
      let row = UInt32.random(in: 1 ... .max, using: &generator)
      try index.insert(hash, RowID(rawValue: row))
      model[hash, default: []].insert(row)
    }
  }

  mutating func freeze() {
    guard frozen == nil else { return }
    frozen = index.freeze()
    frozenModel = model
  }

  mutating func commit() throws {
    guard let frozen else { return }
    try environment.write(.none) { transaction throws(LMDBError) in
      try frozen.write(to: &transaction)
    }
    try reader.renew()
    index.committed()
    committedModel = frozenModel
    self.frozen = nil
  }

  /// Drops what is in memory, with the frozen layer or just after it was written.
  mutating func crash() throws {
    if Bool.random(using: &generator) { try commit() }
    try reopen()
  }

  mutating func reopen() throws {
    try reader.renew()
    frozen = nil
    index = try NameIndex(NameBase(reader, table))
    model = committedModel
  }

  /// Checks that pairs of the model are found, each among those that share its hash, and others are
  /// not.
  mutating func expectModel(samples: Int? = nil) throws {
    #expect(index.count == model.values.reduce(0) { $0 + $1.count })
    for (hash, rows) in model.prefix(samples ?? model.count) {
      for row in rows { #expect(try index.find(hash) { $0.rawValue == row }?.rawValue == row) }
      var seen: [UInt32] = []
      _ = try index.find(hash) { seen.append($0.rawValue) == () && false }
      #expect(seen.count == rows.count && Set(seen) == rows)
    }
    for _ in 0..<(samples ?? 100) {
      let hash = UInt64.random(in: 0 ... .max, using: &generator)
      #expect(try index.find(hash) { _ in true } == nil || model[hash] != nil)
    }
  }

  mutating func checkInvariants() throws { try index.checkInvariants() }

  /// What is stored: a key and the bytes for each value.
  func stored() throws -> [UInt64: [UInt8]] {
    try environment.read { transaction in
      var stored: [UInt64: [UInt8]] = [:]
      var cursor = try transaction.cursor(over: table)
      while try cursor.next() {
        stored[cursor.key.integer(UInt64.self, at: 0)] = cursor.value.array
      }
      return stored
    }
  }

  /// Replaces what is stored at a key.
  func store(_ bytes: [UInt8], at key: UInt64) throws {
    try environment.write(.none) { transaction throws(LMDBError) in
      try transaction.put(bytes, for: key, in: table)
    }
  }
}
