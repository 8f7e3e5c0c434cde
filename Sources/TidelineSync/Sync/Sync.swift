import EventStore
import Synchronization
public import Tideline

/// Keeps an inbox in step with its server: requests news and sends what the person wants.
///
///     let sync = Sync(inbox, with: InboxServer(url), tokens: login)
///     sync.start()
///     for await status in sync.statuses { banner.show(status) }
///
/// Keep this object as long as synchronization should run; releasing it ends that. It has no state
/// to save: what to ask and send next comes from the log, so synchronization may end at any moment
/// and another may begin. It pauses while the store is suspended. If the store can't record
/// results, the status says so and synchronization tries again. If several objects synchronize one
/// inbox, in any processes, one works and the others wait until it ends.
public final class Sync: Sendable {
  /// The inbox that is kept in step.
  public let inbox: Inbox
  let server: any Server
  let tokens: (any TokenSource)?
  let interval: Duration?
  let state = Mutex(State())
  let events: AsyncStream<Occurrence>
  let feed: AsyncStream<Occurrence>.Continuation

  /// An input of the event loop.
  enum Occurrence: Sendable {
    /// A hint, as stored in ``Hints``.
    case hint
    /// Another event, with the era of the machine that asked for it, if one did.
    case event(SyncEvent, era: Int?)
  }

  /// The token to show to the server.
  struct Pass: Sendable {
    var token: Token?
    /// The number of tokens received up to this one.
    var number = 0
  }

  struct State {
    /// The login that it serves, once it has begun: its tokens are for no later one.
    var login: Login?
    var pass = Pass()
    /// The environment of the app, as far as it was reported.
    var surroundings = Surroundings()
    /// What the previous machine left.
    var handover = Handover()
    var hints = Hints()
    var work = SyncWork()
    var board = StatusBoard()
    var lastID = 0
    var isWoken = false
    /// Whether new intents of others can be recorded as started as soon as they are seen.
    var isReady = false
    var era = 0
    var run: Task<Void, Never>?
    var waiting: [CatchUp] = []
    /// The number of the store's setbacks by which the callers' positions were examined.
    var setbacks = 0
    var askers = Askers()
    var isOver = false
    /// Whether nobody is logged in to keep in step.
    var isOff = false
    /// Whether the last records failed to reach the log.
    var hasFailed = false
    /// The number of consecutive failures to use the store.
    var pauses = 0
    /// Restarts synchronization, while the store can't be used.
    var pause: Wakeup?
  }

  /// Creates a synchronization that has not begun.
  ///
  /// - Parameters:
  ///   - inbox: The inbox. Everything is asked and sent under its current login. After that has
  ///     ended, only operations to be flushed are sent; a later login needs another
  ///     synchronization, with its own tokens.
  ///   - server: The inbox's server.
  ///   - tokens: The source of tokens, if the server needs them.
  ///   - interval: The interval between refreshes in the foreground; if `nil`, refreshes happen
  ///     only when there is a reason.
  public init(
    _ inbox: Inbox, with server: any Server, tokens: (any TokenSource)? = nil,
    every interval: Duration? = nil
  ) {
    (self.inbox, self.server, self.tokens, self.interval) = (inbox, server, tokens, interval)
    (events, feed) = AsyncStream.makeStream()
  }

  deinit { stop() }

  /// Begins synchronization until ``stop()`` or until this object is released.
  ///
  /// It requests a token and news and sends whatever was not sent. Unless ``note(_:)`` reports
  /// otherwise, the app counts as in the foreground with a network. Calling it again has no effect.
  public func start() {
    state.withLock { state in
      guard state.run == nil, !state.isOver else { return }
      state.run = Task { [weak self, events] in await Self.run({ self }, events) }
    }
  }

  /// Ends all work permanently.
  ///
  /// The next synchronization asks again for whatever the server did not answer.
  public func stop() {
    feed.finish()
    let old = state.withLock { state in
      defer {
        state = State()
        state.isOver = true
      }
      return state
    }
    old.run?.cancel()
    old.work.end()
    old.board.finish()
    old.waiting.forEach { $0.answer.resume(throwing: CancellationError()) }
    old.askers.end()
  }

  /// Retries the store, if it could not be used.
  func endPause() { state.withLock { $0.pause }?.wake() }

  /// Reports a change around the app; a hint that correctness never depends on.
  ///
  /// Reported states are kept for the life of this object, including before ``start()``. Of hints
  /// not handled yet, only the latest of each kind counts.
  public func note(_ circumstance: Circumstance) {
    if circumstance == .foreground(true) { endPause() }
    hint { state in
      switch circumstance {
      case .foreground(let isForeground):
        (state.surroundings.isForeground, state.hints.isForeground) = (isForeground, isForeground)
      case .network(let isThere):
        state.surroundings.isOnline = isThere
        state.hints.connect(isThere)
      case .push: state.hints.isPushed = true
      }
    }
  }

  /// Returns an id that nothing else of this object has.
  func newID() -> Int {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  /// Stores a hint and triggers its handling.
  func hint(_ note: (inout State) -> Void) {
    state.withLock { state in
      guard !state.isOver else { return }
      let isFirst = state.hints.isEmpty
      note(&state)
      if isFirst { feed.yield(.hint) }
    }
  }

  /// A change around an app.
  public enum Circumstance: Sendable, Hashable {
    /// The app entered or left the foreground.
    case foreground(Bool)
    /// The network became available or unavailable.
    case network(Bool)
    /// A push announced news, but was not passed to the store.
    ///
    /// A push that the store receives leads to a refresh by itself.
    case push
  }
}
