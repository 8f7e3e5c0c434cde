import EventStore
import LMDB
import TestSupport
import Testing

/// Which runs merge, and when, decided without any pairs.
@Suite struct NameCatalogTests {
  /// Inserts `count` pairs as an index does, and calls `body` after every `every` pairs.
  private func fill(
    _ catalog: inout NameCatalog, _ count: Int, every: Int = 1,
    _ body: (NameCatalog) -> Void = { _ in }
  ) {
    for index in 1...count {
      if catalog.isDue {
        for merge in catalog.merges { _ = catalog.advance(merge.tier) }
        catalog.rest()
      }
      if catalog.isFull { _ = catalog.roll() }
      catalog.insert()
      if index % every == 0 { body(catalog) }
    }
  }

  @Test(arguments: [(40, 1), (7, 2), (64, 1), (1, 1)])
  func merges_areDoneLongBeforeTheNextIsDue(tailMax: Int, sheetCount: Int) {
    let shape = NameShape(tailMax: tailMax, sheetCount: sheetCount)
    var catalog = NameCatalog(shape)
    var inserted = 0
    // Where a sheet has fewer than two pairs, a merge advances no faster than one sheet per pair.
    let runsMax = tailMax >= 4 * sheetCount ? 11 : 15
    let every = max(1, tailMax / 3)
    fill(&catalog, 3000 * tailMax, every: every) { catalog in
      inserted += every
      #expect(catalog.tiers.allSatisfy { $0.runs.count <= runsMax })
      #expect(catalog.merges.allSatisfy { $0.inputs.count == 8 })
      let runs = catalog.tiers.indices.map { catalog.tiers[$0].runs.count << (3 * $0) }
      #expect(runs.reduce(0, +) * tailMax + catalog.tailCount == inserted)
    }
    #expect(catalog.tiers.count >= 4 && catalog.isSound)
  }

  @Test func numbers_areGivenOnce() {
    var catalog = NameCatalog(NameShape(tailMax: 2, sheetCount: 1))
    var (issued, known) = (catalog.issued, Set([catalog.tail]))
    fill(&catalog, 2000) { catalog in
      let now = catalog.tiers.flatMap(\.runs) + catalog.tiers.compactMap(\.output?.id)
      let new = Set(now + [catalog.tail]).subtracting(known)
      #expect(new.allSatisfy { $0 > issued })
      (issued, known) = (catalog.issued, known.union(new))
    }
  }

  @Test func catalogs_areWhatTheirBytesSay() {
    var catalog = NameCatalog(NameShape(tailMax: 3, sheetCount: 2))
    fill(&catalog, 3000) { catalog in
      let bytes = catalog.bytes
      #expect(NameCatalog(bytes: bytes.raw) == catalog)
    }
  }

  @Test func catalog_hasTheBytesOfTheDocument() {
    var catalog = NameCatalog(.standard)
    fill(&catalog, NameShape.standard.tailMax + 5)
    #expect(
      catalog.bytes == [
        0x0F, 0xF2, 0x8C, 0x1C, 1, 0, 14, 0, 0, 0x80, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 5, 0, 0, 0, 13,
        0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0,
      ])
  }

  @Test func damage_isNoCatalog() {
    var catalog = NameCatalog(NameShape(tailMax: 3, sheetCount: 2))
    fill(&catalog, 500)
    let bytes = catalog.bytes
    for count in 0..<bytes.count { #expect(NameCatalog(bytes: Array(bytes[..<count]).raw) == nil) }
    for bit in 0..<8 * bytes.count {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << (bit % 8)
      #expect(NameCatalog(bytes: flipped.raw) == nil)
    }
  }

  /// Forged bytes with a valid checksum, which only a bug of ours would write.
  @Test func forgedCatalogs_areSoundOrNone() {
    var catalog = NameCatalog(NameShape(tailMax: 3, sheetCount: 2))
    fill(&catalog, 500)
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      var body = Array(catalog.bytes.dropFirst(4))
      for _ in 0...Int.random(in: 0..<3, using: &generator) {
        body[Int.random(in: body.indices, using: &generator)] =
          [0, 1, 7, 8, 9, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
      }
      var bytes: [UInt8] = []
      bytes.append(littleEndian: Checksum.of(NameKey.catalog, body.raw))
      if let found = NameCatalog(bytes: (bytes + body).raw) { #expect(found.isSound) }
    }
  }
}
