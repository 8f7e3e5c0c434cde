import Testing

/// Language features that shipped code avoids.
enum Language {
  /// Forbidden sequences of tokens, and the reasons.
  private static let forbidden: [(tokens: [String], reason: String)] = [
    (["try", "!"], "`try!` ends the process where an error could be thrown"),
    (["as", "!"], "`as!` ends the process where a cast could fail"),
    (["fatalError", "("], "`fatalError` is no answer; throw, or state a precondition"),
    (["@", "testable"], "`@testable` opens what `package` should"),
    (["@", "_spi"], "`@_spi` hides what `package` should"),
  ]

  static func findings(in file: SourceFile) -> [Finding] {
    let code = file.code
    let phrases = forbidden.flatMap { phrase in
      code.places(of: phrase.tokens).map { file.finding(phrase.reason, line: code[$0].line) }
    }
    return phrases + unwrapped(in: file, code) + promises(in: file)
  }

  /// Finds every `!` after an expression or a type.
  private static func unwrapped(in file: SourceFile, _ code: [Token]) -> [Finding] {
    code.indices.dropFirst().filter { index in
      guard code[index].text == "!", code[index].isGlued else { return false }
      let isComparison = code[(index + 1)...].first.map { $0.text == "=" && $0.isGlued } ?? false
      return !isComparison && endsExpression(code[index - 1])
    }.map { file.finding("`!` unwraps by force", line: code[$0].line) }
  }

  private static func endsExpression(_ token: Token) -> Bool {
    switch token.kind {
    case .word: !["try", "as"].contains(token.text)
    case .mark: [")", "]", "}", ">"].contains(token.text)
    case .literal, .comment: false
    }
  }

  /// Finds notes to do something later.
  private static func promises(in file: SourceFile) -> [Finding] {
    file.lines.enumerated().flatMap { index, line in
      ["TODO", "FIXME"].filter(line.contains).map {
        file.finding("\($0): do it, or leave it", line: index + 1)
      }
    }
  }
}

extension [Token] {
  /// Returns the indices where tokens with these texts follow one another.
  func places(of texts: [String]) -> [Int] {
    indices.filter { index in
      self[index...].prefix(texts.count).map(\.text) == texts
    }
  }
}

@Suite struct LanguageTests {
  @Test func repository() throws {
    expectNone(try Repository.current.get().shipped.flatMap(Language.findings))
  }

  @Test(arguments: [
    "try! a()", "a as! B", "fatalError(\"a\")", "@testable import A", "@_spi(A) import B",
    "a!", "a!.b", "a[0]!", "a()!", "a?.b!", "a { b }!", "let a: Int!", "let a: [Int]!",
    "let a: Array<Int>!", "\"\\(a!)\"", "// TODO: a", "// FIXME: a",
  ])
  func snippet_bad(text: String) {
    let findings = Language.findings(in: SourceFile("Sources/A/A.swift", "\n" + text))
    #expect(findings.count == 1)
    #expect(findings.first?.line == 2)
  }

  @Test(arguments: [
    "try? a()", "try a()", "a as? B", "!a", "(!a)", "[!a]", "{ !$0 }", "a != b", "a!=b", "a !== b",
    "a && !b", "#if !os(Linux)", "// a!", "\"a!\"", "preconditionFailure()", "@usableFromInline",
    "\"try! fatalError( @testable\"",
  ])
  func snippet_good(text: String) {
    #expect(Language.findings(in: SourceFile("Sources/A/A.swift", text)) == [])
  }
}
