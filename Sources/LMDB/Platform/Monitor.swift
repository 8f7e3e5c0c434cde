import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// State behind a lock, on whose changes a thread can wait.
///
/// For threads of their own, never for the cooperative pool: waiting blocks.
// Proof: `state` is touched only by who has `mutex`, which the bell gives back and takes again for
// who sleeps; both are used through their own thread-safe functions only, and all else is atomic.
@safe
package final class Monitor<State>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let bell = Bell()
  private var state: State
  /// How many threads wait for the lock.
  private let waiting = Atomic(0)
  /// The thread that has the lock; 0 where none has it.
  private let owner = Atomic<UInt>(0)

  package init(_ state: sending State) {
    self.state = state
    var kind = pthread_mutexattr_t()
    unsafe pthread_mutexattr_init(&kind)
    #if canImport(Glibc)
      // Most have the state for less time than it takes to fall asleep and to wake up.
      unsafe pthread_mutexattr_settype(&kind, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
    #endif
    unsafe pthread_mutex_init(mutex, &kind)
    unsafe pthread_mutexattr_destroy(&kind)
  }

  deinit {
    bell.giveBack()
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Runs `body` with the state to itself.
  package func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    enter()
    defer { leave() }
    return try body(&state)
  }

  private func enter() {
    if unsafe pthread_mutex_trylock(mutex) != 0 {
      waiting.add(1, ordering: .relaxed)
      unsafe pthread_mutex_lock(mutex)
      waiting.subtract(1, ordering: .relaxed)
    }
    owner.store(WorkerThread.current, ordering: .relaxed)
  }

  private func leave() {
    owner.store(0, ordering: .relaxed)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Whether the calling thread has the state, so that it must not ask for it again.
  package var isHeldByThisThread: Bool {
    owner.load(ordering: .relaxed) == WorkerThread.current
  }

  /// Whether somebody waits for the lock.
  package var isWanted: Bool { waiting.load(ordering: .relaxed) > 0 }

  /// Returns once those have the state who waited for it, or soon anyway.
  ///
  /// For who takes the lock again and again: the system lets whoever runs have it first, and a
  /// thread that has waited must wake up before it can.
  package func giveWay() {
    for _ in 0..<Self.turnsMax where isWanted {
      WorkerThread.sleep(.microseconds(20))
    }
  }

  private static var turnsMax: Int { 50 }

  /// Runs `body` with the state to itself, or returns `nil` where someone else has it, and has it
  /// still a moment later.
  ///
  /// Who waits stays awake, so the moment is to be much shorter than waking up takes.
  package func withLockIfAvailable<R, E: Error>(
    within moment: Duration = .zero, _ body: (inout State) throws(E) -> R
  ) throws(E) -> R? {
    guard enterIfAvailable(within: moment) else { return nil }
    owner.store(WorkerThread.current, ordering: .relaxed)
    defer { leave() }
    return try body(&state)
  }

  private func enterIfAvailable(within moment: Duration) -> Bool {
    if unsafe pthread_mutex_trylock(mutex) == 0 { return true }
    guard moment > .zero else { return false }
    waiting.add(1, ordering: .relaxed)
    defer { waiting.subtract(1, ordering: .relaxed) }
    let end = Instant.now + moment
    repeat {
      sched_yield()
      if unsafe pthread_mutex_trylock(mutex) == 0 { return true }
    } while Instant.now < end
    return false
  }

  /// Waits until `ready` holds, then runs `body` with the state to itself.
  ///
  /// Returns `nil` where `ready` did not hold by the deadline.
  package func withLock<R, E: Error>(
    until deadline: Instant? = nil, when ready: (inout State) -> Bool,
    _ body: (inout State) throws(E) -> R
  ) throws(E) -> R? {
    unsafe pthread_mutex_lock(mutex)
    defer { leave() }
    while !ready(&state) {
      guard wait(until: deadline) else { return nil }
    }
    owner.store(WorkerThread.current, ordering: .relaxed)
    return try body(&state)
  }

  /// Has every waiting thread look at the state again.
  package func notify() {
    bell.ring()
  }

  /// Waits to be notified; `false` when the deadline has passed.
  private func wait(until deadline: Instant?) -> Bool {
    if let deadline, deadline <= .now { return false }
    unsafe bell.sleep(until: deadline, mutex)
    return true
  }
}
