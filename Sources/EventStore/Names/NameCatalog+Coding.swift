import LMDB

/// The encoding of a catalog in the table:
///
/// ```
///  0  checksum (4) of the key and all that follows    4  format (2), 1    6  sheets of a run (2)
///  8  pairs of a full tail (4)   12  last number (4)   16  tail number (4)   20  its pairs (4)
/// 24  pairs since merges advanced (4)   28  tiers (4)   32  for each tier:
///        runs (4)   output's number or 0 (4)   its sheets (4)   the runs' numbers (4 each)
/// ```
///
/// Integers are little-endian. The catalog of an index of the standard shape with one run, number
/// 2, and 5 pairs in the tail, number 3, after 13 insertions since merges advanced:
///
/// ```
/// 00 │ 0F F2 8C 1C  01 00 0E 00  00 80 00 00  03 00 00 00
/// 10 │ 03 00 00 00  05 00 00 00  0D 00 00 00  01 00 00 00
/// 20 │ 01 00 00 00  00 00 00 00  00 00 00 00  02 00 00 00
/// ```
extension NameCatalog {
  static let format: UInt16 = 1

  /// The encoded catalog.
  package var bytes: [UInt8] {
    var body: [UInt8] = []
    body.append(littleEndian: Self.format)
    body.append(littleEndian: UInt16(shape.sheetCount))
    for number in [shape.tailMax, Int(issued), Int(tail), tailCount, pending, tiers.count] {
      body.append(littleEndian: UInt32(number))
    }
    for tier in tiers {
      body.append(littleEndian: UInt32(tier.runs.count))
      body.append(littleEndian: tier.output?.id ?? 0)
      body.append(littleEndian: UInt32(tier.output?.sheets ?? 0))
      for run in tier.runs { body.append(littleEndian: run) }
    }
    var bytes: [UInt8] = []
    bytes.append(littleEndian: Checksum.of(NameKey.catalog, body.raw))
    return bytes + body
  }

  /// Decodes a catalog, or returns `nil` if the bytes are not one.
  package init?(bytes: RawSpan) {
    guard bytes.byteCount >= 32, bytes.byteCount % 4 == 0 else { return nil }
    let body = bytes.extracting(droppingFirst: 4)
    guard bytes.integer(UInt32.self, at: 0) == Checksum.of(NameKey.catalog, body) else {
      return nil
    }
    var words: [UInt32] = []
    for offset in stride(from: 4, to: bytes.byteCount, by: 4) {
      words.append(bytes.integer(UInt32.self, at: offset))
    }
    self.init(words: words)
  }

  private init?(words: [UInt32]) {
    let sheets = Int(words[0] >> 16)
    guard words[0] & 0xFFFF == UInt32(Self.format), NameShape.sheets.contains(sheets),
      NameShape.tails.contains(Int(words[1]))
    else { return nil }
    self.init(NameShape(tailMax: Int(words[1]), sheetCount: sheets))
    (issued, tail) = (words[2], words[3])
    (tailCount, pending) = (Int(words[4]), Int(words[5]))
    guard words[6] <= NameShape.tierCountMax else { return nil }
    var rest = words.dropFirst(7)
    for _ in 0..<words[6] {
      guard let tier = Tier(&rest) else { return nil }
      tiers.append(tier)
    }
    guard rest.isEmpty, isSound else { return nil }
  }

  /// Whether the catalog can describe an index.
  package var isSound: Bool {
    var ids = tiers.flatMap(\.runs) + tiers.compactMap(\.output?.id)
    ids.append(tail)
    let areKnown = ids.allSatisfy { $0 > 0 && $0 <= issued }
    let areMerging = tiers.indices.allSatisfy { tier in
      let sheets = tiers[tier].output?.sheets ?? 0
      let isDue = tiers[tier].runs.count >= NameShape.fanOut && tier + 1 < NameShape.tierCountMax
      return (tiers[tier].output != nil) == isDue
        && (0..<shape.sheetCount(ofTier: tier + 1)).contains(sheets)
    }
    return areKnown && areMerging && Set(ids).count == ids.count
      && (0...shape.tailMax).contains(tailCount) && (0...shape.stride).contains(pending)
  }
}

extension NameCatalog.Tier {
  /// Removes a tier from the beginning of `words`.
  fileprivate init?(_ words: inout ArraySlice<UInt32>) {
    guard words.count >= 3, let count = words.popFirst(), let id = words.popFirst(),
      let sheets = words.popFirst(), words.count >= count, id > 0 || sheets == 0
    else { return nil }
    runs = Array(words.prefix(Int(count)))
    output = id == 0 ? nil : NameCatalog.Output(id: id, sheets: Int(sheets))
    words = words.dropFirst(Int(count))
  }
}
