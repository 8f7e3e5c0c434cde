import LMDB

/// How far the indexes of a snapshot lag behind its rows, and what rows were before each frame that
/// changed them.
///
/// Most rows are added behind the last, while the entries of an index change on its pages
/// everywhere. So each snapshot takes along all rows, but few indexes; the others stay as they were
/// with an earlier one. From what is kept here an index is brought up to date when somebody asks
/// for it.
struct IndexLag {
  /// Which rows an index is of.
  struct Origin: Hashable {
    /// The frame with which it was written, counted from 1; 0 where it never was.
    var frame: UInt32 = 0
    /// The number of the last row of its collection that there was then.
    var lastID: UInt32 = 0
  }

  /// The last frame.
  var frame: UInt32 = 0
  /// Which rows each view's index is of, by its place.
  var origins: [Origin]
  /// What rows were when a frame began that changed them: below its number, each under its own;
  /// by the places of their collections.
  let past: [RowBase]

  /// Whether an index is of the rows that there are.
  func isCurrent(_ view: Int) -> Bool { origins[view].frame == frame }

  /// Where what is kept of a row begins that changed behind an origin.
  static func key(behind origin: Origin) -> UInt64 { UInt64(origin.frame + 1) << 32 }
}

/// The tables that it is kept in.
///
/// One has for each collection the packed rows, as the views' file has rows: each under the number
/// of the frame in the upper half, and its own in the lower. Another has under the number 0:
///
///     0   4  checksum of all that follows
///     4   4  the last frame
///     8      for each view the frame that its index was written with, 4, and the number of the
///            last row then, 4
///
/// Integers are little-endian.
struct IndexLagTables: Sendable {
  private let environment: Environment
  private let head: Table<UInt64, [UInt8]>
  private let past: [Table<UInt64, [UInt8]>]
  private let collections: [RowCollection]

  private static let key: UInt64 = 0
  private static let headCount = 8

  /// The tables in a file, which are made where it may be written.
  init(_ environment: Environment, _ collections: [RowCollection]) throws(LMDBError) {
    self.environment = environment
    self.collections = collections
    head = try environment.table("lag")
    past = try collections.map { collection throws(LMDBError) in
      try environment.table("past-\(collection.number)")
    }
  }

  /// What a reader sees of so many views.
  ///
  /// - Throws: ``ViewsError/damaged(_:)`` where it isn't what was written.
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

  /// That of views that were never written.
  func beginning(_ workspace: Workspace) -> IndexLag {
    let reader = workspace.base?.reader ?? KeptReader(environment)
    return origins(workspace.state.lists.kept.count, reader)
  }

  private func origins(_ count: Int, _ reader: KeptReader) -> IndexLag {
    IndexLag(
      origins: Array(repeating: IndexLag.Origin(), count: count),
      past: zip(past, collections).map { RowBase(reader, $0, of: $1) })
  }

  /// Notes the frame that is about to be committed with the indexes that are up to date: what the
  /// rows were before that it changed.
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
  /// The rows that this frame changed, packed, as they were when it began.
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
  /// Calls `body` with each row that an index knows of which lags behind, and that changed since it
  /// was written, or since the frame began: with the row as it was then, and as it is or, where
  /// that is asked for, was before the present event.
  ///
  /// - Parameter lag: Which rows the index is of, and what rows were before.
  /// - Complexity: O(log *n*) for each.
  func forEachChange(
    since lag: (origin: IndexLag.Origin, past: RowBase)?, beforeEvent: Bool,
    _ body: (RowID, _ before: RowView, _ now: RowView?) -> Void
  ) throws(RowError) {
    let last = lag?.origin.lastID ?? table.lastBeforeFrame
    var past: [(id: UInt32, bytes: [UInt8])] = []
    var known = RowSet()
    if let (origin, base) = lag {
      // What a row was with the origin is what it was before the first frame that changed it.
      try base.forEach(from: IndexLag.key(behind: origin)) { id, row in
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
