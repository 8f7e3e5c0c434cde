import EventStore
import Synchronization
public import Tideline

/// Keeps an inbox in step with its server: asks for what is new, and sends what the person wants.
///
///     let sync = Sync(inbox, with: InboxServer(url), tokens: login)
///     sync.start()
///     for await status in sync.statuses() { banner.show(status) }
///
/// Hold it for as long as it is to work: it ends when it is let go. Nothing that it knows has to be
/// saved: what is to be asked and sent next is read from the log, so it may end at any moment, and
/// another begin. It waits while the store is suspended; where that can't record
/// what comes of it, it says so in its status, and tries again. Of several for an inbox, in
/// whichever processes, one is at work, and the others wait until that one ends.
public final class Sync: Sendable {
  /// The inbox that is kept in step.
  public let inbox: Inbox
  let server: any Server
  let tokens: (any TokenSource)?
  let interval: Duration?
  let state = Mutex(State())
  let events: AsyncStream<Occurrence>
  let feed: AsyncStream<Occurrence>.Continuation

  /// Something that happens.
  enum Occurrence: Sendable {
    /// Something was said around the app, as ``Hints`` has it.
    case hint
    /// Something else, which the machine of an era has asked for, where one has.
    case event(SyncEvent, era: Int?)
  }

  /// What shows the server who asks.
  struct Pass: Sendable {
    var token: Token?
    /// How many were given until it.
    var number = 0
  }

  struct State {
    var pass = Pass()
    /// What is around the app, as far as it was told.
    var surroundings = Surroundings()
    var hints = Hints()
    var sleep: Task<Void, Never>?
    var work: [Int: Task<Void, Never>] = [:]
    var follows: [Int: Following] = [:]
    var lastID = 0
    var isWoken = false
    /// Whether what somebody else records to be sent is recorded as begun as soon as it is seen.
    var isReady = false
    var era = 0
    var run: Task<Void, Never>?
    var status = SyncStatus()
    var uploads: [Int: SyncStatus.Upload] = [:]
    var readers: [Int: AsyncStream<SyncStatus>.Continuation] = [:]
    var waiting: [CatchUp] = []
    var askers = Askers()
    var isOver = false
    /// Whether nobody is logged in for whom anything could be kept in step.
    var isOff = false
    /// Whether what was recorded last did not get into the log.
    var hasFailed = false
    /// How often the store could not be used, one time after the other.
    var pauses = 0
    /// The right to synchronize, while it does.
    var lease: Lease?
    /// Ends looking for that right, while somebody else has it.
    var endWatch: (@Sendable () -> Void)?
    /// What has it begin again, while the store can't be used.
    var pause: Wakeup?
  }

  /// A stream that is followed.
  struct Following: Sendable {
    let task: Task<Void, Never>
    /// Has the next be taken of what it tells.
    let goOn: AsyncStream<Void>.Continuation
  }

  /// One that has not begun.
  ///
  /// - Parameters:
  ///   - inbox: The inbox. Everything is asked and sent under its present login, and nothing more
  ///     once that has ended, but for what was to be flushed.
  ///   - server: Its server.
  ///   - tokens: Where tokens come from, for a server that wants one.
  ///   - interval: After how long the server is asked again in the foreground; without it only when
  ///     something calls for it.
  public init(
    _ inbox: Inbox, with server: any Server, tokens: (any TokenSource)? = nil,
    every interval: Duration? = nil
  ) {
    (self.inbox, self.server, self.tokens, self.interval) = (inbox, server, tokens, interval)
    (events, feed) = AsyncStream.makeStream()
  }

  deinit { stop() }

  /// Begins: asks for a token, for what is new, and sends what was not sent, until ``stop()`` or
  /// until this object is let go.
  ///
  /// Until ``note(_:)`` says otherwise the app counts as in the foreground, and as having a
  /// network. A second time it does nothing.
  public func start() {
    state.withLock { state in
      guard state.run == nil, !state.isOver else { return }
      state.run = Task { [weak self, events] in await Self.run({ self }, events) }
    }
  }

  /// Ends everything that is under way, for ever.
  ///
  /// What the server did not answer to is asked anew by the next one.
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
    old.endWork()
    old.readers.values.forEach { $0.finish() }
    old.waiting.forEach { $0.answer.resume(throwing: CancellationError()) }
    old.askers.end()
  }

  /// Has the store be tried again, if it could not be used.
  func endPause() { state.withLock { $0.pause }?.wake() }

  /// Says that something happened around the app; a hint, never needed for correctness.
  ///
  /// What was said is known as long as this object is there, also before ``start()``. Of what is
  /// said until it is taken in only the last counts.
  public func note(_ circumstance: Circumstance) {
    if circumstance == .foreground(true) { endPause() }
    hint { state in
      switch circumstance {
      case .foreground(let isForeground):
        (state.surroundings.isForeground, state.hints.isForeground) = (isForeground, isForeground)
      case .network(let isThere):
        (state.surroundings.isOnline, state.hints.isOnline) = (isThere, isThere)
      case .push: state.hints.isPushed = true
      }
    }
  }

  /// Notes what was said, and has it be taken in.
  func hint(_ note: (inout State) -> Void) {
    state.withLock { state in
      guard !state.isOver else { return }
      let isFirst = state.hints.isEmpty
      note(&state)
      if isFirst { feed.yield(.hint) }
    }
  }

  /// What happens around an app.
  public enum Circumstance: Sendable, Hashable {
    /// It came to the foreground, or left it.
    case foreground(Bool)
    /// There is a network, or there is none any more.
    case network(Bool)
    /// A push said that there is something new, of which the store was not told: one that it is
    /// told of leads to a refresh by itself.
    case push
  }
}
