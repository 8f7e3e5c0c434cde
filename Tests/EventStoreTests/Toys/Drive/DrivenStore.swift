import EventStore

/// A store with a toy's views, as random histories drive it.
protocol DrivenStore<Happening>: Sendable {
  associatedtype Happening: Sendable
  associatedtype Shown: ShownPane
  associatedtype Watched: WatchedRow

  /// What the store can do besides showing lists as they are.
  var abilities: Set<StoreAbility> { get }
  /// The trials that the store can be put through.
  var trials: [StoreTrial] { get }

  /// Appends all batches at once; returns when they are durable and shown.
  ///
  /// - Returns: The number of the first event of each batch.
  func append(_ batches: [[Happening]]) async throws -> [Int]
  /// Returns the position after an event.
  func position(at number: Int) async throws -> Position
  /// Opens a pane that hands its changes to a body, or is asked for them if there is none.
  func show(
    _ pane: Pane, handing body: (@Sendable (Delivery) -> Void)?
  ) async throws -> Shown

  /// Moves an open pane to another window of its list, and makes it report the difference.
  func change(_ shown: Shown, to pane: Pane) async throws

  /// Watches a row of the first collection, which hands its changes to a body, or is asked for them
  /// if there is none.
  func watch(
    _ id: String, handing body: (@Sendable (RowChange) -> Void)?
  ) async throws -> Watched

  /// Returns what a pane shows now.
  func sight(of pane: Pane) async throws -> Sight
  /// Returns the rank of a row in the pane's whole list.
  func rank(of id: String, in pane: Pane) async throws -> Int?
  /// Returns what a pane showed after an event.
  func sight(of pane: Pane, at number: Int) async throws -> Sight
  /// Returns the changes of a pane since a position, or `nil` where nothing happened.
  func changes(of pane: Pane, since position: Position) async throws -> ChangeSet?
  /// Returns the number from which on changes are known; an earlier position may get a reset.
  func journalFloor() async throws -> Int
  /// Returns the numbers of the refused events.
  func refused() async throws -> [Int]

  /// Throws or traps if the store's internal state contradicts itself.
  func checkInvariants() async throws
  /// Puts the store through a trial, while these events get into the log without it.
  ///
  /// Afterwards the store must know the events, and otherwise be as before, except that panes may
  /// be closed.
  func undergo(_ trial: StoreTrial, missing batches: [[Happening]]) async throws
}

/// What a store can do besides showing lists as they are.
enum StoreAbility: CaseIterable {
  /// Showing lists as they were.
  case travel
  /// Telling what happened since a position.
  case catchUp
  /// Telling which events were refused.
  case refusals
}

/// An open pane.
protocol ShownPane: Sendable {
  /// What the pane showed when it was opened.
  var start: Sight { get }
  /// Waits for changes, unless they are handed to a body.
  func next() async throws -> Delivery?
  /// Closes the pane.
  func close() async
}

/// A watched row.
protocol WatchedRow: Sendable {
  /// The row as it was when watching began.
  var first: Row? { get }
  /// Waits for changes, unless they are handed to a body.
  func next() async throws -> RowChange?
  /// Ends the watching.
  func close() async
}

/// A trial that a store must bear.
enum StoreTrial: CaseIterable {
  /// The store releases everything, and takes it up again.
  case suspension
  /// The store is closed and reopened, which ends all panes.
  case reopening
  /// The views are lost, and rebuilt from the log.
  case rebuild
  /// The process that keeps the views is killed.
  case takeover
  /// The views are compared with newly made ones.
  case verification

  /// Whether panes stay open.
  var keepsPanes: Bool { self == .suspension || self == .verification || self == .takeover }
}
