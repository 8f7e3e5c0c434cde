import LMDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A bar that fills while something goes on: on a terminal in place, else a line now and then.
final class ProgressBar: Sendable {
  private let title: String
  private let total: Int
  private let isOnTerminal = isatty(1) == 1
  private let shown = Mutex(-1)
  private static let width = 40
  /// How many of the lines there are where there is no terminal.
  private static let steps = 4

  init(_ title: String, of total: Int) { (self.title, self.total) = (title, max(total, 1)) }

  /// Shows how much is done.
  func show(_ done: Int) throws {
    let part = min(done * Self.width / total, Self.width)
    let step = isOnTerminal ? part : part * Self.steps / Self.width
    let isNews = shown.withLock { shown in
      defer { shown = max(shown, step) }
      return step > shown
    }
    guard isNews else { return }
    let bar = String(repeating: "█", count: part) + String(repeating: "░", count: Self.width - part)
    let line = "  \(title.rightPadded(to: 22)) \(bar) \(min(done, total)) of \(total)"
    let text = isOnTerminal ? "\r\(line)\(part == Self.width ? "\n" : "")" : "\(line)\n"
    try ByteStream.output.write(Array(text.utf8))
  }
}
