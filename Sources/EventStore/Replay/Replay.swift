import LMDB

/// The views of a log as they were after any of its records.
///
///     let past = try store.replay(at: 1200)
///     let then = try past.views.rows(of: "open", in: 0..<50)
///     try past.advance(to: 1300)
///     let change = try past.changes(of: "open", window: 0..., from: 1200, to: 1300)
///
/// A replay folds the log into its own rows and views. Nothing it does is visible to others, and
/// read-only access to the log suffices. It keeps everything in memory, including all changes since
/// changes were first requested. A replay is not safe for concurrent use and works on the calling
/// thread.
///
/// Records whose reduction ended a process, and that the store's views leave out for that, are left
/// out as well; they are among the refused ones.
///
/// A view costs nothing until it is used. It is then built from the current rows, or brought up to
/// date from the rows that changed since a snapshot, and kept up to date from there on.
public final class Replay {
  /// The log that is replayed.
  public let log: Log
  private(set) var workspace: Workspace
  /// The snapshots at which it may also start.
  let snapshots: SnapshotFolder?
  private var witness: EventWitness?
  private var ahead = RecordsAhead()
  /// Receives progress during long operations and returns whether to continue.
  let mayGoOn: (Store.Progress) -> Bool

  /// The number of records reduced while the log is held open.
  private static let sliceMax = 4096
  /// The fewest records saved for which restarting from a snapshot is worthwhile.
  private static let savingMin = 1024

  /// Creates the views that a reducer makes of a log, as they were after a record; 0 means before
  /// the first.
  ///
  /// If snapshots are given, only the records after the last snapshot up to that record are folded.
  /// `progress` is called whenever the replay goes through many records, now and later; if it
  /// returns `false`, the operation is cancelled.
  ///
  /// - Complexity: O(*n* log *n*) in the records up to that one, which are all folded.
  /// - Throws: ``StoreError``; ``LogError/damagedRecord(_:_:)`` with `absent` if there is no such
  ///   record.
  public convenience init(
    _ log: Log, reducer: some Reducer, at number: RecordNumber,
    from snapshots: SnapshotFolder? = nil,
    progress: @escaping (Store.Progress) -> Bool = { _ in true }
  ) throws(StoreError) {
    let definitions = snapshots?.definitions ?? Definitions(reducer, replaying: log)
    try self.init(log, definitions, at: number, from: snapshots, progress: progress)
  }

  /// Creates the views that a reducer makes of a log, as they were at a position.
  ///
  /// - Throws: ``StoreError``; ``StoreError/elsewhere(_:)`` if the log doesn't hold the position.
  public convenience init(
    _ log: Log, reducer: some Reducer, at position: Position
  ) throws(StoreError) {
    try log.require(position)
    try self.init(log, reducer: reducer, at: position.number)
  }

  convenience init(
    _ log: Log, _ definitions: Definitions, at number: RecordNumber,
    from snapshots: SnapshotFolder? = nil,
    progress: @escaping (Store.Progress) -> Bool = { _ in true }
  ) throws(StoreError) {
    do {
      try log.requireRecord(number)
      try self.init(
        beginningOf: log, definitions, from: snapshots, before: number, progress: progress)
      try fold(through: number)
    } catch {
      throw StoreError(error, path: log.path)
    }
  }

  /// Starts before the first record, or at the last snapshot up to a record.
  init(
    beginningOf log: Log, _ definitions: Definitions, from snapshots: SnapshotFolder? = nil,
    before number: RecordNumber = .zero,
    progress: @escaping (Store.Progress) -> Bool = { _ in true }
  ) throws {
    self.log = log
    mayGoOn = progress
    self.snapshots = snapshots
    let base = try snapshots?.base(upTo: number, insteadOf: nil)
    workspace = try Self.beginning(of: log, definitions, over: base)
  }

  private static func beginning(
    of log: Log, _ definitions: Definitions, over base: SnapshotBase?
  ) throws -> Workspace {
    let workspace = try Workspace(
      definitions, of: log.store, from: log.beginning, over: base?.views)
    workspace.state.lists.putOff(base?.lag)
    return workspace
  }

  var definitions: Definitions { workspace.definitions }

  /// The replay's position.
  public var position: Position { workspace.position }

  /// The rows and lists at the replay's position; they move with it.
  public var views: StoreSnapshot { StoreSnapshot(workspace) }

  /// How often a collection or a view was queried or notified, or a row's net change examined,
  /// since the replay began.
  ///
  /// Only those that events touch are counted; for tests.
  package var visits: Int { workspace.visits }

  /// Returns the events refused between the log's beginning and here, ordered by number.
  ///
  /// - Complexity: O(n)
  /// - Throws: ``StoreError``.
  public func refused() throws(StoreError) -> [RefusedEvent] {
    try asking { try workspace.allRefused() }
  }

