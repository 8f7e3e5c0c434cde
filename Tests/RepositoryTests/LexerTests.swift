import Testing

@Suite struct LexerTests {
  /// Spells the tokens, each kind in its own brackets; `+` marks a glued token.
  private func spelled(_ text: String) -> String {
    Lexer.tokens(of: text).map { token in
      let glue = token.isGlued ? "+" : ""
      return switch token.kind {
      case .word, .mark: glue + token.text
      case .literal: glue + "<>"
      case .comment: glue + "{" + token.text + "}"
      }
    }.joined(separator: " ")
  }

  @Test(arguments: [
    ("a.b != c!", "a +. +b ! += c +!"),
    ("x // y! \"z\nw", "x {// y! \"z} w"),
    ("a /* b /* c */ d */ e", "a {/* b /* c */ d */} e"),
    (#"f("a\"!b", c)"#, "f +( +<> +, c +)"),
    (#""one \(two! + "in \(three)") four" five"#, "<> two +! + <> three five"),
    (##"#"raw \(a!) "quoted""# b"##, "<> b"),
    (##"#"raw \#(a) "# b"##, "<> a b"),
    ("\"\"\"\nlong \" a!\n\"\"\" b", "<> b"),
    (#"let p = /a"b\/!/ c"#, "let p = <> c"),
    (##"p(#/a"b!/#)"##, "p +( +<> +)"),
    ("a / b / c", "a / b / c"),
    (#"if (c == '"') d"#, "if ( +c = += <> +) d"),
    ("\"never closed", "<>"),
    ("/* never closed", "{/* never closed}"),
    ("`init` $0 _x9", "`init` $0 _x9"),
  ])
  func tokens_ofTrickyText(text: String, expected: String) {
    #expect(spelled(text) == expected)
  }

  @Test func lines_countThroughStringsAndComments() {
    let tokens = Lexer.tokens(of: "a\n/* b\n c */\n\"\"\"\n d\n\"\"\" e\nf")
    #expect(tokens.map(\.lines) == [1...1, 2...3, 4...4, 6...6, 7...7])
  }
}
