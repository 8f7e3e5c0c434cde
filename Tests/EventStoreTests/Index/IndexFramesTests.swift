import EventStore
import LMDB
import TestSupport
import Testing

/// Frames are frozen, written, and read again from an environment.
@Suite struct IndexFramesTests {
  /// An environment with a table of nodes and a table of headers.
  private struct Place {
    let folder: TemporaryFolder
    let environment: Environment
    let nodes: Table<UInt64, [UInt8]>
    let headers: Table<UInt64, [UInt8]>

    init() throws {
      folder = try TemporaryFolder()
      environment = try Environment(at: folder.path)
      nodes = try environment.table("nodes")
      headers = try environment.table("headers")
    }

    func base() -> NodeBase { NodeBase(KeptReader(environment), nodes) }

    func write(_ frozen: FrozenNodes) throws {
      try environment.write(.none) { transaction throws(LMDBError) in
        try frozen.write(to: &transaction, nodes)
        try transaction.put(frozen.header.bytes, for: UInt64(frozen.view), in: headers)
      }
    }

    func header(_ view: UInt32) throws -> IndexHeader {
      let bytes = try environment.read { transaction throws(LMDBError) in
        try transaction.value(for: UInt64(view), in: headers)
      }
      let found = try #require(bytes)
      let header = IndexHeader(found.span.bytes)
      return try #require(header)
    }
  }

  /// A frame may be frozen, written, and committed at any moment between changes, and the index may
  /// be reopened with a cache so small that nodes are evicted and read again.
  ///
  /// Takes over a second for the seven shapes.
  @Test(arguments: RankedIndexTests.shapes) func frames_atAnyMoment(shape: IndexShape) throws {
    for seed in 0..<UInt64(Campaign.size(2, long: 200)) {
      naming(seed) {
        let place = try Place()
        var base = place.base()
        var twins = IndexTwins(shape, seed: seed, base: base)
        var frozen: FrozenNodes?
        for _ in 0..<40 {
          switch Int.random(in: 0..<6, using: &twins.generator) {
          case 0 where Int.random(in: 0..<6, using: &twins.generator) == 0: try twins.removeAll()
          case 0, 1: try twins.applyRandomBatch()
          case 2: try twins.applyRandomSingles()
          case 3: frozen = frozen ?? twins.index.freeze()
          case 4:
            guard let written = frozen.take() else { break }
            try place.write(written)
            try base.reader.renew()
            twins.index.committed()
          default:
            guard frozen == nil, twins.index.dirtyCount == 0, twins.index.count > 0 else { break }
            base = place.base()
            twins.index = RankedIndex(
              view: 7, try place.header(7), base: base, cacheBytesMax: 6 * shape.nodeBytes)
          }
          try twins.compare()
        }
      }
    }
  }

  /// A group's size is read off the nodes above its two ends, and no entry is counted.
  @Test(.feature(16)) func sizeOfAGroup_isReadOffAFewNodes() throws {
    let place = try Place()
    var index = RankedIndex(view: 7, IndexHeader(width: 2, nodeBytes: 512), base: place.base())
    let sizes = [3, 20_000, 5]
    var entries = sizes.enumerated().flatMap { group, size in
      (1...size).map {
        IndexEntry(SortWords(UInt64(group), UInt64($0)), RowID(rawValue: UInt32($0)))
      }
    }[...]
    try index.build { entries.popFirst() }
    try place.write(index.freeze())
    let base = place.base()
    for (group, size) in sizes.enumerated() {
      var fresh = RankedIndex(view: 7, try place.header(7), base: base)
      #expect(try fresh.ranks(ofGroup: UInt64(group)).count == size)
      #expect(fresh.residentBytes <= 10 * 512)
    }
  }

