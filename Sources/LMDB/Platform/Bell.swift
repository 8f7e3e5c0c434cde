import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A condition that threads sleep on until it is rung, each holding a lock before and after.
///
/// On Linux this uses the kernel directly: a condition variable of glibc before 2.41 can fail to
/// wake a thread (its bug 25847), and a thread that sleeps forever stalls a store. Here, that would
/// take four billion rings while one thread falls asleep.
///
/// The owner must call `giveBack()`.
@safe
struct Bell {
  #if canImport(Darwin)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() { unsafe pthread_cond_init(condition, nil) }

    func giveBack() {
      unsafe pthread_cond_destroy(condition)
      unsafe condition.deallocate()
    }

    /// Wakes all sleepers; the change to be seen must have been made under the lock before.
    func ring() { unsafe pthread_cond_broadcast(condition) }

    /// Releases the lock, sleeps until the bell rings, the deadline passes, or a spurious wakeup,
    /// and reacquires the lock.
    func sleep(until deadline: Instant?, _ lock: UnsafeMutablePointer<pthread_mutex_t>) {
      guard let deadline else {
        _ = unsafe pthread_cond_wait(condition, lock)
        return
      }
      var time = timespec(nanoseconds: max(0, deadline.nanoseconds &- Instant.now.nanoseconds))
      _ = unsafe pthread_cond_timedwait_relative_np(condition, lock, &time)
    }
  #else
    private let bell = UnsafeMutablePointer<tideline_bell>.allocate(capacity: 1)

    init() { unsafe bell.initialize(to: tideline_bell()) }

    func giveBack() { unsafe bell.deallocate() }

    /// Wakes all sleepers; the change to be seen must have been made under the lock before.
    func ring() { unsafe tideline_bell_ring(bell) }

    /// Releases the lock, sleeps until the bell rings, the deadline passes, or a spurious wakeup,
    /// and reacquires the lock.
    func sleep(until deadline: Instant?, _ lock: UnsafeMutablePointer<pthread_mutex_t>) {
      let rings = unsafe tideline_bell_begin(bell)
      unsafe pthread_mutex_unlock(lock)
      unsafe tideline_bell_sleep(bell, rings, deadline?.nanoseconds ?? -1)
      unsafe pthread_mutex_lock(lock)
      unsafe tideline_bell_end(bell)
    }
  #endif
}
