import Dispatch

/// A one-time signal that threads can wait for.
final class Latch: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  /// Opens the latch, which ends all current and future waits.
  func open() { semaphore.signal() }

  /// Waits for at most a duration; returns whether the latch is open.
  func wait(_ duration: Duration) -> Bool {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    guard semaphore.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success else {
      return false
    }
    // Lets other waiting threads through as well.
    semaphore.signal()
    return true
  }
}
