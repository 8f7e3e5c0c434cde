package import LMDB

extension NameIndex {
  /// The index that a table holds, or an empty one of this shape where it holds none.
  ///
  /// Reads the catalog and the tail: at most 97 blocks, however many pairs there are.
  ///
  /// - Throws: `undecodable` where they are damaged.
  package init(_ base: NameBase, shape: NameShape = .standard) throws(LMDBError) {
    let catalog = try base.catalog() ?? NameCatalog(shape)
    self.init(base, catalog, try base.tail(of: catalog), catalog.runs)
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

  fileprivate func tail(of catalog: NameCatalog) throws(LMDBError) -> NameTail {
    var tail = NameTail(catalog.shape)
    while tail.count < catalog.tailCount {
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
    return tail
  }
}

extension NameCatalog {
  /// The runs that are in the base, with nothing of them in memory.
  fileprivate var runs: [NameRun] {
    tiers.indices.flatMap { tier in
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
