import EventStore
import LMDB
import TestSupport
import Testing

/// The index finds every inserted pair and nothing else, however it was committed and reopened.
@Suite struct NameIndexTests {
  // Over a second: each history reaches the third tier, and all pairs are looked up.
  @Test(arguments: 0..<UInt64(Campaign.size(4, long: 200)))
  func histories_areThoseOfADictionary(seed: UInt64) throws {
    try expectDictionary(NameHistory.small, seed, steps: Campaign.size(300, long: 600))
  }

  // Over a second: a tail spans several blocks here, and a merge takes eight tails.
  @Test(arguments: 0..<UInt64(Campaign.size(2, long: 50)))
  func histories_ofLongerTailsAreTheSame(seed: UInt64) throws {
    try expectDictionary(NameHistory.medium, seed, steps: Campaign.size(100, long: 300))
  }

  private func expectDictionary(_ shape: NameShape, _ seed: UInt64, steps: Int) throws {
    var history = try NameHistory(shape, seed: seed)
    for step in 0..<steps {
      try history.step()
      if step % 10 == 0 { try history.checkInvariants() }
    }
    history.freeze()
    try history.commit()
    try history.reopen()
    try history.expectModel()
    try history.checkInvariants()
  }

  // Over a second: it takes 25,000 pairs until runs merge whose blocks are removed gradually.
  @Test func commits_leaveNothingBehindThatIsNotNeeded() throws {
    var history = try NameHistory(seed: 1)
    for frame in 0..<120 {
      try history.insert(230)
      history.freeze()
      try history.commit()
      if frame % 7 == 0 { try history.reopen() }
    }
    #expect(history.index.catalog.tiers.count == 4)
  }

  /// Looking ahead finds hashes in the tail, in runs in memory or being committed, and in the base.
  @Test func searchAhead_findsWhatIsThere_whereverItIs() throws {
    var history = try NameHistory(seed: 4)
    try history.insert(30)
    history.expectAhead()
    try history.insert(1000)
    history.expectAhead()
    history.freeze()
    history.expectAhead()
    try history.commit()
    history.expectAhead()
    try history.reopen()
    // Inserting reads the tail.
    try history.insert(1)
    history.expectAhead()
    try history.expectModel()
  }

  @Test func searchAhead_findsWhatGathersInBulk() throws {
    var history = try NameHistory(seed: 6)
    history.beginBulk()
    try history.insert(3000)
    history.expectAhead()
    try history.endBulk()
    history.expectAhead()
    try history.expectModel()
  }

  /// The index forgets that a hash is in no run once the tail that holds it becomes a run.
  @Test func hashThatWasMissedAhead_isFoundInALaterRun() throws {
    var index = NameIndex(shape: NameHistory.small)
    for hash in 0..<UInt64(60) { try index.insert(hash << 56, RowID(rawValue: 1)) }
    var rows: [UInt32] = []
    index.findAhead([7], &rows)
    #expect(rows == [NameIndex.noRow])
    #expect(try index.find(7) { _ in true } == nil)
    try index.insert(7, RowID(rawValue: 2))
    for hash in 0..<UInt64(60) { try index.insert(hash << 56, RowID(rawValue: 3)) }
    #expect(try index.find(7) { _ in true }?.rawValue == 2)
  }

  @Test func indexWithoutBase_keepsEverythingInMemory() throws {
    var generator = SeededGenerator(seed: 2)
    var index = NameIndex(shape: NameHistory.small)
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
    var index = NameIndex(shape: NameHistory.small)
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

  // Over a second: 21,000 pairs are eight times the most that gather, and merge at once.
  @Test(arguments: [0, 1, 39, 40, 320, 2559, 2560, 2561, 21_000])
  func bulk_isFoundMeanwhileAndLater(count: Int) throws {
    var history = try NameHistory(seed: UInt64(count))
    history.beginBulk()
    for part in 0..<4 {
      try history.insert(count * (part + 1) / 4 - count * part / 4)
      try history.expectModel(samples: 100)
      history.freeze()
      try history.commit()
    }
    try history.endBulk()
    for _ in 0..<2 {
      try history.expectModel()
      try history.checkInvariants()
      history.freeze()
      try history.commit()
      try history.reopen()
      try history.expectModel()
      try history.insert(200)
    }
    try history.checkInvariants()
  }

  /// A pair in a run is found without reading the tail, even where the tail is damaged.
  @Test func opening_readsTheTailOnlyWhenItIsNeeded() throws {
    var history = try NameHistory(seed: 5)
    try history.insert(50)
    history.freeze()
    try history.commit()
    let tail = NameKey.block(0, of: history.index.catalog.tail)
    let run = try #require(history.index.catalog.tiers.first?.runs.first)
    let isOfRun = { (key: UInt64) in key >> 32 == run && key & 1 << 31 == 0 }
    let blocks = try history.stored().filter { isOfRun($0.key) && $0.value.count > 4 }
    let hash = try #require(blocks.values.first).withBytes { $0.integer(UInt64.self, at: 4) }
    try history.store([1, 2, 3], at: tail)
    try history.reopen()
    #expect(try history.find(hash) != nil)
    #expect(try history.findInRuns(hash) != nil && history.findInRuns(1) == nil)
    #expect(throws: LMDBError.self) { try history.find(1) }
    #expect(throws: LMDBError.self) { try history.insert(1) }
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
