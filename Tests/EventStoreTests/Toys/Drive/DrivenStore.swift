import EventStore

/// A store with a toy's views, as random histories drive it.
protocol DrivenStore<Happening>: Sendable {
  associatedtype Happening: Sendable
  associatedtype Shown: ShownPane
  associatedtype Watched: WatchedRow

  /// What it can do besides showing lists as they are.
  var abilities: Set<StoreAbility> { get }
  /// What it can be put through.
  var trials: [StoreTrial] { get }

  /// Appends batches all at once; returns when they are durable and shown.
  ///
  /// - Returns: The number of each one's first event.
  func append(_ batches: [[Happening]]) async throws -> [Int]
  /// The position behind an event.
  func position(at number: Int) async throws -> Position
  /// Opens a pane, which is handed its changes if there is a body, or has them asked for.
  func show(
    _ pane: Pane, handing body: (@Sendable (Delivery) -> Void)?
  ) async throws -> Shown

  /// Has an open pane show another window of its list, and tell the difference.
  func change(_ shown: Shown, to pane: Pane) async throws

  /// Watches a row of the first collection, whose changes are handed to a body if there is one, or
  /// are asked for.
  func watch(
    _ id: String, handing body: (@Sendable (RowChange) -> Void)?
  ) async throws -> Watched

  /// What a pane shows now.
  func sight(of pane: Pane) async throws -> Sight
  /// The rank of a row in the pane's whole list.
  func rank(of id: String, in pane: Pane) async throws -> Int?
  /// What a pane showed behind an event.
  func sight(of pane: Pane, at number: Int) async throws -> Sight
  /// What happened to a pane since a position; `nil` where nothing did.
  func changes(of pane: Pane, since position: Position) async throws -> ChangeSet?
  /// The number from which on it is known what happened: an earlier position may get a reset.
  func journalFloor() async throws -> Int
  /// The numbers of the events that were refused.
  func refused() async throws -> [Int]

  /// Throws or traps where anything within contradicts itself.
  func checkInvariants() async throws
  /// Is put through something, while these events get into the log without it: it must know of
  /// them afterwards, and otherwise be as it was, but for panes that are closed.
  func undergo(_ trial: StoreTrial, missing batches: [[Happening]]) async throws
}

/// What a store can do besides showing lists as they are.
enum StoreAbility: CaseIterable {
  /// It shows lists as they were.
  case travel
  /// It tells what happened since a position.
  case catchUp
  /// It tells which events were refused.
  case refusals
}

/// A pane that is open.
protocol ShownPane: Sendable {
  /// What it showed when it was opened.
  var start: Sight { get }
  /// Waits for changes, where they are not handed to a body.
  func next() async throws -> Delivery?
  /// Ends it.
  func close() async
}

/// A row that is watched.
protocol WatchedRow: Sendable {
  /// What there was when the watching began.
  var first: Row? { get }
  /// Waits for changes, where they are not handed to a body.
  func next() async throws -> RowChange?
  /// Ends it.
  func close() async
}

/// What a store must bear.
enum StoreTrial: CaseIterable {
  /// It lets go of everything, and takes it up again.
  case suspension
  /// It is closed and opened: panes are gone.
  case reopening
  /// Its views are lost, and made anew from the log.
  case rebuild
  /// The process that keeps its views is killed.
  case takeover
  /// Its views are compared with some that are made anew.
  case verification

  /// Whether panes stay open.
  var keepsPanes: Bool { self == .suspension || self == .verification || self == .takeover }
}
