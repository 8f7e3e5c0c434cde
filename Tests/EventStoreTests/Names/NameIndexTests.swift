import EventStore
import LMDB
import TestSupport
import Testing

/// Whatever is inserted is found again, and nothing else, however it was committed and reopened.
@Suite struct NameIndexTests {
  // Over a second: each history reaches the third tier, and all pairs are looked up.
  @Test(arguments: 0..<UInt64(Campaign.size(4, long: 200)))
  func histories_areThoseOfADictionary(seed: UInt64) throws {
    var history = try NameHistory(seed: seed)
    for step in 0..<Campaign.size(300, long: 600) {
      try history.step()
      if step % 10 == 0 { try history.checkInvariants() }
    }
    history.freeze()
    try history.commit()
    try history.reopen()
    try history.expectModel()
    try history.checkInvariants()
  }

  @Test func commits_leaveNothingBehindThatIsNotNeeded() throws {
    var history = try NameHistory(seed: 1)
    for _ in 0..<90 {
      try history.insert(37)
      history.freeze()
      try history.commit()
    }
    let catalog = history.index.catalog
    let runs = Set(catalog.tiers.flatMap(\.runs) + catalog.tiers.compactMap(\.output?.id))
    let known = runs.union([catalog.tail, UInt32.max])
    #expect(Set(try history.stored().keys.map { UInt32($0 >> 32) }).isSubset(of: known))
    #expect(catalog.tiers.count == 3)
  }

  @Test func indexWithoutBase_keepsEverythingInMemory() throws {
    var generator = SeededGenerator(seed: 2)
    var index = NameIndex(shape: NameHistory.shape)
    let hashes = (0..<3000).map { _ in UInt64.random(in: 0 ... .max, using: &generator) }
    for (row, hash) in hashes.enumerated() {
      #expect(try index.find(hash) { _ in true } == nil)
      try index.insert(hash, RowID(rawValue: UInt32(row)))
    }
    for (row, hash) in hashes.enumerated() {
      #expect(try index.find(hash) { _ in true }?.rawValue == UInt32(row))
    }
    try index.checkInvariants()
    #expect(index.count == 3000)
  }

  @Test func extremeHashes_areFound() throws {
    var index = NameIndex(shape: NameHistory.shape)
    for row in 1...UInt32(400) {
      for hash in [0, .max, 1 << 63, 1 << 63 - 1] as [UInt64] {
        try index.insert(hash, RowID(rawValue: row))
      }
    }
    for hash in [0, .max, 1 << 63, 1 << 63 - 1] as [UInt64] {
      #expect(try index.find(hash) { $0.rawValue == 7 }?.rawValue == 7)
    }
    #expect(try index.find(1) { _ in true } == nil)
    try index.checkInvariants()
  }

  @Test func emptyFrame_writesNothing() throws {
    var history = try NameHistory(seed: 3)
    history.freeze()
    try history.commit()
    #expect(try history.stored().isEmpty)
    try history.insert(1)
    history.freeze()
    try history.commit()
    let stored = try history.stored()
    #expect(stored.count == 2)
    try history.crash()
    history.freeze()
    try history.commit()
    #expect(try history.stored() == stored)
  }

  // Over a second without optimization: a merge takes eight tails of 32,768.
  @Test func standardShape_merges() throws {
    var generator = SeededGenerator(seed: 4)
    var index = NameIndex()
    let count = 9 * NameShape.standard.tailMax + 100
    let hashes = (0..<count).map { _ in UInt64.random(in: 0 ... .max, using: &generator) }
    for (row, hash) in hashes.enumerated() {
      try index.insert(hash, RowID(rawValue: UInt32(row)))
    }
    for row in stride(from: 0, to: count, by: 7) {
      #expect(try index.find(hashes[row]) { _ in true }?.rawValue == UInt32(row))
    }
    #expect(index.catalog.merges.first.map { $0.output.sheets > 0 } == true)
    try index.checkInvariants()
  }
}
