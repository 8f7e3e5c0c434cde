import LMDB

/// The limits for the number of a log's snapshots and their total size.
public struct SnapshotLimits: Sendable, Hashable {
  /// The most snapshots.
  public var countMax = 128
  /// The maximum total size in bytes, which may force snapshots farther apart; a single one may
  /// exceed it.
  public var bytesMax = 1 << 30
  /// The fewest records between two.
  public var spacingMin = 1024

  /// Uses the defaults.
  public init() {}
}

/// Goes through a log once and periodically commits rows and views to an append-only file.
///
/// A reader opened before the first commit keeps LMDB from reusing any page. All commits therefore
/// stay intact, and only their meta pages must be saved.
struct SnapshotMaker {
  let log: Log
  let definitions: Definitions
  let folder: Folder
  let limits: SnapshotLimits
  let mayGoOn: (Store.Progress) -> Bool

  /// The number of records reduced at once.
  private static let sliceMax = 4096
  /// The maximum number of tables in the file.
  static let tablesMax = 600
  /// The bytes of changes that trigger a snapshot, however few the records.
  private static let frameBytesMax = 256 << 20
  /// The most bytes that a file can have, whatever is allowed.
  private static let bytesMax = 1 << 40

  /// Makes the snapshots in an empty folder, first as dense as allowed; if they take too much
  /// space, starts over with ever wider spacing.
  func run() throws {
    var distance = Distance(limits, floor: log.floor, last: try log.last)
    while true {
      let (roots, reached) = try make(at: distance)
      guard let reached, let wider = distance.wider(havingReached: reached) else {
        return try folder.replace(SnapshotRoots.file, with: roots.bytes)
      }
      distance = wider
      try folder.removeSnapshots()
    }
  }

  /// Makes the snapshots with the given spacing; also returns how far it came if they exceed the
  /// space limit.
  private func make(
    at distance: Distance
  ) throws -> (roots: SnapshotRoots, reached: Reach?) {
    let file = try ViewsFile(
      Environment(at: folder.path, options: environment), definitions.collections)
    defer { file.environment.close() }
    let hold = KeptReader(file.environment)
    defer { hold.end() }
    try hold.renew()
    let lags = try IndexLagTables(file.environment, definitions.collections)
    var roots = SnapshotRoots(
      of: SnapshotRoots.Subject(log, definitions),
      pageSize: try file.environment.information.pageSize)
    let workspace = try Workspace(
      definitions, of: log.store, from: log.beginning, over: ViewsBase(file))
    defer { workspace.endReading() }
    try workspace.buildMissingViews()
    let reached = try fill(&roots, file, lags, workspace, distance)
    workspace.endReading()
    try file.environment.flush()
    return (roots, reached)
  }

  /// The point at which no space was left for a required snapshot.
  private struct Reach {
    /// The record of the last snapshot.
    let number: RecordNumber
    /// The size of all snapshots in bytes, without indexes.
    let size: Int
    /// The size of the last snapshot alone in bytes, without indexes.
    let content: Int
  }

  /// Returns how far it came if no space was left for a required snapshot.
  private func fill(
    _ roots: inout SnapshotRoots, _ file: ViewsFile, _ lags: IndexLagTables,
    _ workspace: Workspace, _ distance: Distance
  ) throws -> Reach? {
    var lag = lags.beginning(workspace)
    workspace.state.lists.putOff(lag)
    var indexes = IndexRoom(
      limits.bytesMax, floor: log.floor, last: distance.last, viewCount: lag.origins.count)
    var size = 0
    while let next = distance.next(after: workspace.applied.number) {
      guard roots.roots.count < limits.countMax, roots.hasRoom else { return nil }
      try fold(workspace, through: next)
      guard workspace.applied.number < distance.last else { return nil }
      for view in indexes.choose(at: workspace.applied.number, size) { try workspace.require(view) }
      indexes.note(workspace)
      try commit(workspace, to: file, lags, &lag)
      let metas = try File(folder.path(of: Environment.dataFile), .read)
        .bytes(at: 0, count: 2 * roots.pageSize)
      roots.append(SnapshotRoots.Root(applied: workspace.applied, metas: metas))
      let before = size
      size = try file.environment.information.pages * roots.pageSize + roots.byteCount
      // The next snapshot takes about as much space, but needs no indexes.
      let added = size - before - indexes.lastBytes
      let hasRoom = size + added <= limits.bytesMax
      let isLast = distance.next(after: workspace.applied.number) == nil
      guard hasRoom || isLast else { return try reach(size - indexes.bytes, workspace, file) }
    }
    return size > limits.bytesMax ? try reach(size - indexes.bytes, workspace, file) : nil
  }

