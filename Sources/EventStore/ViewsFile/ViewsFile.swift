import LMDB

/// A generation's environment and its tables.
struct ViewsFile: Sendable {
  let environment: Environment
  /// The summary of the views.
  let meta: Table<UInt64, [UInt8]>
  let names: Table<UInt64, [UInt8]>
  let nodes: Table<UInt64, [UInt8]>
  let journal: Table<UInt64, [UInt8]>
  /// The reasons why events were refused, by event number.
  let refused: Table<UInt64, [UInt8]>
  /// The checksums of rows and views at the end of each frame.
  let marks: FrameMarks
  /// The rows of each of the reducer's collections.
  let rows: [Table<UInt64, [UInt8]>]

  init(_ environment: Environment, _ collections: [RowCollection]) throws(LMDBError) {
    self.environment = environment
    meta = try environment.table("meta")
    names = try environment.table("names")
    nodes = try environment.table("nodes")
    journal = try environment.table("journal")
    refused = try environment.table("refused")
    marks = FrameMarks(table: try environment.table("marks"))
    rows = try collections.map { collection throws(LMDBError) in
      try RowBase.table(of: collection, in: environment)
    }
  }

  /// Commits a frame, without a flush.
  ///
  /// - Throws: `mapFull` if the map must grow first.
  func write(_ frame: Frame) throws(LMDBError) {
    var transaction = try environment.beginWriting()
    try frame.names.write(to: &transaction)
    var (meta, mark) = (frame.meta, frame.mark)
    for (rows, table) in zip(frame.rows, rows) {
      let hash = try rows.write(to: &transaction, table)
      meta.add(hash: hash, toCollection: rows.collection.number)
      mark.add(hash: hash, toCollection: rows.collection.number)
    }
    for keys in frame.removals { try NodeBase.remove(keys, from: &transaction, nodes) }
    for nodes in frame.nodes { try nodes.write(to: &transaction, self.nodes) }
    try frame.journal.write(to: &transaction, journal)
    for event in frame.refused {
      try transaction.put(event.bytes, for: event.number.rawValue, in: refused)
    }
    try marks.write(mark, to: &transaction)
    try transaction.put(meta.bytes, for: ViewsMeta.key, in: self.meta)
    try transaction.commit(.none)
  }

  /// The number of committed pages in all tables but the marks.
  var pageCount: Int {
    get throws(LMDBError) { try pageCount(of: [meta, names, nodes, journal, refused] + rows) }
  }

  /// The number of those pages that don't belong to indexes.
  var plainPageCount: Int {
    get throws(LMDBError) { try pageCount(of: [meta, names, journal, refused] + rows) }
  }

  private func pageCount(of tables: [Table<UInt64, [UInt8]>]) throws(LMDBError) -> Int {
    try environment.read { transaction throws(LMDBError) in
      var count = 0
      for table in tables { count += try transaction.pageCount(of: table) }
      return count
    }
  }

  /// Reads the summary of the committed views; `nil` if there are none yet.
  func readMeta() throws -> ViewsMeta? {
    let bytes = try environment.read { transaction throws(LMDBError) in
      try transaction.value(for: ViewsMeta.key, in: meta)
    }
    return try Self.meta(bytes)
  }

  fileprivate static func meta(_ bytes: [UInt8]?) throws(ViewsError) -> ViewsMeta? {
    guard let bytes else { return nil }
    guard let meta = ViewsMeta(bytes.raw) else { throw .damaged("their summary") }
    return meta
  }
}

/// The base of a workspace: a views' file, and the reader for it.
struct ViewsBase {
  let file: ViewsFile
  let reader: KeptReader

  init(_ file: ViewsFile) { self.init(file, KeptReader(file.environment)) }

  init(_ file: ViewsFile, _ reader: KeptReader) {
    self.file = file
    self.reader = reader
  }

  /// Reads the summary in the reader's state; `nil` if there are no views yet.
  func readMeta() throws -> ViewsMeta? {
    let bytes = try reader.read { loan throws(LMDBError) in
      try loan.value(for: ViewsMeta.key, in: file.meta)
    }
    return try ViewsFile.meta(bytes)
  }
}
