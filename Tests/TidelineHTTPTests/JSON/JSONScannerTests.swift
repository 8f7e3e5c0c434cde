import EventStore
import TestSupport
import Testing
import TidelineHTTP

/// The scanner steps over valid JSON, and refuses other input at the byte that is wrong.
@Suite struct JSONScannerTests {
  /// Steps over a whole text as one value.
  private func skip(_ text: String) throws(JSONFault) -> JSONToken {
    let bytes = Array(text.utf8)
    var scanner = JSONScanner(bytes.payloadBytes)
    let token = try scanner.value()
    try scanner.finish()
    return token
  }

  @Test(arguments: [
    ("{}", JSONToken.Kind.object), (" [ ] ", .array), ("\"\"", .string), ("0", .number),
    ("-0", .number), ("1.50e-7", .number), ("12E+3", .number), ("true", .yes), ("false", .no),
    ("null", .null), ("[[],{},[{}]]", .array),
    ("{\"a\":{\"b\":[1,{\"c\":null}]},\"d\":2}", .object),
    ("[ 1 , \"a\" , true ]", .array), ("{ \"a\" : 1 , \"b\" : 2 }", .object),
    ("\"\\u00e9\\/\\b\\f\\n\\r\\t\\\"\\\\\"", .string), ("\"\u{7F}é日😀\u{10FFFF}\"", .string),
    ("\"\\ud83d alone\"", .string), ("\r\n\t 7 \r\n", .number),
  ])
  func value_isSteppedOver(text: String, kind: JSONToken.Kind) throws {
    let token = try skip(text)
    #expect(token.kind == kind)
    let value = Array(text.utf8)[token.range]
    #expect(String(decoding: value, as: UTF8.self) == text.trimmed)
  }

  @Test(arguments: [
    ("", JSONFault.Reason.cutOff, 0), (" ", .cutOff, 1), ("tru", .cutOff, 3), ("\"a", .cutOff, 2),
    ("\"\\u12", .cutOff, 5), ("[1", .cutOff, 2), ("{\"a\":", .cutOff, 5), ("-", .cutOff, 1),
    ("1.", .cutOff, 2), ("1e+", .cutOff, 3), ("x", .unexpected, 0), ("[1,]", .unexpected, 3),
    ("{\"a\" 1}", .unexpected, 5), ("{a:1}", .unexpected, 1), ("{1:1}", .unexpected, 1),
    ("{\"a\":1,}", .unexpected, 7), ("[,1]", .unexpected, 1), ("{,}", .unexpected, 1),
    ("[01]", .unexpected, 2), ("[1.]", .unexpected, 3), ("[.5]", .unexpected, 1),
    ("[-]", .unexpected, 2), ("[1e]", .unexpected, 3), ("[+1]", .unexpected, 1),
    ("[\"\n\"]", .unexpected, 2), ("[\"\\x\"]", .unexpected, 3), ("[\"\\u12g4\"]", .unexpected, 6),
    ("nul]", .unexpected, 3), ("[1 2]", .unexpected, 3), ("[}", .unexpected, 1),
    ("{]", .unexpected, 1), ("[1}", .unexpected, 2), ("{\"a\":1]", .unexpected, 6),
    ("{} {}", .trailing, 3), ("01", .trailing, 1), ("1x", .trailing, 1),
    ("[\"long enough for a word\u{1}\"]", .unexpected, 24), ("\u{FEFF}1", .unexpected, 0),
  ])
  func text_thatIsNone_isRefusedWhereItIsWrong(text: String, reason: JSONFault.Reason, at: Int) {
    #expect(throws: JSONFault(reason, at: at)) { try skip(text) }
  }

  @Test func nesting_isFollowedToAnyDepth_whateverTheKinds() throws {
    for depth in [1, 2, 63, 64, 65, 127, 128, 129, 1000, 100_000] {
      let opening = (0..<depth).map { $0.isMultiple(of: 3) ? "{\"a\":" : "[" }.joined()
      let closing = (0..<depth).reversed().map { $0.isMultiple(of: 3) ? "}" : "]" }.joined()
      #expect(try skip(opening + "1" + closing).kind == .object)
      // A mismatched bracket is found at any depth.
      let wrong = closing.dropLast() + "]"
      let place = opening.utf8.count + closing.utf8.count
      #expect(throws: JSONFault(.unexpected, at: place)) { try skip(opening + "1" + wrong) }
    }
  }

  @Test func deepest_isThatOfTheItem() throws {
    let bytes = Array("[[[[]]],[{}]]".utf8)
    var scanner = JSONScanner(bytes.payloadBytes)
    try scanner.open(.array)
    var depths: [Int] = []
    while try scanner.nextItem() {
      scanner.beginItem()
      _ = try scanner.value()
      depths.append(scanner.deepest)
    }
    #expect(depths == [3, 2])
  }

