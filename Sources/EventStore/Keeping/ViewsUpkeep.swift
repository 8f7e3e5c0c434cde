import LMDB
import Synchronization

/// How a process comes by the views that it shows: it keeps them, or follows the process that does,
/// until that one gives up the lease or ends; then it takes over.
final class ViewsUpkeep: Sendable {
  /// How long a process that may neither keep views nor finds any waits before it looks again.
  private static let pause = Duration.milliseconds(10)

  /// What this process is to the views.
  enum Role: Sendable {
    case keeper(Keeper)
    case follower(Follower)
  }

  private struct State {
    var role: Role?
    var failure: StoreError?
    var watch: FileWatch?
    var isTakingOver = false
    var isStopping = false
  }

  private let opening: FollowerOpening
  private let state = Mutex(State())
  /// In which roles are taken up and given back.
  private let turns = Turns()
  private var folder: ViewsFolder { opening.folder }

  /// Nothing to the views yet; see ``begin()``.
  init(_ opening: FollowerOpening) { self.opening = opening }

  /// Returns once ``begin()`` found a role to take up.
  ///
  /// - Throws: Where another process has had the lease for longer than
  ///   ``StoreOptions/keeperPatience``: `otherRules` where it keeps views that are made otherwise,
  ///   `busy` where it has made none yet.
  func waitForRole() async throws {
    let deadline = Instant.now + opening.options.keeperPatience
    while try await !onThread({ [self] in try begin() }).get() {
      guard Instant.now < deadline else { throw opening.refusal() }
      try await Task.sleep(for: Self.pause)
    }
  }

  /// Whether this process keeps the views.
  var isKeeping: Bool { keeper != nil }

  /// The keeper of the views, where it is this process.
  var keeper: Keeper? {
    guard case .keeper(let keeper)? = state.withLock({ $0.role }) else { return nil }
    return keeper
  }

  /// Why nothing more is shown, where that is so.
  var failure: StoreError? {
    let (role, failure) = state.withLock { ($0.role, $0.failure) }
    switch role {
    case .keeper(let keeper): return keeper.failure
    case .follower(let follower): return follower.failure ?? failure
    case nil: return failure
    }
  }

  /// The records that are left out, since reducing them ended a process.
  var skipped: [RecordNumber] {
    switch state.withLock({ $0.role }) {
    case .keeper(let keeper): keeper.skipped
    case .follower(let follower): follower.skipped
    case nil: []
    }
  }

  /// The generation that is open, where there is one.
  var views: OpenViews? {
    switch state.withLock({ $0.role }) {
    case .keeper(let keeper): keeper.current
    case .follower(let follower): follower.current
    case nil: nil
    }
  }

  /// Returns once a record is reduced, or nothing more is going to be; says whether everything up
  /// to it is, but for what can't be read.
  func reduced(upTo number: RecordNumber) async -> Bool {
    switch state.withLock({ $0.role }) {
    case .keeper(let keeper): await keeper.pipeline.reduced(upTo: number)
    case .follower(let follower): await follower.pipeline.reduced(upTo: number)
    case nil: false
    }
  }

  /// Returns once everything that is in the log now is committed, by whichever process.
  func commit() throws {
    switch state.withLock({ $0.role }) {
    case .keeper(let keeper): try keeper.commit()
    case .follower(let follower):
      try follower.commit()
      try commitIfKeeping()
    case nil: break
    }
  }

  /// Returns once what a follower had left to do is committed, who is keeper by now.
  private func commitIfKeeping() throws {
    while state.withLock({ $0.isTakingOver }) { WorkerThread.sleep(.milliseconds(1)) }
    if let keeper { return try keeper.commit() }
    if let failure { throw failure }
  }

  /// Ends what is going on, commits where views are kept, and gives everything back.
  func stop() async {
    state.withLock { $0.isStopping = true }
    let watch = endWatch()
    await turns.take { [self] in
      switch state.withLock({ $0.role.take() }) {
      case .keeper(let keeper): await keeper.stop()
      case .follower(let follower): await follower.stop()
      case nil: break
      }
    }
    // It may be looking at the lease, which nobody is to hold.
    if let watch { _ = await onThread { watch.waitForEnd() } }
  }

  /// From now on it is not noticed any more when the keeper gives up the lease.
  @discardableResult
  private func endWatch() -> FileWatch? {
    let watch = state.withLock { $0.watch.take() }
    watch?.stop()
    return watch
  }
}

extension ViewsUpkeep {
  /// Takes up a role, keeping the views or following who does; `false` where there is none to take
  /// up yet.
  ///
  /// It blocks: not for the cooperative pool.
  func begin() throws -> Bool {
    if let lease = try folder.tryTakeLease() {
      do { try keep(KeeperOpening(opening, lease).open()) } catch {
        lease.release()
        throw error
      }
      return true
    }
    return try follow()
  }

  private func keep(_ keeper: Keeper) throws {
    try keeper.start()
    state.withLock { $0.role = .keeper(keeper) }
  }

  private func follow() throws -> Bool {
    let opened = try Follower(opening) { [weak self, folder] in
      if (try? Lease.isFree(in: folder.folder)) == true { self?.takeOver() }
    }
    guard let follower = opened else { return false }
    try follower.start()
    state.withLock { $0.role = .follower(follower) }
    watchLease()
    return true
  }

  /// From now on it is noticed when the keeper gives up the lease, or ends.
  private func watchLease() {
    let path = folder.folder.path(of: Lease.file)
    state.withLock { state in
      guard state.watch == nil, !state.isStopping else { return }
      state.watch = FileWatch(path, for: .unlocking) { [weak self, folder] in
        if Lease.isFreeSoon(in: folder.folder) { self?.takeOver() }
      }
    }
  }

  private func takeOver() {
    // Who can't write the log can't keep its views.
    guard !opening.log.options.isReadOnly else { return }
    let isFirst = state.withLock { state in
      guard !state.isTakingOver, !state.isStopping, state.failure == nil else { return false }
      state.isTakingOver = true
      return true
    }
    guard isFirst else { return }
    Task {
      await turns.take { [self] in
        await becomeKeeper()
        state.withLock { $0.isTakingOver = false }
      }
    }
  }

  private func becomeKeeper() async {
    guard case .follower(let follower)? = state.withLock({ $0.isStopping ? nil : $0.role }),
      let lease = try? folder.tryTakeLease()
    else { return }
    await follower.pause()
    let opening = KeeperOpening(opening, lease)
    do {
      try await onThread { [self] in try keep(opening.takeOver(from: follower)) }.get()
    } catch {
      // What is shown goes no further, and it is not tried again: opening the store again says why.
      state.withLock { $0.failure = StoreError(error, path: folder.folder.path) }
      lease.release()
    }
    endWatch()
  }
}

extension KeeperOpening {
  fileprivate init(_ opening: FollowerOpening, _ lease: Lease) {
    self.init(
      log: opening.log, folder: opening.folder, lease: lease, definitions: opening.definitions,
      stage: opening.stage, options: opening.options)
  }
}
