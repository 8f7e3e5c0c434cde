import EventStore
import LMDB
import TestSupport
import Testing

/// An index in a real environment, beside a dictionary that knows what the index should hold.
struct NameHistory: ~Copyable {
  /// Tails and runs so small that a few thousand pairs reach three tiers.
  static let small = NameShape(tailMax: 40, sheetCount: 1)
  /// Tails of three blocks.
  static let medium = NameShape(tailMax: 900, sheetCount: 4)

  private let folder: TemporaryFolder
  private let environment: Environment
  private let table: Table<UInt64, [UInt8]>
  private let reader: KeptReader
  private(set) var index: NameIndex
  private var frozen: FrozenNames?
  private var generator: SeededGenerator

  /// What the index holds, what of it is frozen, and what is committed.
  private var (model, frozenModel, committedModel) = (Model(), Model(), Model())
  private var frozenCatalog: NameCatalog
  /// Whether pairs gather in bulk, so that the committed pairs differ from the index.
  private var isBulk = false
  /// The hashes looked up ahead, and those of them that are inserted next.
  private var (ahead, coming): ([UInt64], [UInt64]) = ([], [])
  /// Hashes that several pairs share.
  private var shared: [UInt64] = []

  private struct Model {
    var rows: [UInt64: Set<UInt32>] = [:]
    var count = 0
  }

  init(_ shape: NameShape = small, seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var options = Environment.Options()
    // The map can't grow while the reader is open.
    options.mapSize = 64 << 20
    let environment = try Environment(at: folder.path, options: options)
    let table = try environment.table("names", keys: UInt64.self, values: [UInt8].self)
    let reader = KeptReader(environment)
    index = try NameIndex(NameBase(reader, table), shape: shape)
    frozenCatalog = index.catalog
    (self.folder, self.environment, self.table, self.reader) = (folder, environment, table, reader)
    generator = SeededGenerator(seed: seed)
  }

  /// Returns the row with a hash, if it is this one.
  mutating func find(_ hash: UInt64, _ row: RowID) throws -> RowID? {
    try index.find(hash) { $0 == row }
  }

