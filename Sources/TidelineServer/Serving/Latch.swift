import Dispatch

/// Has threads wait until it opens, which it does once.
final class Latch: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  /// Ends all waiting, also that which has not begun.
  func open() { semaphore.signal() }

  /// Waits so long; says whether it is open.
  func wait(_ duration: Duration) -> Bool {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    guard semaphore.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success else {
      return false
    }
    // Whoever waits beside this one gets through as well.
    semaphore.signal()
    return true
  }
}
