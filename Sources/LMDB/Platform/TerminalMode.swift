#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How the terminal at standard input takes keys, and how large the one at standard output is.
package struct TerminalMode: Sendable {
  private let state: termios

  /// Has the terminal pass on each key as it is pressed, and show none of them; returns how it was.
  package static func raw() throws(LMDBError) -> TerminalMode {
    var state = termios()
    guard unsafe tcgetattr(0, &state) == 0 else { throw .lastSystemError("look at the terminal") }
    let before = TerminalMode(state: state)
    unsafe cfmakeraw(&state)
    guard unsafe tcsetattr(0, TCSAFLUSH, &state) == 0 else {
      throw .lastSystemError("take the terminal")
    }
    return before
  }

  /// Has the terminal be as it was.
  package func restore() {
    var state = state
    _ = unsafe tcsetattr(0, TCSAFLUSH, &state)
  }

  /// How many columns and lines there are; 80 and 24 where that can't be told.
  package static var size: (columns: Int, lines: Int) {
    for output in [1, 2] as [CInt] {
      var size = winsize()
      let isKnown = unsafe ioctl(output, UInt(TIOCGWINSZ), &size) == 0
      if isKnown, size.ws_col > 0, size.ws_row > 0 { return (Int(size.ws_col), Int(size.ws_row)) }
    }
    return (80, 24)
  }
}
