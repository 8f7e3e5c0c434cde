import Foundation
import LMDB
import Processes
import Synchronization
import TestSupport

/// A run of the `tideline` command in a terminal, with a user who sees the screen and presses keys.
final class PseudoTerminal: Sendable {
  private let main: CInt
  private let side: CInt
  private let process: ChildProcess
  private let drawn = Mutex("")
  /// The terminal's flags before the run.
  private let flagsBefore: tcflag_t

  /// The time limit for drawing or ending, so that a test fails rather than hangs.
  private static let patience = Duration.ample

  enum Trouble: Error { case noTerminal, notEnded, notDrawn(String, shown: String) }

  /// Starts the command in a terminal with the given size and `TERM`.
  init(
    _ arguments: [String], columns: UInt16 = 80, lines: UInt16 = 24, kind: String = "xterm"
  ) throws {
    (main, side) = try Self.pair()
    var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(main, UInt(TIOCSWINSZ), &size)
    flagsBefore = Self.flags(of: side)
    let terminal = FileHandle(fileDescriptor: side)
    process = try ChildProcess(
      Products.program("tideline"), arguments, environment: ["TERM": kind],
      input: .file(terminal), output: .file(terminal), errors: .file(terminal))
    let source = main
    Thread.detachNewThread { [self] in read(from: source) }
  }

  /// Both ends of a new terminal.
  private static func pair() throws -> (CInt, CInt) {
    #if canImport(Darwin)
      let main = posix_openpt(O_RDWR | O_NOCTTY)
      guard main >= 0, grantpt(main) == 0, unlockpt(main) == 0, let name = ptsname(main) else {
        throw Trouble.noTerminal
      }
      let side = open(name, O_RDWR | O_NOCTTY)
    #else
      // These calls do what the C library's functions do, which it declares for other standards
      // only.
      let (unlock, number) = (0x4004_5431 as UInt, 0x8004_5430 as UInt)
      let main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var (isLocked, index) = (0 as CInt, 0 as CInt)
      guard main >= 0, ioctl(main, unlock, &isLocked) == 0, ioctl(main, number, &index) == 0 else {
        throw Trouble.noTerminal
      }
      let side = open("/dev/pts/\(index)", O_RDWR | O_NOCTTY)
    #endif
    guard side >= 0 else { throw Trouble.noTerminal }
    return (main, side)
  }

  deinit {
    process.signal(SIGKILL)
    close(side)
    close(main)
  }

  private func read(from source: CInt) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Foundation.read(source, &buffer, buffer.count)
      guard count > 0 else { return }
      let text = String(decoding: buffer.prefix(count), as: UTF8.self)
      drawn.withLock { $0 += text }
    }
  }

  /// Presses keys, given as the bytes they send.
  func press(_ keys: String) {
    drawn.withLock { $0 = "" }
    let bytes = Array(keys.utf8)
    _ = write(main, bytes, bytes.count)
  }

  /// Sends a signal to the process.
  func signal(_ number: CInt) { process.signal(number) }

  /// Waits until a text is drawn and returns the output since the last key, without its styles
  /// unless the text has some.
  @discardableResult
  func sees(_ text: String) async throws -> String {
    let isStyled = text.contains("\u{1B}")
    return try await until(.notDrawn(text, shown: drawn.withLock { $0 })) {
      let all = drawn.withLock { $0 }
      let shown = isStyled ? all : all.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "")
      return shown.contains(text) ? shown : nil
    }
  }

  /// Waits for a value, or throws.
  private func until<Value>(
    _ trouble: @autoclosure () -> Trouble, _ look: () -> Value?
  ) async throws -> Value {
    let end = ContinuousClock.now + Self.patience
    while true {
      // A task that was kept waiting looks once more after the deadline.
      let isOver = ContinuousClock.now >= end
      if let value = look() { return value }
      guard !isOver else { throw trouble() }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Waits for the end of the process and returns its exit status or the number of its signal.
  func ended() async throws -> CInt {
    try await until(.notEnded) { process.end?.number }
  }

  /// Whether any escape sequence was drawn since the last key.
  var isStyled: Bool { drawn.withLock { $0.contains("\u{1B}") } }

  /// Whether the terminal's flags are as before the run.
  var isRestored: Bool { Self.flags(of: side) == flagsBefore }

  private static func flags(of descriptor: CInt) -> tcflag_t {
    var state = termios()
    guard tcgetattr(descriptor, &state) == 0 else { return 0 }
    return state.c_lflag
  }
}
