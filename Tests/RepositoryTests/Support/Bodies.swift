/// Finds the functions of a file, each from the line of its keyword to its closing brace.
enum Bodies {
  private static let keywords: Set = ["func", "init", "deinit", "subscript", "var"]

  /// Returns functions, initializers and computed properties, including nested ones.
  static func ofSwift(_ code: [Token]) -> [ClosedRange<Int>] {
    code.indices.compactMap { index in
      guard keywords.contains(code[index].text), !follows(".", at: index, in: code),
        let open = opening(after: index, in: code)
      else { return nil }
      return code[index].line...code[close(of: open, in: code)].line
    }
  }

  /// Returns functions of C: the outermost braces that follow a parenthesis.
  static func ofC(_ code: [Token]) -> [ClosedRange<Int>] {
    var functions: [ClosedRange<Int>] = []
    var index = 0
    while index < code.count {
      if code[index].text == "{", follows(")", at: index, in: code) {
        let end = close(of: index, in: code)
        functions.append(code[index].line...code[end].line)
        index = end
      }
      index += 1
    }
    return functions
  }

  /// Returns the bracket that closes the one at `open`, or the last token if none does.
  static func close(of open: Int, in code: [Token]) -> Int {
    var depth = 0
    for index in open..<code.count {
      depth += code[index].nesting
      if depth == 0 { return index }
    }
    return code.count - 1
  }

  private static func follows(_ text: String, at index: Int, in code: [Token]) -> Bool {
    index > 0 && code[index - 1].text == text
  }

  /// Returns the brace that opens the body of the declaration at `index`, if it has one.
  private static func opening(after index: Int, in code: [Token]) -> Int? {
    var next = endOfOperator(after: index, in: code)
    while next < code.count {
      let token = code[next]
      if token.text == "{" { return next }
      if ["=", ";", "}", ")"].contains(token.text) { return nil }
      let last = code[next - 1]
      if token.line > last.lines.upperBound, !continues(token, after: last) { return nil }
      next = (token.nesting > 0 ? close(of: next, in: code) : next) + 1
    }
    return nil
  }

  /// Returns the index after the operator that may name a `func`.
  private static func endOfOperator(after index: Int, in code: [Token]) -> Int {
    let rest = code[(index + 1)...]
    guard code[index].text == "func" else { return rest.startIndex }
    return rest.firstIndex { $0.kind != .mark || $0.text == "(" } ?? rest.endIndex
  }

  /// Whether a token at the beginning of a line belongs to the declaration before it.
  private static func continues(_ token: Token, after last: Token) -> Bool {
    ["{", "-", "where", "throws", "rethrows", "async", ",", ":", "&", "("].contains(token.text)
      || [",", ":", "&", ">", "where"].contains(last.text)
  }
}

extension Token {
  /// How many levels of brackets the token opens, negative if it closes one.
  var nesting: Int {
    guard kind == .mark else { return 0 }
    return switch text {
    case "{", "(", "[": 1
    case "}", ")", "]": -1
    default: 0
    }
  }
}
