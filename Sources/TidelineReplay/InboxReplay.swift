public import EventStore
public import Tideline

/// The inboxes of a store as they were at any record of its log, from the log alone.
///
///     let past = try InboxReplay(store, at: 1200)
///     let badge = try past.badge(of: 1)
///     let why = try past.why("t1", .thread, in: past.list("unread inbox:1"), of: 1)
///
/// A replay folds the log in memory and writes nothing. Two threads must not use it at once.
public final class InboxReplay {
  /// The rows and lists where the replay stands.
  public let replay: Replay
  /// The views that the app declares.
  let views: [DeclaredView]

  /// Creates a replay that stands after a record (0: before the first), with the app's declared
  /// views.
  ///
  /// It may start from snapshots, and reports long work to `progress`.
  ///
  /// - Complexity: As `Replay`.
  /// - Throws: `StoreError`; `cancelled` if `progress` returns `false`.
  public init(
    _ log: Log, at number: RecordNumber, from snapshots: SnapshotFolder? = nil,
    views: [DeclaredView] = [], progress: @escaping (Store.Progress) -> Bool = { _ in true }
  ) throws(StoreError) {
    self.views = views
    replay = try Replay(
      log, reducer: InboxReducer(declaring: views), at: number, from: snapshots,
      progress: progress)
  }

  /// Creates a replay of an open store after a record, by default the last, with the store's views.
  ///
  /// The store may be used meanwhile; the replay does not see later records. It reads the log until
  /// the store is suspended or closed.
  ///
  /// - Complexity: As `Replay`.
  /// - Throws: `StoreError`; `cancelled` if `progress` returns `false`.
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

  /// Wraps a replay of inboxes, and moves with it.
  public init(_ replay: Replay) { (self.replay, views) = (replay, []) }

  /// The log.
  public var log: Log { replay.log }

  /// The record after which the replay stands.
  public var number: RecordNumber { replay.position.number }

  /// Returns the wanted operations that the server has not performed, in the order they were
  /// wanted; of all accounts, or of one.
  ///
  /// - Complexity: O(operations of all accounts)
  /// - Throws: `StoreError`.
  public func outbox(of account: UInt32? = nil) throws(StoreError) -> [OpenOperation] {
    try replay.rows(of: ListName(InboxViews.outbox), in: 0...)
      .filter { row in account.map { row[Operations.account] == Int64($0) } ?? true }
      .compactMap(OpenOperation.init)
  }

  /// Returns the object with an id, or `nil` if there is no visible one.
  ///
  /// - Complexity: O(log n)
  /// - Throws: `StoreError`.
  public func object<Object: Model>(
    _ type: Object.Type, _ id: String, of account: UInt32
  ) throws(StoreError) -> Object? {
    try replay.row("\(account)/\(id)", in: Object.collection).flatMap(Object.init)
  }

  /// Returns the list that a text names, as in `unread inbox:1`.
  ///
  /// - Throws: ``InboxReplayError/noList(_:among:)``.
  public func list(_ text: String) throws(InboxReplayError) -> ListName {
    let views = replay.viewDefinitions
    guard let list = ListName(text, among: views) else {
      let meant = views.filter { text == $0.name || text.utf8.starts(with: "\($0.name):".utf8) }
      throw .noList(text, among: (meant.isEmpty ? views : meant).map(\.listForm))
    }
    return list
  }
}

extension ViewDefinition {
  /// The form of its lists' names, as in `threads by tag:ACCOUNT/TAGIDS`.
  fileprivate var listForm: String {
    let fields = [scope, grouping].compactMap { $0?.name.uppercased() }
    return fields.isEmpty ? name : "\(name):\(fields.joined(separator: "/"))"
  }
}

extension SnapshotFolder {
  /// Makes snapshots of a log of inboxes in a folder, replacing any existing ones, with the app's
  /// declared views.
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

  /// Opens the snapshots of a log of inboxes in a folder, with the app's declared views.
  ///
  /// - Throws: `SnapshotError`.
  public convenience init(
    ofInboxes log: Log, at path: String, views: [DeclaredView] = []
  ) throws(SnapshotError) {
    try self.init(at: path, of: log, reducer: InboxReducer(declaring: views))
  }
}

/// A question about the past that has no answer, and what to do about it.
public enum InboxReplayError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A text names no list; with the forms of the names it may mean.
  case noList(String, among: [String])
  /// No object ever had the id.
  case noObject(String)
  /// Objects have no field of the name.
  case noField(String, among: [String])
  /// A record is not the outcome of an operation.
  case noOutcome(RecordNumber)
  /// A question does not hold after a record.
  case notSo(String, RecordNumber)
  /// A question holds, but not without the damaged records, so that no records show it.
  case onlyByDamage(String)
  /// A folder holds no fixture.
  case noFixture(path: String)
  /// The target folder of a fixture is not empty.
  case occupied(path: String)

  /// The problem, its subject, and what to do about it.
  public var description: String {
    switch self {
    case .noList(let text, let views):
      "'\(text)' is not a list. Name one of: \(views.joined(separator: ", "))."
    case .noObject(let id): "The log mentions nothing with the id '\(id)'. Name another."
    case .noField(let name, let fields):
      "There is no field '\(name)'. Name one of: \(fields.joined(separator: ", "))."
    case .noOutcome(let number):
      "Record \(number) is not the outcome of an operation. Name another."
    case .notSo(let question, let number):
      "not true after #\(number): \(question). Ask something that is true, or name another place."
    case .onlyByDamage(let question):
      "Only damaged records, which can't be tried, make it true: \(question). Salvage the log."
    case .noFixture(let path): "\(path) holds no fixture. Name the right folder."
    case .occupied(let path): "\(path) is not empty. Name a new or an empty folder."
    }
  }
}