  @Test func members_arePulledOneByOne() throws {
    let bytes = Array(#" { "a" : [ 1 , [ ] , { "x" : 2 } ] , "b\n" : null } "#.utf8)
    var scanner = JSONScanner(bytes.payloadBytes)
    var found: [String] = []
    try scanner.open(.object)
    while let name = try scanner.nextName() {
      found.append(bytes.payloadBytes.text(of: name))
      guard try scanner.nextKind() == .array else {
        found.append("\(try scanner.value().kind)")
        continue
      }
      try scanner.open(.array)
      while try scanner.nextItem() {
        let item = try scanner.value()
        found.append(String(decoding: bytes[item.range], as: UTF8.self))
      }
    }
    try scanner.finish()
    #expect(found == ["a", "1", "[ ]", "{ \"x\" : 2 }", "b\n", "null"])
  }

  @Test(arguments: [
    [0xFF], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
    [0xF5, 0x80, 0x80, 0x80], [0x80], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
  ])
  func textThatIsNotUTF8_isNotedAndSteppedOver(wrong: [UInt8]) throws {
    for before in ["", "é", "plain text of some length", "日本"] {
      let bytes = Array("[\"\(before)".utf8) + wrong + Array("x\",1]".utf8)
      #expect(String(validating: bytes, as: UTF8.self) == nil)
      var scanner = JSONScanner(bytes.payloadBytes)
      _ = try scanner.value()
      try scanner.finish()
      #expect(scanner.firstBadText == 2 + before.utf8.count)
    }
  }

  @Test func texts_loseTheirEscapes() throws {
    let cases = [
      (#""a\u00e9\/\b\f\n\r\t\"\\z""#, "aé/\u{8}\u{C}\n\r\t\"\\z"),
      (#""\ud83d\ude00 and a long run of plain text\u0000""#, "😀 and a long run of plain text\0"),
      (#""\ud83d""#, "\u{FFFD}"), (#""\ude00x""#, "\u{FFFD}x"), (#""\ud83d\n""#, "\u{FFFD}\n"),
      (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"), (#""\uD83D\uDE00""#, "😀"),
      ("\"12345678é\\n12345678\"", "12345678é\n12345678"),
    ]
    for (text, expected) in cases {
      let bytes = Array(text.utf8)
      var scanner = JSONScanner(bytes.payloadBytes)
      let token = try scanner.value()
      #expect(token.isEscaped && bytes.payloadBytes.text(of: token) == expected)
    }
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("7", 7), ("-12", -12), ("999999999999999999", 999_999_999_999_999_999),
      ("1.0", nil), ("1e3", nil), ("9223372036854775807", nil),
    ] as [(String, Int64?)])
  func plainIntegers_areTheirDigits(text: String, expected: Int64?) throws {
    let bytes = Array(text.utf8)
    #expect(bytes.payloadBytes.plainInteger(of: try skip(text)) == expected)
  }
}

/// The table finds names by their bytes.
@Suite struct JSONNamesTests {
  @Test func names_ofAllLengths_areFound_andOthersNot() throws {
    let letters = "abcdefghijklmnopqrstuvwxyz_0123456789"
    let names = (0...34).map { String(letters.prefix($0)) } + ["bcdefghi", "abcdefgz", "b"]
    let table = JSONNames(names)
    for (index, name) in names.enumerated() {
      #expect(try find(name, in: table, before: "") == index)
      #expect(try find(name, in: table, before: String(repeating: " ", count: 20)) == index)
      #expect(try find(name + "!", in: table, before: "") == nil)
    }
    // This name differs in the middle only: its length and both ends are the same.
    let last = String(letters.prefix(30))
    let other = last.replacing("m", with: "-")
    #expect(try find(last, in: table, before: "") == 30)
    #expect(try find(other, in: table, before: "") == nil)
  }

  @Test func escapedNames_areWhatTheyStandFor() throws {
    let table = JSONNames(["subject", "é"])
    #expect(try find(#"sub\u006aect"#, in: table, before: "") == 0)
    #expect(try find(#"\u00e9"#, in: table, before: "") == 1)
    #expect(try find(#"sub\\ject"#, in: table, before: "") == nil)
  }

  /// Each name is first compared with the one that followed last time, which may be another name,
  /// or one with the same beginning or end.
  @Test func names_inWhateverOrder_areThoseThatTheyAre() throws {
    let names = [
      "a", "ab", "subject-one", "subject-two", "a_long_name_of_a_field", "a_long_kame_of_a_field",
    ]
    let table = JSONNames(names)
    var generator = SeededGenerator(seed: 5)
    var order = JSONNameOrder()
    for _ in 0..<500 {
      let drawn = (0..<8).map { _ in
        (names + ["other", "\\u0061b"]).randomElement(using: &generator)!
      }
      let bytes = Array("{\(drawn.map { "\"\($0)\" : 1" }.joined(separator: ","))}".utf8)
      var scanner = JSONScanner(bytes.payloadBytes)
      var found: [Int?] = []
      order.begin()
      try scanner.open(.object)
      while let (name, index) = try scanner.nextName(of: table, &order) {
        #expect(table.index(of: name, in: bytes.payloadBytes) == index)
        found.append(index)
        _ = try scanner.value()
      }
      try scanner.finish()
      #expect(found == drawn.map { names.firstIndex(of: $0 == "\\u0061b" ? "ab" : $0) })
    }
  }

  private func find(_ name: String, in table: JSONNames, before: String) throws -> Int? {
    let bytes = Array("\(before)\"\(name)\"".utf8)
    var scanner = JSONScanner(bytes.payloadBytes)
    return table.index(of: try scanner.value(), in: bytes.payloadBytes)
  }
}

extension String {
  fileprivate var trimmed: String {
    let spaces: Set<Character> = [" ", "\t", "\n", "\r", "\r\n"]
    return String(
      drop(while: spaces.contains).reversed().drop(while: spaces.contains).reversed())
  }
}
