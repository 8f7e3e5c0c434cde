import LMDB

/// How many snapshots are made of a log, and how large they may become together.
public struct SnapshotLimits: Sendable, Hashable {
  /// How many at most.
  public var countMax = 32
  /// The bytes beyond which no further one is made; the last may go beyond.
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
  /// The bytes of changes at which there is a snapshot, however few records there were.
  private static let frameBytesMax = 256 << 20

  /// Makes them in an empty folder.
  func run() throws {
    let file = try ViewsFile(
      Environment(at: folder.path, options: environment), definitions.collections)
    defer { file.environment.close() }
    let hold = KeptReader(file.environment)
    defer { hold.end() }
    try hold.renew()
    let pageSize = try file.environment.information.pageSize
    var roots = SnapshotRoots(
      of: SnapshotRoots.Subject(log, definitions), pageSize: pageSize)
    let workspace = try Workspace(
      definitions, of: log.store, from: log.beginning, over: ViewsBase(file))
    try workspace.buildMissingViews()
    do { try fill(&roots, file, workspace) } catch {
      workspace.endReading()
      throw error
    }
    workspace.endReading()
    try file.environment.flush()
    try folder.replace(SnapshotRoots.file, with: roots.bytes)
  }

  private func fill(
    _ roots: inout SnapshotRoots, _ file: ViewsFile, _ workspace: Workspace
  ) throws {
    let last = try log.last
    var (pace, size) = (Pace(limits, log.floor, last), 0)
    while let next = pace.next(behind: workspace.applied.number) {
      try fold(workspace, through: next)
      guard workspace.applied.number < last else { return }
      try commit(workspace, to: file)
      let metas = try File(folder.path(of: Environment.dataFile), .read)
        .bytes(at: 0, count: 2 * roots.pageSize)
      roots.append(SnapshotRoots.Root(applied: workspace.applied, metas: metas))
      let information = try file.environment.information
      let now = information.pages * information.pageSize
      pace.note(bytes: now, added: now - size)
      size = now
    }
  }

  private func fold(_ workspace: Workspace, through next: RecordNumber) throws {
    while workspace.applied.number < next, workspace.byteCount < Self.frameBytesMax {
      let count = try log.read { snapshot in
        try workspace.reduce(from: snapshot, atMost: Self.sliceMax, through: next)
      }
      let progress = Store.Progress(done: workspace.applied.number, last: try log.last)
      guard mayGoOn(progress) else { throw StoreError.cancelled }
      // Who goes on from here is told of nothing before.
      workspace.forgetNews()
      guard count > 0 else { return }
    }
  }

  private func commit(_ workspace: Workspace, to file: ViewsFile) throws(LMDBError) {
    let frame = try workspace.freeze()
    try file.write(frame)
    try workspace.committed()
  }

  /// The map can't grow while pages are held, so it begins as large as it may become.
  private var environment: Environment.Options {
    var environment = Generation.options
    environment.mapSize = 2 * limits.bytesMax + 4 * Self.frameBytesMax
    environment.tablesMax = 300
    environment.isDisposable = true
    return environment
  }

  /// Where the next snapshot is to be: evenly over the records, and less densely where room becomes
  /// scarce.
  private struct Pace {
    private var (left, bytesLeft, spacing) = (0, 0, 0)
    private let last: RecordNumber

    init(_ limits: SnapshotLimits, _ floor: RecordNumber, _ last: RecordNumber) {
      (left, bytesLeft, self.last) = (limits.countMax, limits.bytesMax, last)
      spacing = max(limits.spacingMin, floor.distance(to: last) / (limits.countMax + 1), 1)
    }

    func next(behind number: RecordNumber) -> RecordNumber? {
      guard left > 0, bytesLeft > 0, number.distance(to: last) > spacing else { return nil }
      return number.advanced(by: spacing)
    }

    mutating func note(bytes: Int, added: Int) {
      left -= 1
      bytesLeft -= added
      if added > bytesLeft { left = 0 }
    }
  }
}

extension SnapshotFolder {
  /// Makes snapshots of a log in a folder, in place of those that are there.
  ///
  /// `progress` is told how far it has come; it is given up where that returns `false`.
  ///
  /// - Complexity: O(*n* log *n*) in the records, with memory for what changes between two.
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
  fileprivate func removeSnapshots() throws(LMDBError) {
    for name in [SnapshotRoots.file, Environment.dataFile, "lock.mdb"] { try remove(name) }
  }
}
