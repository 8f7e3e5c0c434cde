public import EventStore
public import Tideline

/// The inboxes of a store as they were at any record of its log, from the log alone.
///
///     let past = try InboxReplay(store, at: 1200)
///     let badge = try past.badge(of: 1)
///     let why = try past.why("t1", .thread, in: past.list("unread inbox:1"), of: 1)
///
/// It folds the log in memory and writes nothing. It is not for two threads at once.
public final class InboxReplay {
  /// Rows and lists where it stands.
  public let replay: Replay
  /// The views that the app declares.
  let views: [DeclaredView]

  /// The inboxes behind a record, 0 for before the first, with the views that the app declares;
  /// it may go on from snapshots, and tells `progress` how far it has come where that takes long.
  ///
  /// - Complexity: As `Replay`.
  /// - Throws: `StoreError`; `cancelled` where `progress` returns `false`.
  public init(
    _ log: Log, at number: RecordNumber, from snapshots: SnapshotFolder? = nil,
    views: [DeclaredView] = [], progress: @escaping (Store.Progress) -> Bool = { _ in true }
  ) throws(StoreError) {
    self.views = views
    replay = try Replay(
      log, reducer: InboxReducer(declaring: views), at: number, from: snapshots,
      progress: progress)
  }

  /// The inboxes of an open store behind a record, its last one unless another is named, with the
  /// views that the store was opened with.
  ///
  /// The store may be used meanwhile: what happens from there on the replay knows nothing of. It
  /// reads the log until the store is suspended or closed.
  ///
  /// - Complexity: As `Replay`.
  /// - Throws: `StoreError`; `cancelled` where `progress` returns `false`.
  public convenience init(
    _ store: InboxStore, at number: RecordNumber? = nil, from snapshots: SnapshotFolder? = nil,
    progress: @escaping (Store.Progress) -> Bool = { _ in true }
  ) throws(StoreError) {
    let log = try store.core.log
    let last: RecordNumber
    do throws(LogError) { last = try log.last } catch { throw .log(error) }
    try self.init(
      log, at: number ?? last, from: snapshots, views: store.options.views, progress: progress)
  }

  /// The inboxes where a replay of one stands, which moves with it.
  public init(_ replay: Replay) { (self.replay, views) = (replay, []) }

  /// The log.
  public var log: Log { replay.log }

  /// The record that it stands behind.
  public var number: RecordNumber { replay.position.number }

  /// What the server has not done of what was wanted, in that order; of all accounts, or of one.
  ///
  /// - Complexity: O(operations of all accounts)
  /// - Throws: `StoreError`.
  public func outbox(of account: UInt32? = nil) throws(StoreError) -> [OpenOperation] {
    try replay.rows(of: ListName(InboxViews.outbox), in: 0...)
      .filter { row in account.map { row[Operations.account] == Int64($0) } ?? true }
      .compactMap(OpenOperation.init)
  }

  /// The object of an id, or `nil` where there is none that is shown.
  ///
  /// - Complexity: O(log n)
  /// - Throws: `StoreError`.
  public func object<Object: Model>(
    _ type: Object.Type, _ id: String, of account: UInt32
  ) throws(StoreError) -> Object? {
    try replay.row("\(account)/\(id)", in: Object.collection).flatMap(Object.init)
  }

  /// The text that names one of the lists, as in `unread inbox:1`.
  ///
  /// - Throws: ``InboxReplayError/noList(_:among:)``.
  public func list(_ text: String) throws(InboxReplayError) -> ListName {
    let views = replay.viewDefinitions
    guard let list = ListName(text, among: views) else {
      let meant = views.filter { text == $0.name || text.hasPrefix("\($0.name):") }
      throw .noList(text, among: (meant.isEmpty ? views : meant).map(\.listForm))
    }
    return list
  }
}

extension ViewDefinition {
  /// How its lists are named, as in `threads by tag:ACCOUNT/TAGIDS`.
  fileprivate var listForm: String {
    let fields = [scope, grouping].compactMap { $0?.name.uppercased() }
    return fields.isEmpty ? name : "\(name):\(fields.joined(separator: "/"))"
  }
}

extension SnapshotFolder {
  /// Makes snapshots of a log of inboxes in a folder, in place of those that are there; with the
  /// views that the app declares.
  ///
  /// - Throws: `SnapshotError`.
  public static func makeOfInboxes(
    _ log: Log, at path: String, limits: SnapshotLimits = SnapshotLimits(),
    views: [DeclaredView] = [], progress: (Store.Progress) -> Bool = { _ in true }
  ) throws(SnapshotError) {
    try make(
      of: log, reducer: InboxReducer(declaring: views), at: path, limits: limits,
      progress: progress)
  }

  /// Opens the snapshots of a log of inboxes in a folder, with the views that the app declares.
  ///
  /// - Throws: `SnapshotError`.
  public convenience init(
    ofInboxes log: Log, at path: String, views: [DeclaredView] = []
  ) throws(SnapshotError) {
    try self.init(at: path, of: log, reducer: InboxReducer(declaring: views))
  }
}

/// Why something can't be said of the past, and what to do about it.
public enum InboxReplayError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A text names no list; how lists are named, of the views that it may mean.
  case noList(String, among: [String])
  /// There was never an object of an id.
  case noObject(String)
  /// Objects have no field of a name.
  case noField(String, among: [String])
  /// A record is no outcome of an operation.
  case noOutcome(RecordNumber)
  /// A question is not so behind a record.
  case notSo(String, RecordNumber)
  /// A folder holds no fixture.
  case noFixture(path: String)
  /// A folder that a fixture was to be written into has something in it.
  case occupied(path: String)

  /// What happened, to what, and what to do about it.
  public var description: String {
    switch self {
    case .noList(let text, let views):
      "'\(text)' is no list. Name one as in \(views.joined(separator: ", "))."
    case .noObject(let id): "The log tells of nothing with the id '\(id)'. Name another."
    case .noField(let name, let fields):
      "There is no field '\(name)'. Name another: \(fields.joined(separator: ", "))."
    case .noOutcome(let number): "Record \(number) is no outcome of an operation. Name another."
    case .notSo(let question, let number):
      "it is not so behind #\(number): \(question). Ask for what is, or name where it is."
    case .noFixture(let path): "\(path) holds no fixture. Name the right folder."
    case .occupied(let path): "\(path) is not empty. Name a new folder, or an empty one."
    }
  }
}
