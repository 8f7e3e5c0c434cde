import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// State protected by a lock, whose changes a thread can wait for.
///
/// For dedicated threads, never for the cooperative pool: waiting blocks.
// Proof: `state` is accessed only with `mutex` held, which the bell releases and reacquires for a
// sleeper; both are used only through their own thread-safe functions, and all else is atomic.
@safe
package final class Monitor<State>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let bell = Bell()
  private var state: State
  /// The number of threads that wait for the lock.
  private let waiting = Atomic(0)
  /// The thread that holds the lock; 0 if none does.
  private let owner = Atomic<UInt>(0)

  package init(_ state: sending State) {
    self.state = state
    var kind = pthread_mutexattr_t()
    unsafe pthread_mutexattr_init(&kind)
    #if canImport(Glibc)
      // Most critical sections are shorter than falling asleep and waking up.
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

  /// Runs `body` with exclusive access to the state.
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

  /// Whether the calling thread holds the lock, so that it must not lock again.
  package var isHeldByThisThread: Bool {
    owner.load(ordering: .relaxed) == WorkerThread.current
  }

  /// Whether a thread waits for the lock.
  package var isWanted: Bool { waiting.load(ordering: .relaxed) > 0 }

  /// Returns once the waiting threads have had the lock, or after a short limit, and offers the
  /// processor to other threads.
  ///
  /// For threads that lock again and again: the system prefers a running thread, and a waiting one
  /// must first wake up. A thread that is preempted while it holds the lock keeps all others
  /// waiting until it resumes; it had better give up the processor here.
  package func giveWay() {
    for _ in 0..<Self.turnsMax where isWanted {
      WorkerThread.sleep(.microseconds(20))
    }
    // Beside a draining outbox of 100,000, the longest read took 3.9 to 5.0 ms, and 5.2 to 9.3 ms
    // without this.
    WorkerThread.yield()
  }

  private static var turnsMax: Int { 50 }

  /// Runs `body` with exclusive access to the state; `nil` if another thread holds the lock, and
  /// still does a moment later.
  ///
  /// Waiting spins, so the moment should be much shorter than a wakeup takes.
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

  /// Waits until `ready` returns `true`, then runs `body` with exclusive access to the state.
  ///
  /// Returns `nil` if `ready` did not return `true` by the deadline.
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

  /// Makes every waiting thread check the state again.
  package func notify() {
    bell.ring()
  }

  /// Waits for a notification; returns `false` once the deadline has passed.
  private func wait(until deadline: Instant?) -> Bool {
    if let deadline, deadline <= .now { return false }
    unsafe bell.sleep(until: deadline, mutex)
    return true
  }
}
