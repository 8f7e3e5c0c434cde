/// One word, mark, literal or comment of a source file.
struct Token {
  enum Kind {
    /// A keyword, a name or a number.
    case word
    /// One character of punctuation; operators come apart.
    case mark
    /// A string or regular expression, without its text. What is interpolated follows as tokens.
    case literal
    /// A comment with its slashes.
    case comment
  }

  let kind: Kind
  let text: String

  /// The lines that it begins and ends on, counted from 1.
  let lines: ClosedRange<Int>

  /// Whether nothing stands between it and the token before.
  let isGlued: Bool

  var line: Int { lines.lowerBound }
  var isDocumentation: Bool { kind == .comment && text.hasPrefix("///") }
}
