import Dispatch
import Foundation
import LMDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The terminal as a screen that is redrawn, with keys that arrive as they are pressed.
///
/// However the session ends (a return, an error, or a fatal signal), the terminal is restored.
final class Terminal: Sendable {
  private let before: Mutex<TerminalMode?>
  private let sources = Mutex<[any DispatchSourceSignal]>([])

  /// The signals that end the process while the screen is shown.
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private static let enter = "\u{1B}[?1049h\u{1B}[?25l"
  private static let leave = "\u{1B}[?25h\u{1B}[?1049l"

  /// Whether both input and output are terminals.
  static var isThere: Bool { isatty(0) == 1 && isatty(1) == 1 }

  /// The reason the terminal can't be drawn on, from its `TERM`; `nil` if it can be.
  static var undrawable: String? {
    switch ProcessInfo.processInfo.environment["TERM"] {
    case nil, "": "TERM is not set"
    case "dumb": "TERM is dumb"
    default: nil
    }
  }

  private init() async throws(LMDBError) {
    before = Mutex(try TerminalMode.raw())
    let (registrations, registered) = AsyncStream<Void>.makeStream()
    sources.withLock { sources in
      sources = Self.signals.map { number in
        // Otherwise the signal would end the process before the source receives it.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { [self] in
          restore()
          exit(128 + number)
        }
        source.setRegistrationHandler { registered.yield() }
        source.resume()
        return source
      }
    }
    // A signal before that would be lost.
    for await _ in registrations.prefix(Self.signals.count) {}
    try write(Self.enter)
  }

  /// Takes over the terminal for `body`, and restores it.
  static func run(
    _ body: (Terminal) async throws -> ExitStatus
  ) async throws -> ExitStatus {
    let terminal = try await Terminal()
    defer { terminal.restore() }
    return try await body(terminal)
  }

  private func restore() {
    guard let mode = before.withLock({ $0.take() }) else { return }
    try? write(Self.leave)
    mode.restore()
    sources.withLock { sources in
      sources.forEach { $0.cancel() }
      sources = []
    }
  }

  /// The size in columns and lines.
  var size: (columns: Int, lines: Int) { TerminalMode.size }

  /// Draws lines from the top, and clears the rest of the screen.
  func draw(_ lines: [String]) throws(LMDBError) {
    try write("\u{1B}[H" + lines.joined(separator: "\u{1B}[K\r\n") + "\u{1B}[K\u{1B}[J")
  }

  /// Whether ``keys()`` would not wait.
  var hasKeys: Bool { ByteStream.input.isReadable(withinMilliseconds: 0) }

  /// Waits for keys and returns them, without unknown ones; `nil` at the end of the input.
  func keys() async throws -> [Key]? {
    let bytes = try await answered { (answer: ResumeOnce<Result<[UInt8], LMDBError>>) in
      _ = WorkerThread {
        answer.resume(Result { () throws(LMDBError) in try ByteStream.input.read(upTo: 64) })
      }
    }.get()
    return bytes.isEmpty ? nil : Key.keys(in: bytes)
  }

  private func write(_ text: String) throws(LMDBError) {
    try ByteStream.output.write(Array(text.utf8))
  }
}

/// A key that was pressed.
enum Key: Hashable {
  case character(Character)
  case enter, back, escape, up, down, left, right, pageUp, pageDown, home, end, interrupt

  /// Returns the keys for bytes from a terminal, without unknown ones.
  static func keys(in bytes: [UInt8]) -> [Key] {
    var (keys, rest) = ([Key](), String(decoding: bytes, as: UTF8.self)[...])
    while let first = rest.first {
      if let (key, count) = sequence(rest) {
        keys.append(key)
        rest = rest.dropFirst(count)
        continue
      }
      rest = rest.dropFirst()
      if let key = control(first) {
        keys.append(key)
      } else if first.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) {
        keys.append(.character(first))
      }
    }
    return keys
  }

  private static let sequences: [(String, Key)] = [
    ("\u{1B}[A", .up), ("\u{1B}[B", .down), ("\u{1B}[C", .right), ("\u{1B}[D", .left),
    ("\u{1B}OA", .up), ("\u{1B}OB", .down), ("\u{1B}OC", .right), ("\u{1B}OD", .left),
    ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}[H", .home), ("\u{1B}[F", .end),
    ("\u{1B}[1~", .home), ("\u{1B}[4~", .end),
  ]

  private static func sequence(_ text: Substring) -> (Key, Int)? {
    sequences.first { text.hasPrefix($0.0) }.map { ($0.1, $0.0.count) }
  }

  private static func control(_ character: Character) -> Key? {
    switch character {
    case "\r", "\n", "\r\n": .enter
    case "\u{7F}", "\u{8}": .back
    case "\u{1B}": .escape
    case "\u{3}", "\u{4}": .interrupt
    default: nil
    }
  }
}
