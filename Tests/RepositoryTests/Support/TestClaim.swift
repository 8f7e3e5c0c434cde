/// A claim that a test makes with one of its traits.
struct TestClaim {
  /// The trait's name.
  let trait: String
  /// The words and numbers in the trait's parentheses.
  let words: [String]
  /// The test's name, after its suite's.
  let test: String

  /// Returns the claims that tests of a file make with these traits, in order.
  static func all(of traits: Set<String>, in code: [Token]) -> [TestClaim] {
    var (depth, suite) = (0, "")
    var waiting: [(trait: String, words: [String])] = []
    var claims: [TestClaim] = []
    for index in code.indices {
      depth += code[index].text == "{" ? 1 : code[index].text == "}" ? -1 : 0
      guard index + 1 < code.count else { break }
      let (word, next) = (code[index].text, code[index + 1].text)
      if depth == 0, ["struct", "class", "enum", "extension"].contains(word) { suite = next }
      if index > 1, next == "(", traits.contains(word), code[index - 1].text == ".",
        ["(", ","].contains(code[index - 2].text)
      {
        waiting.append((word, words(from: index + 2, in: code)))
      }
      guard word == "func", !waiting.isEmpty else { continue }
      claims += waiting.map { TestClaim(trait: $0, words: $1, test: "\(suite).\(next)") }
      waiting = []
    }
    return claims
  }

  private static func words(from start: Int, in code: [Token]) -> [String] {
    code[start...].prefix { $0.text != ")" }.filter { $0.kind == .word }.map(\.text)
  }
}
