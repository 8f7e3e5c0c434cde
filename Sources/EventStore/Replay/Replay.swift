import LMDB

/// The views of a log as they were at any of its records.
///
///     let past = try store.replay(at: 1200)
///     let then = try past.views.rows(of: "open", in: 0..<50)
///     try past.advance(to: 1300)
///     let change = try past.changes(of: "open", window: 0..., from: 1200, to: 1300)
///
/// It folds the log into rows and views of its own, so nothing that it does is seen by anyone else,
/// and a log that may only be read is enough. All of them, and what is to be told of the records
/// that it went through since it began, are in memory. It is not for two threads at once, and works
/// on the thread that calls it.
public final class Replay {
  /// The log that is replayed.
  public let log: Log
  let definitions: Definitions
  private(set) var workspace: Workspace

  /// The records that are reduced while the log is held open.
  private static let sliceMax = 4096

  /// The views that a reducer makes of a log, as they were behind a record; 0 for before the first.
  ///
  /// - Complexity: O(*n* log *n*) in the records up to that one, which are all folded.
  /// - Throws: ``StoreError``; ``LogError/damagedRecord(_:_:)`` with `absent` where there is no
  /// such
  ///   record.
  public convenience init(
    _ log: Log, reducer: some Reducer, at number: RecordNumber
  ) throws(StoreError) {
    try self.init(log, Definitions(reducer, seed: log.viewsSeed), at: number)
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
    _ log: Log, _ definitions: Definitions, at number: RecordNumber
  ) throws(StoreError) {
    do {
      try log.requireRecord(number)
      try self.init(beginningOf: log, definitions)
      try fold(through: number)
    } catch {
      throw StoreError(error, path: log.path)
    }
  }

  /// Before the first record; no index is built yet.
  init(beginningOf log: Log, _ definitions: Definitions) throws {
    self.log = log
    self.definitions = definitions
    workspace = try Self.beginning(of: log, definitions)
  }

  private static func beginning(of log: Log, _ definitions: Definitions) throws -> Workspace {
    let workspace = try Workspace(definitions, of: log.store, from: log.beginning, over: nil)
    workspace.state.lists.isDeferred = true
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

  /// The events that were refused on the way from the log's beginning.
  public var refused: [RefusedEvent] { workspace.refused }

  /// Goes to another record, on or back.
  ///
  /// - Complexity: O(log *n*) for each record between; where it goes back it begins anew, with the
  ///   first of all.
  /// - Throws: ``StoreError``, as ``init(_:reducer:at:)-(_,_,RecordNumber)``.
  public func advance(to number: RecordNumber) throws(StoreError) {
    do {
      try log.requireRecord(number)
      if number < workspace.applied.number { try beginAnew() }
      try fold(through: number)
    } catch {
      throw StoreError(error, path: log.path)
    }
  }

  /// Checks everything that must hold of rows and views, as ``Store/checkInvariants()`` does.
  ///
  /// - Complexity: O(everything)
  public func checkInvariants() throws(StoreError) {
    do { try workspace.checkInvariants() } catch { throw StoreError(error, path: log.path) }
  }

  func beginAnew() throws { workspace = try Self.beginning(of: log, definitions) }

  /// Folds what follows up to a record; the first time, indexes are built at once behind it.
  func fold(through last: RecordNumber) throws {
    try fold(through: last) { _ in true }
  }

  /// As its namesake, unless it is told to give up.
  ///
  /// - Throws: ``StoreError/cancelled``.
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
    if workspace.hasMissingViews { try workspace.buildMissingViews() }
  }
}

extension Store {
  /// The views as they were behind a record, or are there: folded anew from the log, in memory.
  ///
  /// - Complexity: O(*n* log *n*) in the records up to that one.
  /// - Throws: ``StoreError``, as ``Replay/init(_:reducer:at:)-(_,_,RecordNumber)``.
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
