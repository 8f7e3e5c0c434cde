import LMDB

/// Rows and views of a log as they were at some of its records, for tools to go on from.
///
///     let snapshots = try SnapshotFolder(at: path, of: log, reducer: reducer)
///     let past = try Replay(log, reducer: reducer, at: 700_000, from: snapshots)
///
/// Snapshots are made by ``make(of:reducer:at:limits:progress:)`` and by nothing else. They share
/// one file, in which each holds only what differs from the one before; all hold rows, but few
/// lists: the others are as they were at one before. They are worth nothing beyond the time that
/// they save: the folder may be removed whenever nobody uses it. Where payloads are erased those in
/// the store's folder `snapshots` go; those elsewhere are whoever made them to remove.
///
/// One process uses a folder at a time, for one replay or for several that stand near each other:
/// all of them read the snapshot that the first one needed. It is not for two threads at once.
public final class SnapshotFolder {
  /// The name of the folder within a store's own in which an erasure finds them.
  package static let name = "snapshots"

  /// The folder.
  public let path: String
  let definitions: Definitions
  private let folder: Folder
  private let roots: SnapshotRoots
  private let lease: Lease
  private var opened: Opened?
  /// Those who read what is opened; a replay that is dropped takes its own along.
  private var readers: [Weak] = []

  private struct Weak {
    weak var reader: KeptReader?
  }

  /// A snapshot that is read.
  private struct Opened {
    let root: Int
    let file: ViewsFile
    let lag: IndexLagTables
  }

  /// The bytes that a map of a file must have room for, at least.
  private static let mapSize = 1 << 20

  /// Opens the snapshots in a folder.
  ///
  /// - Throws: ``SnapshotError``; those of another log or made by another reducer are `foreign`.
  public init(at path: String, of log: Log, reducer: some Reducer) throws(SnapshotError) {
    self.path = path
    folder = Folder(path)
    definitions = Definitions(reducer, seed: log.viewsSeed)
    let (lease, roots) = try Self.open(Folder(path), SnapshotRoots.Subject(log, definitions))
    (self.lease, self.roots) = (lease, roots.held(by: log))
  }

  deinit { close() }

  private static func open(
    _ folder: Folder, _ subject: SnapshotRoots.Subject
  ) throws(SnapshotError) -> (Lease, SnapshotRoots) {
    do {
      // Nobody makes others meanwhile: roots of one file would spoil the next.
      guard let lease = try Lease.tryTake(in: folder) else {
        throw SnapshotError.busy(path: folder.path)
      }
      guard
        let bytes = try folder.bytes(
          of: SnapshotRoots.file, limit: SnapshotRoots.byteCountMax)
      else { throw SnapshotError.missing(path: folder.path) }
      guard let roots = SnapshotRoots(bytes.raw) else {
        throw SnapshotError.damaged(path: folder.path, detail: "its roots are not whole")
      }
      guard roots.subject == subject else { throw SnapshotError.foreign(path: folder.path) }
      return (lease, roots)
    } catch {
      throw SnapshotError(error, path: folder.path)
    }
  }

  /// The records that there are snapshots at, in ascending order.
  public var numbers: [RecordNumber] { roots.roots.map(\.applied.number) }

  /// The bytes that they take together.
  public var byteCount: Int {
    let sizes = [Environment.dataFile, SnapshotRoots.file].map { name in
      (try? folder.status(of: name))?.size ?? 0
    }
    return sizes.reduce(0, +)
  }

  /// The record of the last snapshot up to a record; `nil` where there is none.
  public func start(upTo number: RecordNumber) -> RecordNumber? {
    roots.index(upTo: number).map { roots.roots[$0].applied.number }
  }

  /// What a workspace can lie over to be the last snapshot up to a record; `nil` where there is
  /// none, or others are reading a later one.
  ///
  /// - Parameter left: What the workspace lay over before, which nobody reads any more.
  func base(upTo number: RecordNumber, insteadOf left: ViewsBase?) throws -> SnapshotBase? {
    if let left { leave(left.reader) }
    readers.removeAll { $0.reader == nil }
    guard let root = roots.index(upTo: number) else { return nil }
    if let opened, opened.root != root {
      guard readers.isEmpty else { return opened.root < root ? try base(opened) : nil }
      close(opened.file)
    }
    return try base(try opening(root))
  }

  private func base(_ opened: Opened) throws -> SnapshotBase {
    let views = ViewsBase(opened.file)
    readers.append(Weak(reader: views.reader))
    let lag = try opened.lag.lag(views.reader, viewCount: definitions.plans.count)
    return SnapshotBase(views: views, lag: lag)
  }

  /// Lets a reader go, who reads nothing any more.
  func leave(_ reader: KeptReader) {
    reader.end()
    readers.removeAll { $0.reader === reader }
  }

  private func opening(_ root: Int) throws -> Opened {
    if let opened { return opened }
    try File(folder.path(of: Environment.dataFile), .update).write(roots.roots[root].metas)
    var options = Generation.options
    (options.mapSize, options.tablesMax, options.isReadOnly) = (
      Self.mapSize, SnapshotMaker.tablesMax, true
    )
    let file = try ViewsFile(
      Environment(at: folder.path, options: options), definitions.collections)
    let now = Opened(
      root: root, file: file,
      lag: try IndexLagTables(file.environment, definitions.collections))
    opened = now
    return now
  }

  private func close(_ file: ViewsFile) {
    file.environment.close()
    opened = nil
  }

  /// Ends the use of the folder; replays that go on from it can read nothing more.
  public func close() {
    for held in readers { held.reader?.end() }
    readers = []
    if let opened { close(opened.file) }
    lease.release()
  }
}

/// What a workspace lies over that begins at a snapshot.
struct SnapshotBase {
  let views: ViewsBase
  /// How far its indexes lag behind.
  let lag: IndexLag
}

extension SnapshotRoots {
  /// The last one up to a record.
  fileprivate func index(upTo number: RecordNumber) -> Int? {
    roots.lastIndex { $0.applied.number <= number }
  }

  /// Those that are of the log as it is.
  fileprivate func held(by log: Log) -> SnapshotRoots {
    var held = self
    held.keep { applied in (try? log.chain(at: applied.number)) == applied.chain }
    return held
  }
}

/// Why snapshots can't be used or made, and what to do about it.
public enum SnapshotError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There are none.
  case missing(path: String)
  /// They are of another log, or of one whose payloads were erased since, or made by other rules.
  case foreign(path: String)
  /// Another process uses them.
  case busy(path: String)
  /// They are not what was written.
  case damaged(path: String, detail: String)
  /// The log or the disk failed.
  case failed(StoreError)

  /// What happened, to what, and what to do about it.
  public var description: String {
    switch self {
    case .missing(let path): "\(path) holds no snapshots. Make them first, or go without."
    case .foreign(let path):
      "The snapshots in \(path) are of another log, as of one that this is a copy of, or by the "
        + "rules of another version. Make them anew."
    case .busy(let path): "Another process uses the snapshots in \(path). Try again later."
    case .damaged(let path, let detail):
      "The snapshots in \(path) are damaged: \(detail). Delete the folder, and make them anew."
    case .failed(let error): error.description
    }
  }

  init(_ error: any Error, path: String) {
    switch error {
    case let error as SnapshotError: self = error
    case let error as LMDBError where [.missing, .notAFolder].contains(error.code):
      self = .missing(path: path)
    default: self = .failed(StoreError(error, path: path))
    }
  }
}
