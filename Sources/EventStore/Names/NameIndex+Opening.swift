package import LMDB

extension NameIndex {
  /// Opens the index in a table, or creates an empty one of this shape if the table holds none.
  ///
  /// Reads only the catalog; everything else is read when needed.
  ///
  /// - Throws: `undecodable` if the catalog is damaged.
  package init(_ base: NameBase, shape: NameShape = .standard) throws(LMDBError) {
    let catalog = try base.catalog() ?? NameCatalog(shape)
    self.init(base, catalog, catalog.runs)
  }

  /// Whether the whole tail is loaded.
  @inline(__always)
  var isTailThere: Bool { tail.count == catalog.tailCount }

  /// Reads the missing part of the tail, but at most `limit` of its blocks, of which there are 97.
  ///
  /// - Throws: `undecodable` if they are damaged.
  @inline(never)
  mutating func loadTail(atMost limit: Int = .max) throws(LMDBError) {
    guard let base else { return }
    var left = limit
    while !isTailThere, left > 0 {
      try base.readBlock(ofTail: catalog, after: &tail)
      left -= 1
    }
  }
}

extension NameBase {
  fileprivate func catalog() throws(LMDBError) -> NameCatalog? {
    try reader.read { loan throws(LMDBError) in
      guard let bytes = try loan.bytes(for: NameKey.catalog, in: table) else { return nil }
      guard let catalog = NameCatalog(bytes: bytes) else { throw damage(at: NameKey.catalog) }
      return catalog
    }
  }

  /// Reads the next block of a partly loaded tail.
  fileprivate func readBlock(
    ofTail catalog: NameCatalog, after tail: inout NameTail
  ) throws(LMDBError) {
    let key = NameKey.block(tail.count / NameBlock.pairsOnPage, of: catalog.tail)
    let count = min(NameBlock.pairsOnPage, catalog.tailCount - tail.count)
    try read(key) { bytes -> Void? in
      guard let block = NameBlock(bytes), block.count == count, block.isIntact(at: key) else {
        return nil
      }
      for index in 0..<count { tail.insert(block.hash(index), block.row(index)) }
      return ()
    }
  }
}

extension NameCatalog {
  /// The runs in the base, with nothing loaded into memory.
  fileprivate var runs: [NameRun] {
    tiers.indices.reversed().flatMap { tier in
      let (content, sheets) = (tiers[tier], shape.sheetCount(ofTier: tier))
      let inputs = content.runs.prefix(NameShape.fanOut).map { id in
        NameRun(id: id, sheetCount: sheets, sheets: sheets, first: content.output?.sheets ?? 0)
      }
      let waiting = content.runs.dropFirst(NameShape.fanOut).map { id in
        NameRun(id: id, sheetCount: sheets, sheets: sheets, first: 0)
      }
      let outputs = [content.output].compactMap(\.self).filter { $0.sheets > 0 }.map { output in
        NameRun(
          id: output.id, sheetCount: sheets * NameShape.fanOut, sheets: output.sheets, first: 0)
      }
      return inputs + waiting + outputs
    }
  }
}
