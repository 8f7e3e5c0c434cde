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
///
/// Beside results, which go to standard output, it goes to standard error and is seen on a terminal
/// only.
final class ProgressBar: Sendable {
  private let title: String
  private let total: Int
  private let stream: ByteStream
  private let isOnTerminal: Bool
  private let isSilent: Bool
  private let shown = Mutex(-1)
  private static let width = 40
  /// How many of the lines there are where there is no terminal.
  private static let steps = 4

  init(_ title: String, of total: Int, on stream: Stream = .output) {
    (self.title, self.total) = (title, max(total, 1))
    self.stream = stream == .output ? .output : .errors
    isOnTerminal = isatty(stream == .output ? 1 : 2) == 1
    isSilent = stream == .errors && !isOnTerminal
  }

  /// Where it is shown.
  enum Stream {
    case output
    case errors
  }

  /// Shows how much is done: nothing where that is less than nothing, at most all.
  func show(_ done: Int) throws {
    let done = min(max(done, 0), total)
    let part = done * Self.width / total
    let step = isOnTerminal ? part : part * Self.steps / Self.width
    let isNews = shown.withLock { shown in
      defer { shown = max(shown, step) }
      return step > shown
    }
    guard isNews, !isSilent else { return }
    let bar = String(repeating: "█", count: part) + String(repeating: "░", count: Self.width - part)
    let line = "  \(title.rightPadded(to: 22)) \(bar) \(done) of \(total)"
    let text = isOnTerminal ? "\r\(line)\(part == Self.width ? "\n" : "")" : "\(line)\n"
    try stream.write(Array(text.utf8))
  }

  /// Shows that all is done, where something was shown; from then on nothing is.
  func end() throws {
    if shown.withLock({ $0 >= 0 }) { try show(total) }
    shown.withLock { $0 = .max }
  }
}
