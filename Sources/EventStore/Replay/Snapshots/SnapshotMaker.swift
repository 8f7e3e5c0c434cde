import LMDB

/// How many snapshots are made of a log, and how large they may become together.
public struct SnapshotLimits: Sendable, Hashable {
  /// How many at most.
  public var countMax = 128
  /// The bytes that they may take together, for which they may have to lie farther apart; one alone
  /// may take more.
  public var bytesMax = 1 << 30
  /// How few records lie between two.
  public var spacingMin = 1024

  /// The usual.
  public init() {}
}

/// Goes through a log once, and commits rows and views now and then to a file of which nothing is
/// ever written over.
///
/// A reader that was begun before the first commit keeps LMDB from using any page again, so what
/// was committed stays, and only the meta pages must be remembered.
struct SnapshotMaker {
  let log: Log
  let definitions: Definitions
  let folder: Folder
  let limits: SnapshotLimits
  let mayGoOn: (Store.Progress) -> Bool

  /// The records that are reduced at once.
  private static let sliceMax = 4096
  /// How many tables its file may have.
  static let tablesMax = 600
  /// The bytes of changes at which there is a snapshot, however few records there were.
  private static let frameBytesMax = 256 << 20

  /// Makes them in an empty folder: as close to each other as they may be, and where that takes too
  /// much room anew, ever farther apart.
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

  /// Makes them as far apart as they are to be; tells as well how far it came, where they take more
  /// room than they may.
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

  /// Where there was no room for another one that there should be.
  private struct Reach {
    /// The record of the last one.
    let number: RecordNumber
    /// The bytes that all of them take, without those of indexes.
    let size: Int
    /// The bytes that the last one alone would take, without those of indexes.
    let content: Int
  }

  /// Returns how far it came, where there is no room for another one that there should be.
  private func fill(
    _ roots: inout SnapshotRoots, _ file: ViewsFile, _ lags: IndexLagTables,
    _ workspace: Workspace, _ distance: Distance
  ) throws -> Reach? {
    var lag = lags.beginning(workspace)
    workspace.state.lists.putOff(lag)
    var indexes = IndexRoom(
      limits.bytesMax, floor: log.floor, last: distance.last, viewCount: lag.origins.count)
    var size = 0
    while let next = distance.next(behind: workspace.applied.number) {
      guard roots.roots.count < limits.countMax else { return nil }
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
      // The next one takes about as much as this, but needs no indexes.
      let added = size - before - indexes.lastBytes
      let hasRoom = size + added <= limits.bytesMax
      let isLast = distance.next(behind: workspace.applied.number) == nil
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

  /// Commits what was folded, with the indexes that are up to date.
  private func commit(
    _ workspace: Workspace, to file: ViewsFile, _ lags: IndexLagTables, _ lag: inout IndexLag
  ) throws {
    try lags.note(workspace, in: &lag)
    let frame = try workspace.freeze()
    try file.write(frame)
    try workspace.committed()
    workspace.state.lists.putOff(lag)
  }

  /// The map can't grow while pages are held, so it begins as large as it may become.
  private var environment: Environment.Options {
    var environment = Generation.options
    environment.mapSize = 2 * limits.bytesMax + 4 * Self.frameBytesMax
    environment.tablesMax = Self.tablesMax
    environment.isDisposable = true
    return environment
  }

  /// How far snapshots are apart.
  private struct Distance {
    let last: RecordNumber
    private let floor: RecordNumber
    private let bytesMax: Int
    private var records: Int

    init(_ limits: SnapshotLimits, floor: RecordNumber, last: RecordNumber) {
      (self.floor, self.last, bytesMax) = (floor, last, limits.bytesMax)
      records = max(limits.spacingMin, floor.distance(to: last) / (limits.countMax + 1), 1)
    }

    /// Where the next snapshot is to be; `nil` where the last record is near.
    func next(behind number: RecordNumber) -> RecordNumber? {
      number.distance(to: last) > records ? number.advanced(by: records) : nil
    }

    /// The next to be tried where so few records took all the room; `nil` where there would be no
    /// snapshot at all.
    func wider(havingReached reach: Reach) -> Distance? {
      let (all, done) = (floor.distance(to: last), max(floor.distance(to: reach.number), 1))
      let widest = (all + 1) / 2
      guard records < widest else { return nil }
      var wider = self
      // The last one holds as much more as the log is longer; and so does each other, of what only
      // it holds.
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
  /// Makes snapshots of a log in a folder, in place of those that are there.
  ///
  /// They lie evenly over the log. `progress` is told how far it has come, again from the beginning
  /// where they turn out to take too much room; it is given up where that returns `false`.
  ///
  /// - Complexity: O(*n* log *n*) in the records, a few times over where room is scarce, with
  ///   memory for what changes between two.
  /// - Throws: ``SnapshotError``; nothing is there then.
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
          log: log, definitions: Definitions(reducer, seed: log.viewsSeed), folder: folder,
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
  /// Removes what a folder of snapshots holds, but for its lease.
  func removeSnapshots() throws(LMDBError) {
    let roots = SnapshotRoots.file
    for name in [roots, roots + Folder.unfinished, Environment.dataFile, "lock.mdb"] {
      try remove(name)
    }
  }
}
