public import EventStore
public import Foundation
import Synchronization

/// A mailbox and a rich inbox on the device: a log of events, and the state that follows from it.
///
///     let store = try await InboxStore.open(at: folder)
///     let inbox = try await store.logIn("alice@example.com", policy: .inbox)
///     let unread = try inbox.provider(MailThread.self, where: #Predicate { $0.isUnread })
///     for await change in unread.changes { table.apply(change) }
///
/// One folder contains the inboxes of all accounts of an app.
public final class InboxStore: Sendable {
  /// The log and the views.
  package let core: Store
  package let options: Options
  let randomness: Randomness
  let views: [ViewDefinition]
  let alarm = Alarm()
  /// Detects that the system's clock was set.
  let clockWatch = ClockWatch()
  /// Compacts the log.
  let caretaker = Caretaker()
  /// Receives what other processes leave for the log.
  let pushSpool: PushSpool
  /// Serializes logins, so that no two people get the same account.
  let logins = Turns()
  /// Serializes draining of the spool.
  let drains = Turns()
  /// Readers that continue when the store is open again.
  let wakeups = Wakeups()
  /// Turns what servers say into records.
  let intake = Mutex(Intake())
  /// The last record before this store was opened.
  let lastBefore: RecordNumber
  /// The leases to synchronize that are held in this store.
  let leases = Mutex<[(lease: Lease, onEnd: @Sendable () -> Void)]>([])

  /// Options for opening a store.
  public struct Options: Sendable {
    /// The views that the app declares in addition to the inbox's own.
    public var views: [DeclaredView] = []
    /// Options for the log and the views.
    public var core: Store.Options = Store.Options()
    /// The folder in which the app's extensions leave pushes; without it, `spool` in the store's
    /// folder.
    public var spoolPath: String?
    /// The part of the log that stays as it is; `nil` keeps all of it.
    ///
    /// Older records are replaced by the state that they led to, in the background; see
    /// <doc:Keeping>.
    public var retention: Retention? = Retention()
    /// Returns the present time; without it, the system's clock does.
    public var now: (@Sendable () -> Date)?
    /// Returns the time since some moment, by a clock that can't be set and so reveals changes of
    /// `now`.
    ///
    /// Without it, the system's is used, unless `now` is not the system's.
    public var uptime: (@Sendable () -> Duration)?
    /// Waits for a duration, after which something is due.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// The source of keys and temporary ids.
    public var random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// The defaults.
    public init() {}
  }

  private init(_ core: Store, _ options: Options, _ views: [ViewDefinition]) {
    self.core = core
    self.options = options
    self.views = views
    randomness = Randomness(options.random)
    pushSpool = PushSpool(at: options.spoolPath ?? "\(core.path)/spool")
    lastBefore = (try? core.log.last) ?? core.lastShown
  }

  /// Opens the store in an existing folder, and creates one if the folder contains none.
  ///
  /// Views that are missing, damaged, or from another build are rebuilt from the log. When this
  /// returns, everything that came due meanwhile has happened, and what extensions left is
  /// recorded; if the log can't be written, both happen as soon as it can.
  ///
  /// - Throws: `StoreError`. With `LogError.notPermitted` within, the system denies access to the
  ///   files, as to protected ones before the device is first unlocked: keep them, and open the
  ///   store again later.
  public static func open(
    at path: String, options: Options = Options()
  ) async throws(StoreError) -> InboxStore {
    let reducer = InboxReducer(declaring: options.views)
    let core = try await Store.open(at: path, reducer: reducer, options: options.core)
    let store = InboxStore(core, options, reducer.views)
    let last = store.lastRecordedAt
    try await store.finishErasing()
    try await store.start(.opened, after: last)
    return store
  }

  /// Starts what goes on while the store is open.
  ///
  /// - Parameter last: The time of the last record made before the store was opened, if it was
  ///   opened now.
  private func start(_ reason: ClockReason, after last: Timestamp? = nil) async throws(StoreError) {
    await emptyLetterbox()
    let earlier = reason == .opened ? [last, lastRecordedAt].compactMap(\.self) : []
    // What can't be recorded, as on a full disk, keeps nobody from reading; the alarm tries again.
    try? await catchUpWithClock(reason, after: earlier)
    try alarm.start(for: self)
    await watchLetterbox()
    caretaker.start(for: self)
    if core.isLeft { pause() }
  }

  /// Stops what goes on while the store is open.
  private func pause() {
    alarm.stop()
    pushSpool.endWatching()
    caretaker.stop()
    releaseLeases()
  }

  /// Commits, and releases every lock, mapping and file until ``resume()``; call this before the
  /// system suspends the app.
  ///
  /// Meanwhile providers and live objects keep what they show, receipts wait, and everything else
  /// throws `StoreError.closed`: resume the store before passing it a push or a tap on a
  /// notification.
  public func suspend() async {
    pause()
    await core.suspend()
    // A resumption that was under way may have started it again.
    if core.isLeft { pause() }
    // Without a log, the caretaker's work ends, and its lease is released.
    await caretaker.end()
  }

  /// Reopens what ``suspend()`` released; providers then deliver what happened meanwhile.
  ///
  /// Finishes an erasure that was interrupted, and records what extensions left.
  ///
  /// - Throws: `StoreError`. The store is then still suspended, unless it was the erasure that
  ///   failed: the store is then open, and the next opening finishes the erasure.
  public func resume() async throws(StoreError) {
    var failure: StoreError?
    do throws(StoreError) {
      try await core.resume()
      try await finishErasing()
    } catch {
      guard (try? core.log) != nil else { throw error }
      failure = error
    }
    do throws(StoreError) { try await start(.foreground) } catch {
      await suspend()
      throw error
    }
    wakeups.wake()
    if let failure { throw failure }
  }

  /// Stops all work, commits, and closes the files.
  public func close() async {
    pause()
    wakeups.finish()
    await core.close()
    if core.isLeft { pause() }
    await caretaker.end()
  }
}
