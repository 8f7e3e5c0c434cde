import Synchronization

/// The alerts that a server has sent, in order.
final class Alerts: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }

  /// The last alert, if any.
  var last: String? { lines.withLock { $0.last } }
}