  @Test func cache_keepsItsLimit_andWhatIsNotWritten() throws {
    let place = try Place()
    let shape = IndexShape(width: 1, variety: .max, nodeBytes: 256)
    var twins = IndexTwins(shape, seed: 1, base: place.base())
    twins.index.cacheBytesMax = 20 * 256
    try twins.build(3000)
    #expect(twins.index.residentBytes > 150 * 256)
    let frozen = twins.index.freeze()
    try twins.compare()
    #expect(twins.index.residentBytes > 150 * 256)
    try place.write(frozen)
    twins.index = RankedIndex(
      view: 7, try place.header(7), base: place.base(), cacheBytesMax: 20 * 256)
    #expect(twins.index.residentBytes == 0)
    try twins.compare()
    #expect(twins.index.residentBytes <= 24 * 256)
  }

  /// If too little can be evicted, the cache admits some more nodes before it searches again.
  @Test func cache_fullOfChanges_isNotSearchedForEachNode() throws {
    let place = try Place()
    let shape = IndexShape(width: 1, variety: .max, nodeBytes: 256)
    var twins = IndexTwins(shape, seed: 3, base: place.base())
    try twins.build(6000)
    try place.write(twins.index.freeze())
    twins.index = RankedIndex(
      view: 7, try place.header(7), base: place.base(), cacheBytesMax: 128 * 256)
    for _ in 0..<300 { try twins.remove(at: 1500 + twins.randomRank() / 2) }
    let changed = twins.index.residentBytes
    #expect(changed > 150 * 256)
    var (last, rises) = (changed, 0)
    for rank in stride(from: 0, to: 1400, by: 20) {
      _ = try twins.index.entry(at: rank)
      rises += twins.index.residentBytes > last ? 1 : 0
      last = twins.index.residentBytes
    }
    #expect(rises > 50)
    #expect(last <= changed + 16 * 256)
    try twins.compare()
  }

  /// A frame is written as it was frozen, whatever is done to the index meanwhile.
  @Test func frozen_isNotChanged() throws {
    let place = try Place()
    let shape = IndexShape(width: 2, variety: 9, nodeBytes: 256)
    var twins = IndexTwins(shape, seed: 2, base: place.base())
    try twins.apply(removing: 0, inserting: 1000)
    let expected = twins.model.indexEntries
    let frozen = twins.index.freeze()
    for _ in 0..<10 { try twins.applyRandomBatch() }
    try twins.compare()
    try place.write(frozen)
    var written = RankedIndex(view: 7, try place.header(7), base: place.base())
    let entries = try written.entries()
    #expect(entries == expected)
  }

  @Test func views_shareATable() throws {
    let place = try Place()
    let shape = IndexShape(width: 1, variety: 99, nodeBytes: 256)
    var twins: [[IndexEntry]] = []
    for view in 1...3 as ClosedRange<UInt32> {
      var index = RankedIndex(view: view, shape.header, base: place.base())
      var model = IndexModel(width: 1, variety: 99)
      var generator = SeededGenerator(seed: UInt64(view))
      _ = model.change(removing: 0, inserting: 200, using: &generator)
      var rest = model.indexEntries[...]
      try index.build { rest.popFirst() }
      try place.write(index.freeze())
      twins.append(model.indexEntries)
    }
    for view in 1...3 as ClosedRange<UInt32> {
      var index = RankedIndex(view: view, try place.header(view), base: place.base())
      let entries = try index.entries()
      #expect(entries == twins[Int(view) - 1])
    }
    try place.environment.write(.none) { transaction throws(LMDBError) in
      try NodeBase.remove(2 << 32...3 << 32, from: &transaction, place.nodes)
    }
    let header = try place.header(2)
    let count = try place.environment.read { transaction throws(LMDBError) in
      try transaction.count(of: place.nodes)
    }
    #expect(count == 2 * (Int(header.bytes[20]) - 1), "all have as many")
    var kept = RankedIndex(view: 3, try place.header(3), base: place.base())
    try kept.checkInvariants()
    try expectDamage(of: UInt32(header.bytes[8]), view: 2, header, place)
  }

