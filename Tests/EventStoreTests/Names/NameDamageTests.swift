import EventStore
import LMDB
import TestSupport
import Testing

/// An index whose stored bytes are damaged reports so before they lead to a wrong answer, and never
/// traps.
@Suite struct NameDamageTests {
  private func history() throws -> NameHistory {
    var history = try NameHistory(seed: 1)
    for _ in 0..<32 {
      try history.insert(31)
      history.freeze()
      try history.commit()
    }
    return history
  }

  /// Returns what kind of value is stored at a key.
  private func kind(of key: UInt64, _ catalog: NameCatalog) -> String {
    if key == NameKey.catalog { return "catalog" }
    if key & 1 << 31 != 0 { return "filter" }
    return key >> 32 == UInt64(catalog.tail) ? "tail" : "block"
  }

  // Over a second: the test reopens and reads the index for each damaged value.
  @Test func flippedBit_isFoundOut() throws {
    var history = try history()
    let (catalog, stored) = (history.index.catalog, try history.stored())
    var (kinds, generator) = (Set<String>(), SeededGenerator(seed: 2))
    for (key, bytes) in stored.sorted(by: { $0.key < $1.key }) {
      var damaged = bytes
      let place = Int.random(in: bytes.indices, using: &generator)
      damaged[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      try history.store(damaged, at: key)
      if isNeeded(key, catalog) {
        expectDamage(&history, "key \(key)")
        kinds.insert(kind(of: key, catalog))
      }
      try history.store(bytes, at: key)
    }
    #expect(kinds == ["catalog", "filter", "tail", "block"])
    try history.reopen()
    try history.expectModel()
  }

  /// Whether the value at a key has not been merged into another run yet.
  private func isNeeded(_ key: UInt64, _ catalog: NameCatalog) -> Bool {
    guard let merge = catalog.merges.first(where: { $0.inputs.contains(UInt32(key >> 32)) }) else {
      return true
    }
    let part = Int(key & 0x7FFF_FFFF) * (key & 1 << 31 == 0 ? 1 : NameShape.fanOut)
    let last = key & 1 << 31 == 0 ? part : part + NameShape.fanOut - 1
    return last >= merge.output.sheets
  }

  private func expectDamage(_ history: inout NameHistory, _ comment: Comment) {
    do {
      try history.reopen()
      try history.checkInvariants()
      Issue.record("not found out: \(comment)")
    } catch {
      #expect((error as? LMDBError)?.code == .undecodable, comment)
    }
  }

  /// A pair counts as soon as its row is right, whatever else the block holds; that there is none
  /// counts only in an intact block.
  @Test func damagedBlock_answersOnlyWhatARowProves() throws {
    var history = try history()
    let catalog = history.index.catalog
    let found = try history.stored().sorted { $0.key < $1.key }.first { key, bytes in
      kind(of: key, catalog) == "block" && isNeeded(key, catalog) && bytes.count >= 4 + 2 * 12
    }
    let (key, bytes) = try #require(found)
    let pairs = NameBlock.read(bytes) { block in
      [0, 1].map { (hash: block.hash($0), row: RowID(rawValue: block.row($0))) }
    }
    try #require(pairs[0].hash + 1 < pairs[1].hash)
    var damaged = bytes
    damaged[12 + 12] ^= 1
    try history.store(damaged, at: key)
    try history.reopen()
    let right = try history.find(pairs[0].hash, pairs[0].row)
    #expect(right == pairs[0].row)
    for hash in [pairs[1].hash, pairs[0].hash + 1] {
      try history.reopen()
      #expect(throws: LMDBError.self) { try history.find(hash, pairs[1].row) }
    }
  }

  @Test func damagedInput_stopsTheMerge() throws {
    var history = try history()
    let merge = try #require(history.index.catalog.merges.first)
    let key = NameKey.block(merge.output.sheets, of: merge.inputs[3])
    try history.store([1, 2, 3], at: key)
    try history.reopen()
    #expect(throws: LMDBError.self) { try history.insert(200) }
  }
  /// A block that was sound when it was read, but is damaged before the merge, is not copied.
  @Test func damagedInput_thatWasReadBefore_stopsTheMerge() throws {
    var history = try history()
    try history.reopen()
    try history.expectModel()
    let merge = try #require(history.index.catalog.merges.first)
    let key = NameKey.block(merge.output.sheets, of: merge.inputs[3])
    var bytes = try #require(try history.stored()[key])
    bytes[bytes.count - 1] ^= 1
    try history.store(bytes, at: key)
    #expect(throws: LMDBError.self) { try history.insert(200) }
  }

  /// A block of another part, with a checksum that fits its place, is neither merged nor taken for
  /// a sound one.
  @Test func unsortedInput_stopsTheMerge() throws {
    var history = try history()
    let merge = try #require(history.index.catalog.merges.first)
    let key = NameKey.block(merge.output.sheets, of: merge.inputs[3])
    var pairs = NamePairs(capacity: 2)
    for hash in [UInt64.max, 0] { pairs.append(hash, 1) }
    try history.store(NameBlock.bytes(of: pairs, 0..<2, key: key), at: key)
    expectDamage(&history, "unsorted")
    try history.reopen()
    #expect(throws: LMDBError.self) { try history.insert(200) }
  }
}
