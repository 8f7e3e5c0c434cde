import LMDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A progress bar: updated in place on a terminal, otherwise an occasional line.
///
/// When results go to standard output, the bar goes to standard error and appears only on a
/// terminal.
final class ProgressBar: Sendable {
  private let title: String
  private let total: Int
  private let stream: ByteStream
  private let isOnTerminal: Bool
  private let isSilent: Bool
  private let shown = Mutex(-1)
  /// The maximum width of a line; on a terminal, it fits so that the next can replace it.
  private let columns: Int
  /// The width of the bar, which leaves room for the text beside it.
  private let width: Int
  private static let columnsMax = 1000
  private static let widthMax = 40
  private static let titleColumns = 22
  /// The number of lines when there is no terminal.
  private static let steps = 4

  init(_ title: String, of total: Int, on stream: Stream = .output) {
    (self.title, self.total) = (title, max(total, 1))
    self.stream = stream == .output ? .output : .errors
    isOnTerminal = isatty(stream == .output ? 1 : 2) == 1
    isSilent = stream == .errors && !isOnTerminal
    columns = isOnTerminal ? max(1, TerminalMode.size.columns - 1) : Self.columnsMax
    let beside = Self.titleColumns + "   \(self.total) of \(self.total) ".count
    width = max(1, min(Self.widthMax, columns - beside))
  }

  /// The stream on which the bar is shown.
  enum Stream {
    case output
    case errors
  }

  /// Shows how much is done, clamped to the total.
  func show(_ done: Int) throws {
    let done = min(max(done, 0), total)
    // A damaged log may claim any total.
    let part = total.dividingFullWidth(done.multipliedFullWidth(by: width)).quotient
    let step = isOnTerminal ? part : part * Self.steps / width
    let isNews = shown.withLock { shown in
      defer { shown = max(shown, step) }
      return step > shown
    }
    guard isNews, !isSilent else { return }
    let bar = String(repeating: "█", count: part) + String(repeating: "░", count: width - part)
    let line = "  \(title.rightPadded(to: Self.titleColumns)) \(bar) \(done) of \(total)"
      .printable(columns: columns)
    let text = isOnTerminal ? "\r\(line)\(part == width ? "\n" : "")" : "\(line)\n"
    try stream.write(Array(text.utf8))
  }

  /// Runs `body`, which reports how much of its work is done and the total, and shows that on
  /// standard error.
  static func following<R>(
    _ title: String, _ body: (_ show: (_ done: UInt64, _ total: UInt64) -> Void) throws -> R
  ) throws -> R {
    var bar: ProgressBar?
    let result = try body { done, total in
      let shown = bar ?? ProgressBar(title, of: Int(clamping: total), on: .errors)
      bar = shown
      try? shown.show(Int(clamping: done))
    }
    try bar?.end()
    return result
  }

  /// Completes the bar if it was shown; afterwards nothing more is shown.
  func end() throws {
    if shown.withLock({ $0 >= 0 }) { try show(total) }
    shown.withLock { $0 = .max }
  }
}
