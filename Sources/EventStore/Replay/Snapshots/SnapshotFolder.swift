import LMDB

/// Rows and views of a log as they were after some of its records, as starting points for tools.
///
///     let snapshots = try SnapshotFolder(at: path, of: log, reducer: reducer)
///     let past = try Replay(log, reducer: reducer, at: 700_000, from: snapshots)
///
/// Only ``make(of:reducer:at:limits:progress:)`` makes snapshots. They share one file, in which
/// each holds only its differences from the one before. All hold rows, but few lists; other lists
/// are as of an earlier snapshot. Snapshots only save time: the folder may be removed whenever it
/// is not in use. Erasing payloads removes the snapshots in the store's folder `snapshots`; whoever
/// made others must remove them.
///
/// Opening any of them writes to the folder. If that fails for a later one, such as on a full disk,
/// the folder has no snapshots from then on, and replays go on without.
///
/// One process uses a folder at a time, for one replay or for several that stand near each other,
/// since all of them read the snapshot that the first one needed. A folder is not safe for
/// concurrent use.
public final class SnapshotFolder {
  /// The name of the folder within a store's folder where an erasure looks for snapshots.
  package static let name = "snapshots"

  /// The folder's path.
  public let path: String
  let definitions: Definitions
  private let folder: Folder
  private var roots: SnapshotRoots
  private let lease: Lease
  private var opened: Opened?
  /// The reason why the folder has no snapshots any more; `nil` while they can be opened.
  package private(set) var failure: StoreError?
  /// The readers of the opened snapshot; a dropped replay takes its own reader along.
  private var readers: [Weak] = []

  private struct Weak {
    weak var reader: KeptReader?
  }

  /// An opened snapshot.
  private struct Opened {
    let root: Int
    let file: ViewsFile
    let lag: IndexLagTables
  }

  /// The minimum map size of a file in bytes.
  private static let mapSize = 1 << 20

  /// Opens the snapshots in a folder, and the last of them, which writes to the folder.
  ///
  /// - Throws: ``SnapshotError``; snapshots of another log or made by another reducer are
  ///   `foreign`, and those in a folder that can't be written `failed`.
  public init(at path: String, of log: Log, reducer: some Reducer) throws(SnapshotError) {
    self.path = path
    folder = Folder(path)
    definitions = Definitions(reducer, replaying: log)
    let (lease, roots) = try Self.open(Folder(path), SnapshotRoots.Subject(log, definitions))
    (self.lease, self.roots) = (lease, roots.held(by: log))
    do {
      if let last = self.roots.roots.indices.last { _ = try opening(last) }
    } catch {
      throw SnapshotError(error, path: path)
    }
  }

  deinit { close() }

  private static func open(
    _ folder: Folder, _ subject: SnapshotRoots.Subject
  ) throws(SnapshotError) -> (Lease, SnapshotRoots) {
    do {
      // No other process may make snapshots meanwhile: one file's roots would ruin the next.
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

  /// The records that have snapshots, in ascending order.
  public var numbers: [RecordNumber] { roots.roots.map(\.applied.number) }

  /// The total size of the snapshots in bytes.
  public var byteCount: Int {
    let sizes = [Environment.dataFile, SnapshotRoots.file].map { name in
      (try? folder.status(of: name))?.size ?? 0
    }
    return sizes.reduce(0, +)
  }

  /// Returns the record of the last snapshot up to a record; `nil` if there is none.
  public func start(upTo number: RecordNumber) -> RecordNumber? {
    roots.index(upTo: number).map { roots.roots[$0].applied.number }
  }

  /// Returns the base for a workspace at the last snapshot up to a record, or at an earlier one
  /// that others are reading; `nil` if there is none, if they are reading a later one, or if the
  /// disk fails, after which there are none.
  ///
  /// - Parameter left: The workspace's previous base, which is no longer read.
  func base(upTo number: RecordNumber, insteadOf left: ViewsBase?) throws -> SnapshotBase? {
    if let left { leave(left.reader) }
    readers.removeAll { $0.reader == nil }
    guard let root = roots.index(upTo: number) else { return nil }
    if let opened, opened.root != root {
      guard readers.isEmpty else {
        return opened.root < root ? try unlessFailing(opened.root) : nil
      }
      close(opened.file)
    }
    return try unlessFailing(root)
  }

  /// Returns the base at a snapshot; `nil` if the disk fails, and there are none from now on.
  private func unlessFailing(_ root: Int) throws -> SnapshotBase? {
    do { return try base(opening(root)) } catch let error as LMDBError {
      failure = StoreError(error, path: path)
      roots.keep { _ in false }
      return nil
    }
  }

  private func base(_ opened: Opened) throws -> SnapshotBase {
    let views = ViewsBase(opened.file)
    readers.append(Weak(reader: views.reader))
    let lag = try opened.lag.lag(views.reader, viewCount: definitions.plans.count)
    return SnapshotBase(views: views, lag: lag)
  }

  /// Releases a reader that reads nothing any more.
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

  /// Stops using the folder; replays based on it can't read any more.
  public func close() {
    for held in readers { held.reader?.end() }
    readers = []
    if let opened { close(opened.file) }
    lease.release()
  }
}

/// The base of a workspace that starts at a snapshot.
struct SnapshotBase {
  let views: ViewsBase
  /// How far the base's indexes lag behind.
  let lag: IndexLag
}

extension SnapshotRoots {
  /// Finds the last root up to a record.
  fileprivate func index(upTo number: RecordNumber) -> Int? {
    roots.lastIndex { $0.applied.number <= number }
  }

  /// Returns the roots that match the current log.
  fileprivate func held(by log: Log) -> SnapshotRoots {
    var held = self
    held.keep { applied in (try? log.chain(at: applied.number)) == applied.chain }
    return held
  }
}

/// The reason why snapshots can't be used or made, and the remedy.
public enum SnapshotError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No snapshots exist.
  case missing(path: String)
  /// The snapshots are of another log, or of one with payloads erased since, or made by other
  /// rules.
  case foreign(path: String)
  /// Another process uses the snapshots.
  case busy(path: String)
  /// The snapshots differ from what was written.
  case damaged(path: String, detail: String)
  /// The log or the disk failed.
  case failed(StoreError)

  /// The problem, its subject, and the remedy.
  public var description: String {
    switch self {
    case .missing(let path): "\(path) holds no snapshots. Make some first, or do without."
    case .foreign(let path):
      "The snapshots in \(path) were made from another log, such as the original of this copy, or "
        + "by another version's rules. Make new ones."
    case .busy(let path): "Another process is using the snapshots in \(path). Try again later."
    case .damaged(let path, let detail):
      "The snapshots in \(path) are damaged: \(detail). Delete the folder and make new ones."
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
