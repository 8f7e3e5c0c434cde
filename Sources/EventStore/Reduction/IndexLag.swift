import LMDB

/// How far the indexes of a snapshot lag behind its rows, and the rows as they were before each
/// frame that changed them.
///
/// Most rows are appended, whereas the entries of an index change on pages throughout it. Each
/// snapshot therefore writes all rows but few indexes; the others stay as an earlier snapshot left
/// them. The data kept here brings an index up to date when it is first used.
struct IndexLag {
  /// The state of the rows that an index reflects.
  struct Origin: Hashable {
    /// The frame that wrote the index, counted from 1; 0 if none did.
    var frame: UInt32 = 0
    /// The number of the collection's last row at that time.
    var lastID: UInt32 = 0
  }

  /// The last frame.
  var frame: UInt32 = 0
  /// The rows that each view's index reflects, by the view's place.
  var origins: [Origin]
  /// The rows as they were before each frame that changed them, by collection place; keyed by frame
  /// number, then row number.
  let past: [RowBase]

  /// Whether an index reflects the current rows.
  func isCurrent(_ view: Int) -> Bool { origins[view].frame == frame }

  /// Returns the first key of rows that changed after an origin.
  static func key(after origin: Origin) -> UInt64 { UInt64(origin.frame + 1) << 32 }
}

/// The tables that store the lag.
///
/// One table per collection holds packed rows in the format of the views' file, with the frame
/// number in the upper half of the key and the row number in the lower. Another table holds under
/// key 0:
///
///     0   4  checksum of everything that follows
///     4   4  the last frame
///     8      for each view, the frame that wrote its index, 4, and the number of the last row at
///            that time, 4
///
/// Integers are little-endian.
struct IndexLagTables: Sendable {
  private let environment: Environment
  private let head: Table<UInt64, [UInt8]>
  private let past: [Table<UInt64, [UInt8]>]
  private let collections: [RowCollection]

  private static let key: UInt64 = 0
  private static let headCount = 8

  /// Opens the tables in a file, creating them if the file is writable.
  init(_ environment: Environment, _ collections: [RowCollection]) throws(LMDBError) {
    self.environment = environment
    self.collections = collections
    head = try environment.table("lag")
    past = try collections.map { collection throws(LMDBError) in
      try environment.table("past-\(collection.number)")
    }
  }

  /// Returns the lag that a reader sees for the given number of views.
  ///
  /// - Throws: ``ViewsError/damaged(_:)`` if the stored bytes are damaged.
  func lag(_ reader: KeptReader, viewCount: Int) throws -> IndexLag {
    let bytes = try reader.read { loan throws(LMDBError) in
      try loan.value(for: Self.key, in: head)
    }
    guard let bytes, bytes.count == Self.headCount + 8 * viewCount,
      bytes.raw.integer(UInt32.self, at: 0) == Checksum.of(bytes.raw.extracting(4...))
    else { throw ViewsError.damaged("how far indexes lag behind") }
    var lag = origins(0, reader)
    lag.frame = bytes.raw.integer(UInt32.self, at: 4)
    for start in stride(from: Self.headCount, to: bytes.count, by: 8) {
      lag.origins.append(
        IndexLag.Origin(
          frame: bytes.raw.integer(UInt32.self, at: start),
          lastID: bytes.raw.integer(UInt32.self, at: start + 4)))
    }
    return lag
  }

  /// Returns the lag of views that were never written.
  func beginning(_ workspace: Workspace) -> IndexLag {
    let reader = workspace.base?.reader ?? KeptReader(environment)
    return origins(workspace.state.lists.kept.count, reader)
  }

  private func origins(_ count: Int, _ reader: KeptReader) -> IndexLag {
    IndexLag(
      origins: Array(repeating: IndexLag.Origin(), count: count),
      past: zip(past, collections).map { RowBase(reader, $0, of: $1) })
  }

  /// Notes the frame about to be committed: its up-to-date indexes and, for each row it changed,
  /// the previous value.
  func note(_ workspace: Workspace, in lag: inout IndexLag) throws {
    lag.frame += 1
    let kept = workspace.state.lists.kept
    for place in kept.indices where kept[place].isBuilt {
      let shelf = workspace.state.shelves[Int(kept[place].collection)]
      lag.origins[place] = IndexLag.Origin(frame: lag.frame, lastID: shelf.table.totals.lastID)
    }
    var transaction = try environment.beginWriting()
    for (shelf, table) in zip(workspace.state.shelves, past) {
      for (id, row) in try shelf.table.packedPast() {
        try transaction.put(row, for: UInt64(lag.frame) << 32 | UInt64(id), in: table)
      }
    }
    try transaction.put(bytes(lag), for: Self.key, in: head)
    try transaction.commit(.none)
  }

  private func bytes(_ lag: IndexLag) -> [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0]
    bytes.append(littleEndian: lag.frame)
    for origin in lag.origins {
      bytes.append(littleEndian: origin.frame)
      bytes.append(littleEndian: origin.lastID)
    }
    bytes.store(integer: Checksum.of(bytes.raw.extracting(4...)), at: 0)
    return bytes
  }
}

extension RowTable {
  /// Returns the rows that this frame changed, packed, as they were when it began.
  fileprivate func packedPast() throws(RowError) -> [(id: UInt32, bytes: [UInt8])] {
    var rows: [(id: UInt32, bytes: [UInt8])] = []
    try forEachRowOfFrame(beforeEvent: false) { row, before, _ in
      var bytes: [UInt8] = []
      PackedRow.pack(before, shape, row.rawValue, into: &bytes)
      rows.append((row.rawValue, bytes))
    }
    return rows
  }
}

extension Shelf {
  /// Calls `body` with each row known to a lagging index that changed since the index was written,
  /// or since the frame began.
  ///
  /// `body` gets the row as it was then and as it is now or, if requested, was before the present
  /// event.
  ///
  /// - Parameter lag: The origin of the index and the rows' past values.
  /// - Complexity: O(log *n*) for each.
  func forEachChange(
    since lag: (origin: IndexLag.Origin, past: RowBase)?, beforeEvent: Bool,
    _ body: (RowID, _ before: RowView, _ now: RowView?) -> Void
  ) throws(RowError) {
    let last = lag?.origin.lastID ?? table.lastBeforeFrame
    var past: [(id: UInt32, bytes: [UInt8])] = []
    var known = RowSet()
    if let (origin, base) = lag {
      // The first frame after the origin that changed a row holds the row's value at the origin.
      try base.forEach(from: IndexLag.key(after: origin)) { id, row in
        guard id <= last, known.insert(id) else { return }
        past.append((id, row.bytes.array))
      }
    }
    try table.forEachRowOfFrame(beforeEvent: beforeEvent) { row, before, now in
      guard row.rawValue <= last, !known.contains(row.rawValue) else { return }
      body(row, before, now)
    }
    for (id, bytes) in past {
      let row = RowID(rawValue: id)
      try withRow(row, beforeEvent) { body(row, RowView(bytes.raw), $0) }
    }
  }
}