  /// Performs a random operation.
  mutating func step() throws {
    if Bool.random(using: &generator) { lookAhead(Int.random(in: 0...60, using: &generator)) }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0..<7:
      try insert(Int.random(in: 1...index.catalog.shape.tailMax * 3 / 2, using: &generator))
    case 7, 8: freeze()
    case 9, 10: try commit()
    default: try crash()
    }
    try expectModel(samples: 20)
    for hash in ahead { try expectAll(of: hash) }
  }

  /// Looks ahead for up to `count` existing hashes, and for `count` that are inserted next.
  mutating func lookAhead(_ count: Int) {
    coming = (0..<count).map { _ in UInt64.random(in: 0 ... .max, using: &generator) }
    ahead = coming + model.rows.keys.prefix(count)
    for (hash, row) in zip(ahead, rowsAhead(of: ahead)) {
      #expect(row == NameIndex.noRow || model.rows[hash]?.contains(row) == true)
    }
  }

  /// Checks that looking ahead finds a row for each existing hash.
  mutating func expectAhead() {
    let hashes = Array(model.rows.keys)
    for (hash, row) in zip(hashes, rowsAhead(of: hashes)) {
      #expect(model.rows[hash]?.contains(row) == true)
    }
  }

  private mutating func rowsAhead(of hashes: [UInt64]) -> [UInt32] {
    var rows: [UInt32] = [1, 2, 3]
    index.findAhead(hashes, &rows)
    #expect(rows.count == hashes.count)
    return rows
  }

  /// Inserts pairs, some of which share their hash with others.
  mutating func insert(_ count: Int) throws {
    for _ in 0..<count {
      let isShared = Int.random(in: 0..<8, using: &generator) == 0
      let new = coming.popLast() ?? UInt64.random(in: 0 ... .max, using: &generator)
      let hash = isShared ? shared.randomElement(using: &generator) ?? new : new
      if shared.count < 100 { shared.append(new) }
      let row = UInt32(index.count + 1)
      try index.insert(hash, RowID(rawValue: row))
      model.rows[hash, default: []].insert(row)
      model.count += 1
    }
  }

  mutating func beginBulk() {
    index.beginBulk()
    isBulk = true
  }

  mutating func endBulk() throws {
    try index.endBulk()
    isBulk = false
  }

  mutating func freeze() {
    guard frozen == nil else { return }
    frozen = index.freeze()
    (frozenModel, frozenCatalog) = (model, index.catalog)
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
    if !isBulk { try expectStored() }
  }

  /// Drops the state in memory, either with the frozen layer or just after that was committed.
  mutating func crash() throws {
    if Bool.random(using: &generator) { try commit() }
    try reopen()
  }

  mutating func reopen() throws {
    try reader.renew()
    frozen = nil
    index = try NameIndex(NameBase(reader, table), shape: index.catalog.shape)
    (ahead, coming) = ([], [])
    model = committedModel
  }

  /// Checks that pairs of the model are found, each among those that share its hash, and that other
  /// hashes are not.
  mutating func expectModel(samples: Int? = nil) throws {
    #expect(index.count == model.count)
    for (hash, rows) in model.rows.prefix(samples ?? model.count) {
      for row in rows { #expect(try index.find(hash) { $0.rawValue == row }?.rawValue == row) }
      try expectAll(of: hash)
    }
    for _ in 0..<(samples ?? 100) {
      let hash = UInt64.random(in: 0 ... .max, using: &generator)
      #expect(try index.find(hash) { _ in true } == nil || model.rows[hash] != nil)
    }
  }

  /// Checks that a search offers every row of a hash for verification, and at most one of them
  /// twice.
  private mutating func expectAll(of hash: UInt64) throws {
    var seen: [UInt32] = []
    _ = try index.find(hash) { seen.append($0.rawValue) == () && false }
    let rows = model.rows[hash] ?? []
    #expect(seen.count <= rows.count + 1 && Set(seen) == rows)
  }

  /// Checks that the values that the committed catalog needs are stored, and little else.
  private func expectStored() throws {
    let stored = Set(try stored().keys)
    guard !stored.isEmpty else { return }
    let (needed, allowed) = (keys(of: frozenCatalog), keys(of: frozenCatalog, lagging: 64))
    #expect(needed.isSubset(of: stored), "missing: \(needed.subtracting(stored))")
    #expect(stored.isSubset(of: allowed), "left after: \(stored.subtracting(allowed))")
  }

  /// Returns the keys that a catalog needs, with those that may not be removed yet where removal
  /// takes `blocks` at a time.
  private func keys(of catalog: NameCatalog, lagging blocks: Int = 1) -> Set<UInt64> {
    var keys: Set = [NameKey.catalog]
    for block in 0..<(catalog.tailCount + 337) / 338 {
      keys.insert(NameKey.block(block, of: catalog.tail))
    }
    for (tier, content) in catalog.tiers.enumerated() {
      let sheets = catalog.shape.sheetCount(ofTier: tier)
      for (place, run) in content.runs.enumerated() {
        let first = place < 8 ? content.output?.sheets ?? 0 : 0
        keys.formUnion(Self.keys(of: run, first / blocks * blocks, sheets))
      }
      if let output = content.output {
        keys.formUnion(Self.keys(of: output.id, 0, output.sheets))
      }
    }
    return keys
  }

  private static func keys(of run: UInt32, _ first: Int, _ sheets: Int) -> [UInt64] {
    (first..<8 * sheets).map { NameKey.block($0, of: run) }
      + (first / 8..<sheets).map { NameKey.filter($0, of: run) }
  }

  mutating func checkInvariants() throws { try index.checkInvariants() }

  /// Returns the stored bytes of each value by key.
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

  /// Returns a row with a hash.
  mutating func find(_ hash: UInt64) throws -> RowID? { try index.find(hash) { _ in true } }

  /// Returns a row with a hash that is in a run.
  mutating func findInRuns(_ hash: UInt64) throws -> RowID? {
    try index.findInRuns(hash) { _ in true }
  }

  /// Replaces the value stored at a key; the index reads the new bytes from then on.
  func store(_ bytes: [UInt8], at key: UInt64) throws {
    try environment.write(.none) { transaction throws(LMDBError) in
      try transaction.put(bytes, for: key, in: table)
    }
    try reader.renew()
  }
}
