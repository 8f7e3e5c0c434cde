/// One word, mark, literal or comment of a source file.
struct Token {
  enum Kind {
    /// A keyword, a name or a number.
    case word
    /// One character of punctuation; operators are split up.
    case mark
    /// A string or regular expression, without its text; interpolated code follows as tokens.
    case literal
    /// A comment, including its slashes.
    case comment
  }

  let kind: Kind
  let text: String

  /// The lines that the token begins and ends on, counted from 1.
  let lines: ClosedRange<Int>

  /// Whether the token directly follows the previous one.
  let isGlued: Bool

  var line: Int { lines.lowerBound }
  var isDocumentation: Bool { kind == .comment && text.hasPrefix("///") }
}
