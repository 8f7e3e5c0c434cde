import Testing
import Tideline

/// The parser reads JSON as it was written, or refuses it with a reason.
@Suite struct JSONParserTests {
  private func parse(_ text: String) throws(JSONError) -> JSONValue {
    var parser = JSONParser(Array(text.utf8))
    return try parser.parse()
  }

  @Test(arguments: [
    (#"{}"#, #"{}"#), (" [ ] ", "[]"), (#"{"b":1,"a":[true,false,null]}"#, nil),
    (#"{"b":1,"a":2}"#, #"{"a":2,"b":1}"#), (#"{"a":1,"b":0,"a":2}"#, #"{"a":2,"b":0}"#),
    (#"{"a":{"a":{"a":{}}}}"#, nil), ("[0,-0,1.50,1e400,123456789012345678901234567890]", nil),
    ("[1E+2,1.0e-3]", nil), (#"["\u00e9\/\b\f\n\r\t\"\\"]"#, #"["é/\u0008\u000c\n\r\t\"\\"]"#),
    (#"["\ud83d\ude00","\u0000"]"#, #"["😀","\u0000"]"#),
    (
      #"["\ud83d","\ude00","\ud83dx","\ud83d\ud83d\ude00","\ud83d\n"]"#,
      #"["\#u{FFFD}","\#u{FFFD}","\#u{FFFD}x","\#u{FFFD}😀","\#u{FFFD}\n"]"#
    ),
    (#"{"e\u0301":1,"\u00e9":2}"#, "{\"e\u{301}\":1,\"\u{E9}\":2}"),
  ])
  func text_parsed_isWrittenAgain(text: String, expected: String?) throws {
    let written = try parse(text).text
    let sorted =
      text == #"{"b":1,"a":[true,false,null]}"# ? #"{"a":[true,false,null],"b":1}"# : text
    #expect(Array(written.utf8) == Array((expected ?? sorted).utf8), "\(written)")
    #expect(try parse(written).text == written)
  }

  @Test(arguments: [
    ("", JSONError.cutOff), (" ", .cutOff), ("tru", .cutOff), ("\"a", .cutOff),
    ("\"\\u12", .cutOff),
    ("1", .cutOff), ("x", .malformed(at: 0)), ("[1,]", .malformed(at: 3)),
    ("{\"a\" 1}", .malformed(at: 5)), ("{a:1}", .malformed(at: 1)), ("[01]", .malformed(at: 2)),
    ("[1.]", .malformed(at: 3)), ("[-]", .malformed(at: 2)), ("[1e]", .malformed(at: 3)),
    ("[\"\n\"]", .malformed(at: 2)), ("[\"\\x\"]", .malformed(at: 3)), ("{} {}", .malformed(at: 3)),
    ("[\"\\u12g4\"]", .malformed(at: 6)), ("nul]", .malformed(at: 3)), ("[1 2]", .malformed(at: 3)),
    (String(repeating: "[", count: 33), .nestedTooDeep),
    (String(repeating: "{\"a\":", count: 33), .nestedTooDeep),
    (String(repeating: "[", count: 50_000), .nestedTooDeep),
  ])
  func text_thatIsNone_isRefused(text: String, expected: JSONError) {
    #expect(throws: expected) { try parse(text) }
  }

  @Test func nesting_isReadAndWrittenUpToItsLimit() throws {
    let limit = JSONValue.nestingLimit
    let text = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
    #expect(try parse(text).text == text)
  }

  @Test(arguments: [
    ("{", "{}"), ("{\"a", "{}"), (#"{"a":"#, "{}"), (#"{"a":1"#, "{}"), (#"{"a":1,"#, #"{"a":1}"#),
    (#"{"a":true"#, #"{"a":true}"#), (#"{"a":tru"#, "{}"), (#"{"a":"x","b":"y"#, #"{"a":"x"}"#),
    (#"{"a":{"b":"c","d":["e","f"#, #"{"a":{"b":"c","d":["e"]}}"#), (#"{"a":[],"#, #"{"a":[]}"#),
  ])
  func object_cutOff_hasWhatCameWhole(text: String, expected: String) throws {
    var parser = JSONParser(Array(text.utf8))
    #expect(try parser.parse().text == expected)
    #expect(parser.isCutOff)
  }

  @Test func bytes_thatAreNoUTF8_areReplaced() throws {
    var parser = JSONParser([0x22, 0x61, 0xFF, 0xC3, 0x22])
    #expect(try parser.parse() == .string("a\u{FFFD}\u{FFFD}"))
    parser = JSONParser([0x5B, 0xFF])
    #expect(throws: JSONError.malformed(at: 1)) { try parser.parse() }
  }

  @Test(arguments: [
    ("1", true), ("0", false), ("0.0", false), ("-1", true), ("true", true), ("false", false),
    ("\"YES\"", true), ("\"no\"", false), ("\"1\"", true), ("\"0\"", false), ("\"\"", false),
    ("\"True\"", true), ("\"maybe\"", nil), ("null", nil), ("{}", nil), ("[]", nil),
  ])
  func flags_areSaidInManyWays(text: String, expected: Bool?) throws {
    guard case .array(let values) = try parse("[\(text)]") else { return }
    #expect(values.map(\.asFlag) == [expected])
  }

  @Test(
    arguments: [
      ("1", 1), ("-7", -7), ("1.0", 1), ("1e3", 1000), ("\"12\"", 12),
      ("9223372036854775807", .max),
      ("1.5", nil), ("1e300", nil), ("\"x\"", nil), ("9223372036854775808", nil), ("true", nil),
      ("\"0x10\"", 16), ("\"nan\"", nil), ("\"inf\"", nil),
    ] as [(String, Int64?)])
  func integers_areSaidInManyWays(text: String, expected: Int64?) throws {
    guard case .array(let values) = try parse("[\(text)]") else { return }
    #expect(values.map(\.asInteger) == [expected])
  }
}