  /// Damage to a node, such as a flipped bit, is found at that node.
  @Test func flippedBit_isFound() throws {
    let place = try Place()
    let shape = IndexShape(width: 1, variety: 50, nodeBytes: 256)
    var twins = IndexTwins(shape, seed: 5, base: place.base())
    try twins.apply(removing: 0, inserting: 150)
    try twins.apply(removing: 110, inserting: 0)
    try place.write(twins.index.freeze())
    let (header, expected) = (try place.header(7), twins.model.indexEntries)
    #expect(header.bytes[16] > 0, "there are free nodes")
    for node in 1..<UInt64(header.bytes[20]) {
      let key = 7 << 32 | node
      let stored = try place.environment.read { transaction throws(LMDBError) in
        try transaction.value(for: key, in: place.nodes)
      }
      let bytes = try #require(stored)
      for bit in stride(from: Int(node) % 5, to: 8 * bytes.count, by: 5) {
        var damaged = bytes
        damaged[bit / 8] ^= 1 << UInt8(bit % 8)
        try replace(key, by: damaged, place)
        try expectDamage(of: UInt32(node), header, place)
      }
      try replace(key, by: [], place)
      try expectDamage(of: UInt32(node), header, place)
      try replace(key, by: Array(bytes.dropLast()), place)
      try expectDamage(of: UInt32(node), header, place)
      try replace(key, by: bytes, place)
    }
    var index = RankedIndex(view: 7, header, base: place.base())
    try index.checkInvariants()
    let entries = try index.entries()
    #expect(entries == expected)
  }

  private func replace(_ key: UInt64, by bytes: [UInt8], _ place: Place) throws {
    try place.environment.write(.none) { transaction throws(LMDBError) in
      try transaction.put(bytes, for: key, in: place.nodes)
    }
  }

  private func expectDamage(
    of node: UInt32, view: UInt32 = 7, _ header: IndexHeader, _ place: Place
  ) throws {
    var index = RankedIndex(view: view, header, base: place.base())
    do {
      try index.checkInvariants()
      Issue.record("the damage of node \(node) was not found")
    } catch IndexError.damagedNode(view: view, let found, _) {
      #expect(found == node)
    }
  }

  /// A node stored in another's place is refused, although its bytes are sound.
  @Test func exchangedNodes_areFound() throws {
    let place = try Place()
    let shape = IndexShape(width: 1, variety: .max, nodeBytes: 256)
    var twins = IndexTwins(shape, seed: 5, base: place.base())
    try twins.build(100)
    try place.write(twins.index.freeze())
    let keys = [7 << 32 | 1, 7 << 32 | 2] as [UInt64]
    let values = try place.environment.read { transaction throws(LMDBError) in
      [
        try transaction.value(for: keys[1], in: place.nodes) ?? [],
        try transaction.value(for: keys[0], in: place.nodes) ?? [],
      ]
    }
    for (key, value) in zip(keys, values) { try replace(key, by: value, place) }
    try expectDamage(of: 1, try place.header(7), place)
  }

  @Test func header_isReadAsItWasWritten_andNonsenseIsRefused() throws {
    var index = RankedIndex(view: 1, IndexHeader(width: 3, nodeBytes: 256))
    var rest = (0..<500).map {
      IndexEntry(SortWords(0, UInt64($0)), RowID(rawValue: UInt32($0) + 1))
    }[...]
    try index.build { rest.popFirst() }
    index.hash = 0x1234_5678_9ABC_DEF0
    let header = index.header
    #expect(read(header.bytes) == header)
    #expect(read([UInt8](repeating: 0, count: 40)) == nil)
    #expect(read(Array(header.bytes.dropLast())) == nil)
    for (offset, value) in [(0, 2), (1, 0), (1, 5), (2, 33), (5, 255), (8, 0), (11, 1), (24, 0)] {
      var bytes = header.bytes
      bytes[offset] = UInt8(value)
      if offset == 24 { bytes[25] = 0 }
      if offset == 5 { bytes[6] = 255 }
      #expect(read(bytes) == nil, "byte \(offset)")
    }
  }

  private func read(_ bytes: [UInt8]) -> IndexHeader? { IndexHeader(bytes.span.bytes) }
}
