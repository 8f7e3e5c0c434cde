import LMDB
import Synchronization

/// How a process obtains the views that it shows: it keeps them, or follows the process that keeps
/// them until that process releases the lease or ends, and then takes over.
final class ViewsUpkeep: Sendable {
  /// The pause before a process that can neither keep views nor find any looks again.
  private static let pause = Duration.milliseconds(10)

  /// The relation of this process to the views.
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
  /// Serializes the taking and releasing of roles.
  private let turns = Turns()
  private var folder: ViewsFolder { opening.folder }

  /// Creates an upkeep without a role; see ``begin()``.
  init(_ opening: FollowerOpening) { self.opening = opening }

  /// Waits until ``begin()`` finds a role to take.
  ///
  /// - Throws: If another process has held the lease for longer than
  ///   ``StoreOptions/keeperPatience``: `otherRules` if the views it keeps are made by other rules,
  ///   `busy` if it has made none yet.
  func waitForRole() async throws {
    let deadline = Instant.now + opening.options.keeperPatience
    while try await !onThread({ [self] in try begin() }).get() {
      guard Instant.now < deadline else { throw opening.refusal() }
      try await Task.sleep(for: Self.pause)
    }
  }

  /// Whether this process keeps the views.
  var isKeeping: Bool { keeper != nil }

  /// The keeper of the views, if it is in this process.
  var keeper: Keeper? {
    guard case .keeper(let keeper)? = state.withLock({ $0.role }) else { return nil }
    return keeper
  }

  /// The reason that nothing more is shown, if so.
  var failure: StoreError? {
    let (role, failure) = state.withLock { ($0.role, $0.failure) }
    switch role {
    case .keeper(let keeper): return keeper.failure
    case .follower(let follower): return follower.failure ?? failure
    case nil: return failure
    }
  }

  /// The records that are skipped because reducing them ended a process.
  var skipped: [RecordNumber] {
    switch state.withLock({ $0.role }) {
    case .keeper(let keeper): keeper.skipped
    case .follower(let follower): follower.skipped
    case nil: []
    }
  }

  /// The open generation, if any.
  var views: OpenViews? {
    switch state.withLock({ $0.role }) {
    case .keeper(let keeper): keeper.current
    case .follower(let follower): follower.current
    case nil: nil
    }
  }

  /// Waits until a record is reduced, or until no more will be; returns whether everything up to
  /// the record is reduced, apart from unreadable records.
  func reduced(upTo number: RecordNumber) async -> Bool {
    switch state.withLock({ $0.role }) {
    case .keeper(let keeper): await keeper.pipeline.reduced(upTo: number)
    case .follower(let follower): await follower.pipeline.reduced(upTo: number)
    case nil: false
    }
  }

  /// Waits until everything now in the log is committed, by whichever process.
  func commit() throws {
    switch state.withLock({ $0.role }) {
    case .keeper(let keeper): try keeper.commit()
    case .follower(let follower):
      try follower.commit()
      try commitIfKeeping()
    case nil: break
    }
  }

  /// Waits for any takeover, and commits if this process is now the keeper.
  private func commitIfKeeping() throws {
    while state.withLock({ $0.isTakingOver }) { WorkerThread.sleep(.milliseconds(1)) }
    if let keeper { return try keeper.commit() }
    if let failure { throw failure }
  }

  /// Ends ongoing work, commits if this process keeps the views, and releases everything.
  func stop() async { await stopKeepingLease()?.release() }

  /// Works like ``stop()``, but returns the lease, still held, if this process kept the views.
  ///
  /// Returns `nil` if another process has it.
  func stopKeepingLease() async -> Lease? {
    state.withLock { $0.isStopping = true }
    let watch = endWatch()
    let lease = await turns.take { [self] () -> Lease? in
      switch state.withLock({ $0.role.take() }) {
      case .keeper(let keeper):
        await keeper.stop()
        // A keeper whose views failed has released it.
        return keeper.lease.isHeld ? keeper.lease : try? folder.tryTakeLease()
      case .follower(let follower): await follower.stop()
      case nil: break
      }
      return nil
    }
    // The watch may still be probing the lease, which nobody may hold from now on.
    if let watch { _ = await onThread { watch.waitForEnd() } }
    return lease
  }

  /// Stops watching for the keeper to release the lease.
  @discardableResult
  private func endWatch() -> FileWatch? {
    let watch = state.withLock { $0.watch.take() }
    watch?.stop()
    return watch
  }
}

extension ViewsUpkeep {
  /// Takes a role, as keeper or follower; returns `false` if none is available yet.
  ///
  /// This blocks, so don't call it on the cooperative pool.
  ///
  /// - Parameter lease: The lease, if this process has it already.
  func begin(_ lease: Lease? = nil) throws -> Bool {
    if let lease = try lease ?? folder.tryTakeLease() {
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

  /// Starts watching for the keeper to release the lease, or end.
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
    // A process that can't write the log can't keep its views.
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
      // What is shown advances no further, without a retry: reopening the store says why.
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
