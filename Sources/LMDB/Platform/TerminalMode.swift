#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The key mode of the terminal at standard input, and the size of the one at standard output.
package struct TerminalMode: Sendable {
  private let state: termios

  /// Makes the terminal deliver each key when pressed, without echo; returns the previous mode.
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

  /// Restores the terminal's mode.
  package func restore() {
    var state = state
    _ = unsafe tcsetattr(0, TCSAFLUSH, &state)
  }

  /// The number of columns and lines; 80 and 24 if unknown.
  package static var size: (columns: Int, lines: Int) {
    for output in [1, 2] as [CInt] {
      var size = winsize()
      let isKnown = unsafe ioctl(output, UInt(TIOCGWINSZ), &size) == 0
      if isKnown, size.ws_col > 0, size.ws_row > 0 { return (Int(size.ws_col), Int(size.ws_row)) }
    }
    return (80, 24)
  }
}