  /// Moves to another record, forward or backward.
  ///
  /// - Complexity: O(log *n*) for each record between; to go back, the replay restarts at the last
  ///   snapshot before the record, or at the log's beginning.
  /// - Throws: ``StoreError``, as ``init(_:reducer:at:from:progress:)``.
  public func advance(to number: RecordNumber) throws(StoreError) {
    do {
      try log.requireRecord(number)
      let applied = workspace.applied.number
      let start = snapshots?.start(upTo: number) ?? .zero
      if number < applied || start.rawValue > applied.rawValue + UInt64(Self.savingMin) {
        try beginAnew(before: number)
      }
      try fold(through: number)
    } catch {
      throw StoreError(error, path: log.path)
    }
  }

  /// Moves forward to a later record, folding all records between.
  func goOn(to number: RecordNumber) throws(StoreError) {
    do {
      try log.requireRecord(number)
      try fold(through: number)
    } catch {
      throw StoreError(error, path: log.path)
    }
  }

  /// Advances by one record, showing its changes to rows to the witness, and returns it; `nil`
  /// after the last.
  ///
  /// Changes before that record can no longer be reported. `body` is called while the record's
  /// changes to lists are still known.
  func step(_ body: () throws -> Void) throws -> Record? {
    workspace.forgetNews()
    guard let (record, place) = try ahead.next(after: workspace.applied, of: log) else {
      return try stepOverDamage(body)
    }
    try workspace.reduce(record, at: place, telling: body)
    return RecordView(record.number, record.bytes.raw).record
  }

  /// Advances like `step(_:)`, but also below the floor and past damaged records.
  private func stepOverDamage(_ body: () throws -> Void) throws -> Record? {
    try log.read { snapshot in
      guard try workspace.reduce(from: snapshot, atMost: 1, telling: body) > 0 else { return nil }
      return try snapshot.record(workspace.applied.number)
    }
  }

  /// Shows changes to rows to a witness from now on, or to none.
  package func show(to witness: EventWitness?) {
    self.witness = witness
    workspace.state.witness = witness
  }

  /// Checks all invariants of rows and views, as ``Store/checkInvariants()`` does.
  ///
  /// - Complexity: O(everything)
  public func checkInvariants() throws(StoreError) {
    try asking {
      try requireViews()
      try workspace.checkInvariants()
    }
  }

  /// Builds all views and keeps them up to date; otherwise only views used since the start are
  /// built.
  func requireViews() throws { try workspace.requireAll() }

  /// Builds all views and tracks their changes from now on.
  func rememberViews() throws {
    if workspace.state.lists.isDeferred { try workspace.buildMissingViews() }
  }

  /// Restarts at the last snapshot up to a record, or before the first record.
  func beginAnew(before number: RecordNumber) throws {
    let base = try snapshots?.base(upTo: number, insteadOf: workspace.base)
    workspace = try Self.beginning(of: log, definitions, over: base)
    workspace.state.witness = witness
  }

  /// Folds the following records through a record.
  ///
  /// - Throws: ``StoreError/cancelled`` if told to stop.
  func fold(through last: RecordNumber) throws {
    try fold(through: last) { done in
      done >= last || mayGoOn(Store.Progress(done: done, last: last))
    }
  }

  /// Folds the following records, reporting to another closure.
  func fold(
    through last: RecordNumber, _ mayGoOn: (RecordNumber) -> Bool
  ) throws {
    while workspace.applied.number < last {
      let count = try log.read { snapshot in
        try workspace.reduce(from: snapshot, atMost: Self.sliceMax, through: last)
      }
      guard mayGoOn(workspace.applied.number) else { throw StoreError.cancelled }
      guard count > 0 else { break }
    }
  }
}

extension Store {
  /// Returns the views as they were after a record, or are there: folded again from the log, in
  /// memory.
  ///
  /// - Complexity: O(*n* log *n*) in the records up to that one.
  /// - Throws: ``StoreError``, as ``Replay/init(_:reducer:at:from:progress:)``.
  public func replay(at number: RecordNumber) throws(StoreError) -> Replay {
    let parts = try parts
    return try Replay(parts.log, parts.replayed, at: number)
  }

  /// Returns the views as they were at a position, folded again from the log, in memory.
  ///
  /// - Throws: ``StoreError``; ``StoreError/elsewhere(_:)`` if the log doesn't hold the position.
  public func replay(at position: Position) throws(StoreError) -> Replay {
    let parts = try parts
    try parts.log.require(position)
    return try Replay(parts.log, parts.replayed, at: position.number)
  }
}

extension Log {
  /// The secret used to hash the names and groups of this store's views.
  var viewsSeed: UInt64 { fingerprint(of: "views").rawValue }

  fileprivate func requireRecord(_ number: RecordNumber) throws(LogError) {
    guard number >= floor else { throw .compacted(floor: floor) }
    guard try number <= last else { throw .damagedRecord(number, .absent) }
  }

  fileprivate func require(_ position: Position) throws(StoreError) {
    let isHeld: Bool
    do throws(LogError) { isHeld = try holds(position) } catch { throw .log(error) }
    guard isHeld else { throw .elsewhere(position) }
  }
}
