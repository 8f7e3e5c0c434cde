import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A dedicated thread for blocking work, which keeps it off the cooperative pool.
///
/// The thread ends when its body returns; its owner must tell the body to.
package final class WorkerThread: Sendable {
  private let thread: pthread_t
  private let isJoined = Mutex(false)

  /// Starts a thread that runs `body` once.
  ///
  /// Traps if the system can't create a thread.
  package init(_ body: @escaping @Sendable () -> Void) {
    let start = unsafe Unmanaged.passRetained(Start(body)).toOpaque()
    #if canImport(Darwin)
      var created: pthread_t?
      let result = unsafe pthread_create(&created, nil, { Start.run($0) }, start)
      guard result == 0, let started = unsafe created else { preconditionFailure("no thread") }
      unsafe thread = started
    #else
      var created = pthread_t()
      let result = unsafe pthread_create(&created, nil, { unsafe Start.run($0) }, start)
      precondition(result == 0, "the system has no thread to give (\(result))")
      thread = created
    #endif
  }

  /// If not joined, detaches the thread, so that the system frees its stack when it ends.
  deinit {
    if !isJoined.withLock({ $0 }) { pthread_detach(thread) }
  }

  /// Waits until the body has returned.
  ///
  /// Call it once, from another thread.
  package func join() {
    isJoined.withLock { $0 = true }
    pthread_join(thread, nil)
  }

  /// A number that identifies a thread within this process.
  package static var current: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }

  private final class Start {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      guard let pointer = unsafe pointer else { return nil }
      unsafe Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue().body()
      return nil
    }
  }
}

extension WorkerThread {
  /// Lets waiting threads run first, so that the calling thread gets a new time slice.
  package static func yield() { sched_yield() }

  /// Puts the calling thread to sleep; not for the cooperative pool.
  package static func sleep(_ duration: Duration) {
    var time = timespec(nanoseconds: duration.nanoseconds)
    unsafe nanosleep(&time, nil)
  }
}
