import EventStore
import TestSupport
import Testing

/// A ranked index behaves like a sorted array.
@Suite struct RankedIndexTests {
  static let shapes = [
    IndexShape(width: 1, variety: 3, nodeBytes: 256),
    IndexShape(width: 1, variety: 1 << 40, nodeBytes: 256),
    IndexShape(width: 2, variety: 4, nodeBytes: 256),
    IndexShape(width: 3, variety: 8, nodeBytes: 256),
    IndexShape(width: 4, variety: 2, nodeBytes: 256),
    IndexShape(width: 1, variety: 500, nodeBytes: 4064),
    IndexShape(width: 2, variety: 30, nodeBytes: 4064),
  ]

  /// Takes over a second: each of seven shapes needs thousands of entries to be three levels high.
  @Test(arguments: shapes) func batches_areTheModels(shape: IndexShape) throws {
    for seed in 0..<UInt64(Campaign.size(3, long: 400)) {
      naming(seed) {
        var twins = IndexTwins(shape, seed: seed)
        for _ in 0..<12 {
          try twins.applyRandomBatch()
          try twins.compare()
        }
      }
    }
  }

  @Test(arguments: shapes) func singles_areTheModels(shape: IndexShape) throws {
    for seed in 100..<UInt64(Campaign.size(102, long: 300)) {
      naming(seed) {
        var twins = IndexTwins(shape, seed: seed)
        for _ in 0..<12 {
          try twins.applyRandomSingles()
          try twins.compare()
        }
      }
    }
  }

  /// Takes over a second, as batches do.
  @Test(arguments: shapes) func pruning_isTheModels(shape: IndexShape) throws {
    for seed in 0..<UInt64(Campaign.size(3, long: 400)) {
      naming(seed) {
        var twins = IndexTwins(shape, seed: seed)
        for _ in 0..<6 {
          for _ in 0..<3 { try twins.applyRandomBatch() }
          try twins.prune()
          try twins.compare()
        }
      }
    }
  }

  @Test(arguments: shapes) func emptying_inAnyOrder_leavesNothing(shape: IndexShape) throws {
    for seed in 0..<4 as Range<UInt64> {
      naming(seed) {
        var twins = IndexTwins(shape, seed: seed)
        try twins.apply(removing: 0, inserting: 300)
        while twins.index.count > 0 {
          let count = twins.index.count
          let places = [0, count / 2, count - 1, twins.randomRank()]
          try twins.remove(at: places[Int(seed)])
          if count % 50 == 0 { try twins.compare() }
        }
        try twins.compare()
        try twins.build(300)
        try twins.compare()
      }
    }
  }

  @Test func words_thatDiffer_needNoTieBreaker() throws {
    var twins = IndexTwins(IndexShape(width: 1, variety: .max, nodeBytes: 256), seed: 3)
    for _ in 0..<20 {
      try twins.apply(removing: 0, inserting: 100)
      try twins.apply(removing: 20, inserting: 0)
    }
    try twins.compare()
    #expect(twins.askedCount == 0)
  }

  @Test(arguments: [1, 7, 500], [256, 4064])
  func ends_thatGrow_leaveNodesNearlyFull(batch: Int, nodeBytes: Int) throws {
    for isAscending in [true, false] {
      var index = RankedIndex(view: 1, IndexHeader(width: 1, nodeBytes: nodeBytes))
      var order = RowOrder()
      let count = 9000 / batch * batch
      for start in stride(from: 0, to: count, by: batch) {
        let numbers = (start..<start + batch).map { isAscending ? $0 : count - $0 }.sorted()
        let operations = numbers.map { number in
          let row = RowID(rawValue: UInt32(number) + 1)
          return IndexOperation.insert(SortWords(UInt64(number)), row, token: row)
        }
        try index.apply(operations.span, &order)
      }
      try index.checkInvariants()
      let leaf = (nodeBytes - 16) / 12
      let nodes = index.residentBytes / nodeBytes
      #expect(nodes <= count / leaf * 12 / 10 + 6, "\(nodes) nodes, ascending: \(isAscending)")
    }
  }

  /// Each group grows at one end, in the middle of the index, as lists sorted by newest do.
  @Test(arguments: [1, 7], [false, true])
  func groups_thatGrowAtOneEnd_leaveNodesNearlyFull(batch: Int, isAscending: Bool) throws {
    var index = RankedIndex(view: 1, IndexHeader(width: 2))
    var order = RowOrder()
    let (groups, count) = (10, 20_000)
    for start in stride(from: 0, to: count, by: groups * batch) {
      let numbers = start..<min(start + groups * batch, count)
      let operations = numbers.map { number in
        let place = isAscending ? number : count - number
        let words = SortWords(UInt64(number % groups), UInt64(place))
        let row = RowID(rawValue: UInt32(number) + 1)
        return IndexOperation.insert(words, row, token: row)
      }.sorted { $0.words < $1.words }
      try index.apply(operations.span, &order)
    }
    try index.checkInvariants()
    let leaf = (NodeLayout.byteCountDefault - 16) / 20
    let nodes = index.residentBytes / NodeLayout.byteCountDefault
    #expect(nodes <= count / leaf * 12 / 10 + groups, "\(nodes) nodes")
  }

  @Test(arguments: shapes) func building_isTheModels(shape: IndexShape) throws {
    for (seed, count) in [0, 1, 18, 300, 2500].enumerated() {
      var twins = IndexTwins(shape, seed: UInt64(seed))
      try twins.build(count)
      try twins.compare()
      try twins.apply(removing: count / 2, inserting: 200)
      try twins.compare()
    }
  }

  @Test func building_fromDescendingWords_isRefused() {
    var index = RankedIndex(view: 1, IndexHeader(width: 1))
    var rest = [1, 3, 2].map { IndexEntry(SortWords($0), RowID(rawValue: UInt32($0))) }[...]
    expect(.disordered(view: 1, RowID(rawValue: 2))) { try index.build { rest.popFirst() } }
  }

  @Test func entries_thatAreNotThere_orAreThere_areRefused() throws {
    var index = RankedIndex(view: 4, IndexHeader(width: 1))
    var order = RowOrder()
    let (one, two) = (RowID(rawValue: 1), RowID(rawValue: 2))
    let (absent, present) = (IndexError.absent(view: 4, two), IndexError.present(view: 4, one))
    for _ in 0..<2 {
      expect(absent) { try index.remove(SortWords(1), two, token: two, &order) }
      expect(absent) { try index.apply([.remove(SortWords(1), two, token: two)].span, &order) }
      if index.count == 0 { try index.insert(SortWords(1), one, token: one, &order) }
    }
    expect(present) { try index.insert(SortWords(1), one, token: one, &order) }
  }

  private func expect(_ expected: IndexError, _ body: () throws -> Void) {
    do {
      try body()
      Issue.record("\(expected) was not thrown")
    } catch {
      #expect(error as? IndexError == expected)
    }
  }
}
