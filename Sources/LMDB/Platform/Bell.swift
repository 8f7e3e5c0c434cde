import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What threads sleep at, each having a lock before and again behind it, until it is rung.
///
/// On Linux the kernel is asked itself: a condition variable of glibc before 2.41 can leave asleep
/// whom it was to wake (its bug 25847), and who sleeps for ever holds up a store. Here that takes
/// four billion rings while one thread falls asleep.
///
/// Whoever makes one gives it back.
@safe
struct Bell {
  #if canImport(Darwin)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() { unsafe pthread_cond_init(condition, nil) }

    func giveBack() {
      unsafe pthread_cond_destroy(condition)
      unsafe condition.deallocate()
    }

    /// Wakes all who sleep; what they are to see was done by who had the lock before.
    func ring() { unsafe pthread_cond_broadcast(condition) }

    /// Gives the lock back, sleeps until the bell is rung or the moment has come, or for no reason,
    /// and takes the lock again.
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

    /// Wakes all who sleep; what they are to see was done by who had the lock before.
    func ring() { unsafe tideline_bell_ring(bell) }

    /// Gives the lock back, sleeps until the bell is rung or the moment has come, or for no reason,
    /// and takes the lock again.
    func sleep(until deadline: Instant?, _ lock: UnsafeMutablePointer<pthread_mutex_t>) {
      let rings = unsafe tideline_bell_begin(bell)
      unsafe pthread_mutex_unlock(lock)
      unsafe tideline_bell_sleep(bell, rings, deadline?.nanoseconds ?? -1)
      unsafe pthread_mutex_lock(lock)
      unsafe tideline_bell_end(bell)
    }
  #endif
}
