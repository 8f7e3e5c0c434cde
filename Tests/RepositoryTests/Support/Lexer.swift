/// Splits Swift or C source into tokens, so that a check never mistakes text for code.
///
/// The lexer handles nested comments, raw and multi-line strings, interpolation and regular
/// expressions.
struct Lexer {
  private typealias Character = Unicode.Scalar

  private let text: [Character]
  private var at = 0
  private var line = 1
  private var lastEnd = -1
  private var tokens: [Token] = []

  private init(_ text: String) { self.text = Array(text.unicodeScalars) }

  /// Returns the tokens of `text`, in order.
  static func tokens(of text: String) -> [Token] {
    var lexer = Lexer(text)
    while lexer.at < lexer.text.count { lexer.scan(interpolated: false) }
    return lexer.tokens
  }

  /// Scans to the end, or to the parenthesis that ends an interpolation.
  private mutating func scan(interpolated: Bool) {
    var depth = 0
    while at < text.count {
      if takesOther() { continue }
      if text[at] == "(" { depth += 1 }
      if text[at] == ")" { depth -= 1 }
      if interpolated, depth < 0 {
        at += 1
        return
      }
      take(.mark, upTo: at + 1)
    }
  }

  /// Takes the next token if it is not a mark.
  private mutating func takesOther() -> Bool {
    switch text[at] {
    case ..."\u{20}": skipsSpace()
    case "/": takesComment() || takesPattern()
    case "#", "\"", "'": takesString() || takesPattern()
    default: takesWord()
    }
  }

  private mutating func skipsSpace() -> Bool {
    advance()
    return true
  }

  private mutating func takesComment() -> Bool {
    if follows(["/", "/"], at: at) {
      take(.comment, upTo: text[at...].firstIndex(of: "\n") ?? text.count)
      return true
    }
    guard follows(["/", "*"], at: at) else { return false }
    take(.comment, upTo: endOfBlockComment())
    return true
  }

  private func endOfBlockComment() -> Int {
    var depth = 0
    var end = at
    repeat {
      let opens = follows(["/", "*"], at: end)
      let closes = follows(["*", "/"], at: end)
      depth += (opens ? 1 : 0) - (closes ? 1 : 0)
      end += opens || closes ? 2 : 1
    } while depth > 0 && end < text.count
    return min(end, text.count)
  }

  private mutating func takesString() -> Bool {
    let hashes = hashCount()
    guard at + hashes < text.count else { return false }
    let quote = text[at + hashes]
    guard quote == "\"" || (quote == "'" && hashes == 0) else { return false }
    let isLong = follows(["\"", "\"", "\""], at: at + hashes)
    let quotes = [Character](repeating: quote, count: isLong ? 3 : 1)
    let fence = [Character](repeating: "#", count: hashes)
    take(.literal, upTo: at + hashes + quotes.count)
    skipString(until: quotes + fence, escape: ["\\"] + fence)
    lastEnd = at
    return true
  }

  private mutating func skipString(until close: [Character], escape: [Character]) {
    while at < text.count, !follows(close, at: at) {
      guard follows(escape, at: at) else {
        advance()
        continue
      }
      at += escape.count
      guard at < text.count else { return }
      let isInterpolation = text[at] == "("
      advance()
      if isInterpolation { scan(interpolated: true) }
    }
    at = min(at + close.count, text.count)
  }

  /// Takes a regular expression: `#/…/#`, or `/…/` where no operator can stand.
  private mutating func takesPattern() -> Bool {
    let hashes = hashCount()
    guard follows(["/"], at: at + hashes), hashes > 0 || mayBeginPattern() else { return false }
    let close = ["/"] + [Character](repeating: "#", count: hashes)
    var end = at + hashes + 1
    while end < text.count, !follows(close, at: end) {
      if hashes == 0, text[end] == "\n" { return false }
      end += text[end] == "\\" ? 2 : 1
    }
    take(.literal, upTo: min(end + close.count, text.count))
    return true
  }

  private func mayBeginPattern() -> Bool {
    guard at + 1 < text.count, text[at + 1] > " " else { return false }
    guard let last = tokens.last else { return true }
    return last.kind == .mark ? "(,=[{:".contains(last.text) : last.text == "return"
  }

  private mutating func takesWord() -> Bool {
    let end = text[at...].firstIndex { !Self.isWord($0) } ?? text.count
    guard end > at else { return false }
    take(.word, upTo: end)
    return true
  }

  private static func isWord(_ character: Character) -> Bool {
    switch character {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$", "`", "\u{80}"...: true
    default: false
    }
  }

  private func hashCount() -> Int { text[at...].prefix { $0 == "#" }.count }

  private func follows(_ expected: [Character], at start: Int) -> Bool {
    text[min(start, text.count)...].starts(with: expected)
  }

  private mutating func advance() {
    if text[at] == "\n" { line += 1 }
    at += 1
  }

  private mutating func take(_ kind: Token.Kind, upTo end: Int) {
    var taken = String.UnicodeScalarView()
    taken.append(contentsOf: text[at..<end])
    let isGlued = at == lastEnd
    let first = line
    while at < end { advance() }
    tokens.append(
      Token(kind: kind, text: String(taken), lines: first...line, isGlued: isGlued))
    lastEnd = at
  }
}