  private func reach(_ size: Int, _ workspace: Workspace, _ file: ViewsFile) throws -> Reach {
    let content = try file.plainPageCount * file.environment.information.pageSize
    return Reach(number: workspace.applied.number, size: size, content: content)
  }

  private func fold(_ workspace: Workspace, through next: RecordNumber) throws {
    while workspace.applied.number < next, workspace.byteCount < Self.frameBytesMax {
      let count = try log.read { snapshot in
        try workspace.reduce(from: snapshot, atMost: Self.sliceMax, through: next)
      }
      let progress = Store.Progress(done: workspace.applied.number, last: try log.last)
      guard mayGoOn(progress) else { throw StoreError.cancelled }
      guard count > 0 else { return }
    }
  }

  /// Commits the folded state with the indexes that are up to date.
  private func commit(
    _ workspace: Workspace, to file: ViewsFile, _ lags: IndexLagTables, _ lag: inout IndexLag
  ) throws {
    try lags.note(workspace, in: &lag)
    let frame = try workspace.freeze()
    try file.write(frame)
    try workspace.committed()
    workspace.state.lists.putOff(lag)
  }

  /// The map can't grow while pages are held, so it starts at its maximum size.
  private var environment: Environment.Options {
    var environment = Generation.options
    environment.mapSize = 2 * min(limits.bytesMax, Self.bytesMax) + 4 * Self.frameBytesMax
    environment.tablesMax = Self.tablesMax
    environment.isDisposable = true
    return environment
  }

  /// The spacing of snapshots.
  private struct Distance {
    let last: RecordNumber
    private let floor: RecordNumber
    private let bytesMax: Int
    private var records: Int

    init(_ limits: SnapshotLimits, floor: RecordNumber, last: RecordNumber) {
      (self.floor, self.last, bytesMax) = (floor, last, limits.bytesMax)
      let count = min(max(limits.countMax, 0), 1 << 20)
      records = max(limits.spacingMin, floor.distance(to: last) / (count + 1), 1)
    }

    /// Returns the record of the next snapshot; `nil` if the last record is near.
    ///
    /// There is none within a baseline, whose records stand for others.
    func next(after number: RecordNumber) -> RecordNumber? {
      let number = max(number, floor)
      return number.distance(to: last) > records ? number.advanced(by: records) : nil
    }

    /// Returns the next spacing to try after running out of space; `nil` if it would allow no
    /// snapshot at all.
    func wider(havingReached reach: Reach) -> Distance? {
      let (all, done) = (floor.distance(to: last), max(floor.distance(to: reach.number), 1))
      let widest = (all + 1) / 2
      guard records < widest else { return nil }
      var wider = self
      // The last snapshot grows with the log's length, and so does the content unique to each of
      // the others.
      let share = Double(all) / Double(done)
      let others = Double(reach.size - reach.content) * share * share
      let room = Double(bytesMax) - Double(reach.content) * share
      let growth = room > 0 ? others / room : share * share
      let records = max(Double(records) * growth, Double(records) * 9 / 8 + 1)
      wider.records = Int(min(records, Double(widest)))
      return wider
    }
  }
}

extension SnapshotFolder {
  /// Makes snapshots of a log in a folder, replacing existing ones.
  ///
  /// The snapshots are spread evenly over the log. `progress` is called along the way, from the
  /// beginning again if the snapshots take too much space; if it returns `false`, the operation is
  /// cancelled.
  ///
  /// - Complexity: O(*n* log *n*) in the records, several times over if space is scarce, with
  ///   memory for the changes between two snapshots.
  /// - Throws: ``SnapshotError``; the folder then holds no snapshots.
  public static func make(
    of log: Log, reducer: some Reducer, at path: String, limits: SnapshotLimits = SnapshotLimits(),
    progress: (Store.Progress) -> Bool = { _ in true }
  ) throws(SnapshotError) {
    let folder = Folder(path)
    do {
      try folder.create()
      guard let lease = try Lease.tryTake(in: folder) else { throw SnapshotError.busy(path: path) }
      defer { lease.release() }
      try folder.removeSnapshots()
      try withoutActuallyEscaping(progress) { progress in
        let maker = SnapshotMaker(
          log: log, definitions: Definitions(reducer, replaying: log), folder: folder,
          limits: limits, mayGoOn: progress)
        do { try maker.run() } catch {
          try? folder.removeSnapshots()
          throw error
        }
      }
    } catch {
      throw SnapshotError(error, path: path)
    }
  }
}

extension Folder {
  /// Removes the content of a snapshot folder except its lease.
  func removeSnapshots() throws(LMDBError) {
    let roots = SnapshotRoots.file
    for name in [roots, roots + Folder.unfinished, Environment.dataFile, "lock.mdb"] {
      try remove(name)
    }
  }
}
