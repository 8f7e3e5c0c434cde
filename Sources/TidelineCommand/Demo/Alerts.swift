import Synchronization

/// The alerts that a server has sent, the last behind.
final class Alerts: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }

  /// The last one, if there is any.
  var last: String? { lines.withLock { $0.last } }
}
