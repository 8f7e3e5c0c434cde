import LMDB

/// How far indexes lag behind the rows of a snapshot: what rows were when the indexes were written.
///
/// Most rows are added behind the last, while the entries of an index change on its pages
/// everywhere. So most snapshots take along rows alone, and leave the indexes as they were. From
/// what is kept here an index is brought up to date when somebody asks for it.
struct IndexLag {
  /// The number of the last row of each collection that the indexes know of, by its place.
  let lastIDs: [UInt32]
  /// The rows that there were then and that changed since, as they were then, by the places of
  /// their collections.
  let rows: [RowBase]
  /// The views, by their places, whose indexes don't lag behind.
  let current: Set<Int>
}

/// The tables that it is kept in.
///
/// One has for each collection the packed rows, as the views' file has rows. Another has, unless
/// nothing lags behind, under the number 0:
///
///     0   4  checksum of all that follows
///     4   4  how many collections there are, and for each
///              4  the number of the last row
///            the places of the views that don't lag behind, 4 each
///
/// Integers are little-endian.
struct IndexLagTables: Sendable {
  private let environment: Environment
  private let head: Table<UInt64, [UInt8]>
  private let rows: [Table<UInt64, [UInt8]>]
  private let collections: [RowCollection]

  private static let key: UInt64 = 0

  /// The tables in a file, which are made where it may be written.
  init(_ environment: Environment, _ collections: [RowCollection]) throws(LMDBError) {
    self.environment = environment
    self.collections = collections
    head = try environment.table("lag")
    rows = try collections.map { collection throws(LMDBError) in
      try environment.table("past-\(collection.number)")
    }
  }

  /// What a reader sees; `nil` where no index lags behind.
  ///
  /// - Throws: ``ViewsError/damaged(_:)`` where it isn't what was written.
  func lag(_ reader: KeptReader) throws -> IndexLag? {
    let bytes = try reader.read { loan throws(LMDBError) in
      try loan.value(for: Self.key, in: head)
    }
    guard let bytes else { return nil }
    guard let lag = lag(bytes.raw, reader) else {
      throw ViewsError.damaged("how far indexes lag behind")
    }
    return lag
  }

  private func lag(_ bytes: RawSpan, _ reader: KeptReader) -> IndexLag? {
    guard bytes.byteCount.isMultiple(of: 4), bytes.byteCount >= 8 + 4 * rows.count,
      bytes.integer(UInt32.self, at: 0) == Checksum.of(bytes.extracting(droppingFirst: 4)),
      Int(bytes.integer(UInt32.self, at: 4)) == rows.count
    else { return nil }
    let numbers = stride(from: 8, to: bytes.byteCount, by: 4).map {
      bytes.integer(UInt32.self, at: $0)
    }
    let current = Set(numbers.dropFirst(rows.count).map(Int.init))
    return lag(Array(numbers.prefix(rows.count)), current, reader)
  }

  private func lag(
    _ lastIDs: [UInt32], _ current: Set<Int>, _ reader: KeptReader
  ) -> IndexLag {
    let rows = zip(rows, collections).map { RowBase(reader, $0, of: $1) }
    return IndexLag(lastIDs: lastIDs, rows: rows, current: current)
  }

  /// What indexes lag behind from now on, which are up to date with all rows that there are.
  ///
  /// - Throws: ``LMDBError``.
  func begin(_ workspace: Workspace) throws(LMDBError) -> IndexLag {
    var transaction = try environment.beginWriting()
    try transaction.removeAll(from: head)
    for rows in rows { try transaction.removeAll(from: rows) }
    try transaction.commit(.none)
    let reader = workspace.base?.reader ?? KeptReader(environment)
    return lag(workspace.state.shelves.map { $0.table.totals.lastID }, [], reader)
  }

  /// Notes what the rows were before that a frame changed, which is about to be committed without
  /// its indexes.
  func note(_ workspace: Workspace, _ lag: IndexLag) throws {
    let past = try zip(workspace.state.shelves, lag.lastIDs).map { shelf, lastID in
      try shelf.table.packedPast(through: lastID)
    }
    var transaction = try environment.beginWriting()
    for (past, table) in zip(past, rows) {
      for (id, row) in past where try transaction.bytes(for: UInt64(id), in: table) == nil {
        try transaction.put(row, for: UInt64(id), in: table)
      }
    }
    try transaction.put(bytes(workspace, lag), for: Self.key, in: head)
    try transaction.commit(.none)
  }

  private func bytes(_ workspace: Workspace, _ lag: IndexLag) -> [UInt8] {
    let kept = workspace.state.lists.kept
    var bytes: [UInt8] = [0, 0, 0, 0]
    bytes.append(littleEndian: UInt32(rows.count))
    for id in lag.lastIDs { bytes.append(littleEndian: id) }
    for place in kept.indices where kept[place].isBuilt {
      bytes.append(littleEndian: UInt32(place))
    }
    bytes.store(integer: Checksum.of(bytes.raw.extracting(4...)), at: 0)
    return bytes
  }
}

extension RowTable {
  /// The rows up to a number that this frame changed, packed, as they were when it began.
  fileprivate func packedPast(
    through lastID: UInt32
  ) throws(RowError) -> [(id: UInt32, bytes: [UInt8])] {
    var rows: [(id: UInt32, bytes: [UInt8])] = []
    try forEachRowOfFrame(beforeEvent: false) { row, before, _ in
      guard let before, row.rawValue <= lastID else { return }
      var bytes: [UInt8] = []
      PackedRow.pack(before, shape, row.rawValue, into: &bytes)
      rows.append((row.rawValue, bytes))
    }
    return rows
  }
}

extension Shelf {
  /// Calls `body` with each row that changed since indexes were written that lag behind, or since
  /// the frame began: with the row as it was then, and as it is or, where that is asked for, was
  /// before the present event; `nil` where there was none.
  ///
  /// - Complexity: O(log *n*) for each.
  func forEachChange(
    since lag: IndexLag?, at place: Int, beforeEvent: Bool,
    _ body: (RowID, _ before: RowView?, _ now: RowView?) -> Void
  ) throws(RowError) {
    guard let lag else { return try table.forEachRowOfFrame(beforeEvent: beforeEvent, body) }
    let lastID = lag.lastIDs[place]
    var past: [(id: UInt32, bytes: [UInt8])] = []
    var known = RowSet()
    try lag.rows[place].forEach { id, row in
      past.append((id, row.bytes.array))
      known.insert(id)
    }
    try table.forEachRowOfFrame(beforeEvent: beforeEvent) { row, before, now in
      guard row.rawValue <= lastID, !known.contains(row.rawValue) else { return }
      body(row, before, now)
    }
    for (id, bytes) in past {
      let row = RowID(rawValue: id)
      try withRow(row, beforeEvent) { body(row, RowView(bytes.raw), $0) }
    }
    for id in lastID..<max(lastID, table.totals.lastID) {
      let row = RowID(rawValue: id + 1)
      try withRow(row, beforeEvent) { body(row, nil, $0) }
    }
  }
}
