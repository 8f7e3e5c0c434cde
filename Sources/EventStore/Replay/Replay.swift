import LMDB

/// The views of a log as they were at any of its records.
///
///     let past = try store.replay(at: 1200)
///     let then = try past.views.rows(of: "open", in: 0..<50)
///     try past.advance(to: 1300)
///     let change = try past.changes(of: "open", window: 0..., from: 1200, to: 1300)
///
/// It folds the log into rows and views of its own, so nothing that it does is seen by anyone else,
/// and a log that may only be read is enough. All of them are in memory, and so is what happened
/// since changes were first asked for. It is not for two threads at once, and works on the thread
/// that calls it.
///
/// A view costs nothing before somebody asks for it: then it is made of the rows that there are, or
/// brought up to date from those that changed since a snapshot, and kept so from there on.
public final class Replay {
  /// The log that is replayed.
  public let log: Log
  let definitions: Definitions
  private(set) var workspace: Workspace
  /// Where it may begin beside the first record.
  let snapshots: SnapshotFolder?
  private var witness: EventWitness?
  private var ahead = RecordsAhead()
  /// Is told how far it has come where that takes long, and says whether it is to go on.
  let mayGoOn: (Store.Progress) -> Bool

  /// The records that are reduced while the log is held open.
  private static let sliceMax = 4096
  /// How many records it must save to go on from a snapshot instead of from where it stands.
  private static let savingMin = 1024

  /// The views that a reducer makes of a log, as they were behind a record; 0 for before the first.
  ///
  /// Where it may go on from snapshots, only the records behind the last one up to that record are
  /// folded. Wherever it goes through many records `progress` is told how far it has come, now and
  /// later; what it does is given up where that returns `false`.
  ///
  /// - Complexity: O(*n* log *n*) in the records up to that one, which are all folded.
  /// - Throws: ``StoreError``; ``LogError/damagedRecord(_:_:)`` with `absent` where there is no
  ///   such record.
  public convenience init(
    _ log: Log, reducer: some Reducer, at number: RecordNumber,
    from snapshots: SnapshotFolder? = nil,
    progress: @escaping (Store.Progress) -> Bool = { _ in true }
  ) throws(StoreError) {
    let definitions = snapshots?.definitions ?? Definitions(reducer, seed: log.viewsSeed)
    try self.init(log, definitions, at: number, from: snapshots, progress: progress)
  }

  /// The views that a reducer makes of a log, as they were at a position.
  ///
  /// - Throws: ``StoreError``; ``StoreError/elsewhere(_:)`` where the log doesn't hold the
  /// position.
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

  /// Before the first record, or at the last snapshot up to one.
  init(
    beginningOf log: Log, _ definitions: Definitions, from snapshots: SnapshotFolder? = nil,
    before number: RecordNumber = .zero,
    progress: @escaping (Store.Progress) -> Bool = { _ in true }
  ) throws {
    self.log = log
    mayGoOn = progress
    self.definitions = definitions
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

  /// Where it stands.
  public var position: Position { workspace.position }

  /// The rows and lists where it stands; they go along when it moves.
  public var views: StoreSnapshot { StoreSnapshot(workspace, definitions) }

  /// How often a collection or a view was asked for something, or told something, since it began.
  ///
  /// Only those are that events touch, which is for tests to see.
  package var visits: Int { workspace.visits }

  /// The events that were refused on the way from the log's beginning, by their numbers.
  ///
  /// - Complexity: O(n)
  /// - Throws: ``StoreError``.
  public func refused() throws(StoreError) -> [RefusedEvent] {
    try asking { try workspace.allRefused() }
  }

  /// Goes to another record, on or back.
  ///
  /// - Complexity: O(log *n*) for each record between; where it goes back it begins anew, at the
  ///   last snapshot before or with the first record of all.
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

  /// Goes on to a record behind, through all between.
  func goOn(to number: RecordNumber) throws(StoreError) {
    do {
      try log.requireRecord(number)
      try fold(through: number)
    } catch {
      throw StoreError(error, path: log.path)
    }
  }

  /// Goes on by one record, whose effect on rows a witness sees, and returns it; `nil` behind the
  /// last.
  ///
  /// Of what was before that one there is nothing to tell any more. `body` is called while it is
  /// still known what the record did to lists.
  func step(_ body: () throws -> Void) throws -> Record? {
    workspace.forgetNews()
    guard let (record, place) = try ahead.next(behind: workspace.applied, of: log) else {
      return try stepOverDamage(body)
    }
    try workspace.reduce(record, at: place, telling: body)
    return RecordView(record.number, record.bytes.raw).record
  }

  /// As its namesake, for records below the floor as well, and for those behind damaged ones.
  private func stepOverDamage(_ body: () throws -> Void) throws -> Record? {
    try log.read { snapshot in
      guard try workspace.reduce(from: snapshot, atMost: 1, telling: body) > 0 else { return nil }
      return try snapshot.record(workspace.applied.number)
    }
  }

  /// Has a witness see what events do to rows from now on; or nobody.
  package func show(to witness: EventWitness?) {
    self.witness = witness
    workspace.state.witness = witness
  }

  /// Checks everything that must hold of rows and views, as ``Store/checkInvariants()`` does.
  ///
  /// - Complexity: O(everything)
  public func checkInvariants() throws(StoreError) {
    try asking {
      try requireViews()
      try workspace.checkInvariants()
    }
  }

  /// Has all views at hand, and keeps them so; until then those alone are that somebody has asked
  /// for since it began.
  func requireViews() throws { try workspace.requireAll() }

  /// Has all views at hand, and from now on remembers what happens to them.
  func rememberViews() throws {
    if workspace.state.lists.isDeferred { try workspace.buildMissingViews() }
  }

  /// Begins at the last snapshot up to a record, or before the first of all.
  func beginAnew(before number: RecordNumber) throws {
    let base = try snapshots?.base(upTo: number, insteadOf: workspace.base)
    workspace = try Self.beginning(of: log, definitions, over: base)
    workspace.state.witness = witness
  }

  /// Folds what follows up to a record.
  ///
  /// - Throws: ``StoreError/cancelled`` where it is told to give up.
  func fold(through last: RecordNumber) throws {
    try fold(through: last) { done in
      done >= last || mayGoOn(Store.Progress(done: done, last: last))
    }
  }

  /// As its namesake, but tells of other progress.
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
  /// The views as they were behind a record, or are there: folded anew from the log, in memory.
  ///
  /// - Complexity: O(*n* log *n*) in the records up to that one.
  /// - Throws: ``StoreError``, as ``Replay/init(_:reducer:at:from:progress:)``.
  public func replay(at number: RecordNumber) throws(StoreError) -> Replay {
    let parts = try parts
    return try Replay(parts.log, parts.definitions, at: number)
  }

  /// The views as they were at a position, as its namesake has them behind a record.
  ///
  /// - Throws: ``StoreError``; ``StoreError/elsewhere(_:)`` where the log doesn't hold the
  /// position.
  public func replay(at position: Position) throws(StoreError) -> Replay {
    let parts = try parts
    try parts.log.require(position)
    return try Replay(parts.log, parts.definitions, at: position.number)
  }
}

extension Log {
  /// The secret that the names and groups of this store's views are hashed with.
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
