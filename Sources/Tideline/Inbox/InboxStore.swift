public import EventStore
public import Foundation
import Synchronization

/// A mailbox and a rich inbox on the device: a log of what happened, and what it comes to.
///
///     let store = try await InboxStore.open(at: folder)
///     let inbox = try await store.logIn("alice@example.com", policy: .inbox)
///     let unread = try inbox.provider(MailThread.self, where: #Predicate { $0.isUnread })
///     for await change in unread.changes { table.apply(change) }
///
/// One folder holds the inboxes of all accounts of an app.
public final class InboxStore: Sendable {
  /// The log and the views.
  package let core: Store
  package let options: Options
  let randomness: Randomness
  let views: [ViewDefinition]
  let alarm = Alarm()
  /// Notices that the system's clock was set.
  let clockWatch = ClockWatch()
  /// Who compacts the log.
  let caretaker = Caretaker()
  /// What other processes leave for the log.
  let letterbox: Letterbox
  /// People log in one after the other, so that no two of them get the same account.
  let logins = Turns()
  /// The spool is drained by one after the other.
  let drains = Turns()
  /// Who reads on when it resumes.
  let wakeups = Wakeups()
  /// Makes records of what servers tell.
  let intake = Mutex(Intake())
  /// The rights to synchronize that somebody has here.
  let leases = Mutex<[Lease]>([])

  /// How a store is opened.
  public struct Options: Sendable {
    /// The views that the app declares beside the inbox's own.
    public var views: [DeclaredView] = []
    /// How log and views are opened.
    public var core: Store.Options = Store.Options()
    /// The folder in which extensions of the app leave what they were told; without it, `spool` in
    /// the store's own.
    public var spoolPath: String?
    /// How much of the log stays as it is; without it, all of it does.
    ///
    /// What is older is replaced by what it came to, while nobody needs the store; see
    /// <doc:Keeping>.
    public var retention: Retention? = Retention()
    /// What time it is; without it, what the system's clock says.
    public var now: (@Sendable () -> Date)?
    /// How long it is since some moment, by a clock that nobody sets, and by which it is noticed
    /// that `now` was set; without it, the system's, unless `now` is not the system's.
    public var uptime: (@Sendable () -> Duration)?
    /// Waits for so long, where something is due then.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Where keys and temporary ids come from.
    public var random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// The usual.
    public init() {}
  }

  private init(_ core: Store, _ options: Options, _ views: [ViewDefinition]) {
    self.core = core
    self.options = options
    self.views = views
    randomness = Randomness(options.random)
    letterbox = Letterbox(at: options.spoolPath ?? "\(core.path)/spool")
  }

  /// Opens the store in an existing folder, and makes one where the folder holds none.
  ///
  /// Views that are missing, torn, or another build's are made anew from the log. What was due
  /// meanwhile, and what extensions have left, has happened when it returns.
  ///
  /// - Throws: `StoreError`.
  public static func open(
    at path: String, options: Options = Options()
  ) async throws(StoreError) -> InboxStore {
    let reducer = InboxReducer(declaring: options.views)
    let core = try await Store.open(at: path, reducer: reducer, options: options.core)
    let store = InboxStore(core, options, reducer.views)
    try await store.finishErasing()
    await store.emptyLetterbox()
    try await store.catchUpWithClock(.opened)
    try store.alarm.start(for: store)
    await store.watchLetterbox()
    store.caretaker.start(for: store)
    return store
  }

  /// Commits, and gives back every lock, map and file until ``resume()``: before the app is
  /// suspended by the system.
  public func suspend() async {
    alarm.stop()
    letterbox.endWatching()
    caretaker.stop()
    releaseLeases()
    await core.suspend()
    // What it was at has no log any more, and gives back its right to work on it.
    await caretaker.end()
  }

  /// Opens again what ``suspend()`` gave back; providers are told what happened meanwhile.
  ///
  /// What was being erased is erased, and what extensions have left is taken in.
  ///
  /// - Throws: `StoreError`; it is suspended still, unless it is the erasure that failed, which is
  ///   finished when it is opened next.
  public func resume() async throws(StoreError) {
    try await core.resume()
    try await finishErasing()
    await emptyLetterbox()
    try await catchUpWithClock(.foreground)
    try alarm.start(for: self)
    await watchLetterbox()
    caretaker.start(for: self)
    wakeups.wake()
  }

  /// Ends everything, commits, and closes the files.
  public func close() async {
    alarm.stop()
    letterbox.endWatching()
    caretaker.stop()
    releaseLeases()
    wakeups.finish()
    await core.close()
    await caretaker.end()
  }
}
