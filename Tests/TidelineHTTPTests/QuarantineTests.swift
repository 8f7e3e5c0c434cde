import EventStore
import TestSupport
import Testing
import Tideline
import TidelineHTTP

/// A fault in one item costs only that item, and the refusal says what is wrong and where.
@Suite struct QuarantineTests {
  private static let good = #"{"object":"message","event":"modify","id":"m1","attributes":{}}"#

  /// A page with the item between two good ones.
  private func page(_ item: String) -> String {
    #"{"cursor_end":"a","deltas":[\#(Self.good),\#(item),\#(Self.good)]}"#
  }

  private static let start = 28 + good.utf8.count + 1

  private func delta(_ attributes: String, of object: String = "message") -> String {
    #"{"object":"\#(object)","event":"modify","id":"m2","attributes":\#(attributes)}"#
  }

  private func check(
    _ item: String, _ reason: JSONFault.Reason, at word: String? = nil, id: String? = "m2",
    _ objectClass: ObjectClass? = .message
  ) throws {
    let items = try Reading.deltas(page(item)).items
    #expect(items.facts.map(\.fields.id) == ["m1", "m1"])
    let refused = try #require(items.refused.first)
    #expect(items.refused.count == 1)
    #expect(refused.reason == reason.description)
    #expect(refused.id == id && refused.objectClass == objectClass)
    #expect(refused.content?.bytes == Array(item.utf8.prefix(WireLimits.refusedBytes)))
    let place = word.flatMap { item.utf8Offset(of: $0) } ?? 0
    #expect(refused.offset == Int64(Self.start + place), "\(item)")
  }

  @Test(
    .defect(.braze, 3), .defect(.liveStore, 8),
    arguments: [
      ("subject", "true", "a text"), ("subject", "[]", "a text"), ("thread_id", "{}", "a text"),
      ("date", "false", "a time"), ("date", "[1]", "a time"), ("unread", "\"maybe\"", "yes or no"),
      ("unread", "[]", "yes or no"), ("from", "{}", "a list of people"),
      ("from", "\"a@x\"", "a list of people"), ("files", "{}", "a list of files"),
      ("file_ids", "\"f\"", "a list of texts"),
    ])
  func valueOfAnotherType_costsItsItem(name: String, value: String, expected: String) throws {
    try check(
      delta(#"{"\#(name)":\#(value)}"#), .wrongType(name, expected: expected),
      at: "\(value)}}")
  }

  @Test func itemWithinAList_ofAnotherType_costsTheObject() throws {
    try check(
      delta(#"{"from":[{"email":true}]}"#), .wrongType("from", expected: "a text"), at: "true")
    try check(delta(#"{"from":[[1]]}"#), .wrongType("from", expected: "a text"), at: "[1]")
    try check(
      delta(#"{"files":[{"id":"f","size":[]}]}"#), .wrongType("size", expected: "a number"),
      at: "[]}]")
    try check(
      delta(#"{"files":[{"id":"f"},"g"]}"#), .wrongType("files", expected: "a list of files"),
      at: "\"g\"")
    try check(
      delta(#"{"labels":[null]}"#), .wrongType("labels", expected: "a label"), at: "null]")
    try check(
      delta(#"{"labels":[{"color":1}]}"#), .missing("the id in labels"), at: "{\"color")
    try check(
      delta(#"{"file_ids":[null]}"#), .wrongType("file_ids", expected: "a list of texts"),
      at: "null]")
  }

  @Test func absurdNumbers_costTheItem() throws {
    try check(delta(#"{"date":1e300}"#), .absurd("date"), at: "1e300")
    try check(delta(#"{"date":99999999999999999999}"#), .absurd("date"), at: "9999")
    try check(delta(#"{"version":1.5}"#), .absurd("version"), at: "1.5")
    try check(delta(#"{"version":"x"}"#), .absurd("version"), at: "\"x\"")
    try check(
      delta(#"{"version":9223372036854775808}"#), .absurd("version"), at: "9223372036854775808")
  }

  @Test func envelope_thatLacksSomething_costsTheItem() throws {
    try check(#"{"event":"modify","id":"m2","attributes":{}}"#, .missing("object"), nil)
    try check(#"{"object":"message","id":"m2","attributes":{}}"#, .missing("event"), nil)
    try check(
      #"{"object":"message","event":"modify","id":"m2"}"#, .missing("attributes"), nil)
    try check(
      #"{"object":"message","event":"modify","attributes":{}}"#, .missing("id"), id: nil)
    try check(
      #"{"object":"message","event":"modify","id":"","attributes":{}}"#, .missing("id"),
      at: "\"\"", id: "")
    try check(
      #"{"object":"message","event":"burn","id":"m2"}"#, .unknownWord("event"), at: "\"burn", nil)
    try check(
      delta(#"{"id":"m3"}"#), .contradiction("id"), at: "\"m3\"")
    try check("7", .wrongType("the item", expected: "an object"), id: nil, nil)
    try check("[{}]", .wrongType("the item", expected: "an object"), id: nil, nil)
    try check("null", .wrongType("the item", expected: "an object"), id: nil, nil)
  }

  @Test func ids_areLimited() throws {
    let (long, limit) = (String(repeating: "a", count: WireLimits.idBytes + 1), WireLimits.idBytes)
    try check(
      #"{"object":"message","event":"delete","id":"\#(long)"}"#, .tooLong("id", limit: limit),
      at: "\"aaa", id: nil)
    try check(
      delta(#"{"thread_id":"\#(long)"}"#), .tooLong("thread_id", limit: limit), at: "\"aaa")
    let fits = String(repeating: "a", count: limit)
    let items = try Reading.deltas(page(delta(#"{"thread_id":"\#(fits)"}"#))).items
    #expect(items.refused.isEmpty && items.facts[1].fields.text(.thread) == fits)
  }

  @Test func deepNesting_costsTheItem() throws {
    let limit = WireLimits.nesting
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    for depth in [limit, 5000] {
      try check(delta(#"{"x":\#(nested(depth))}"#), .nestedTooDeep(limit: limit))
    }
    let items = try Reading.deltas(page(delta(#"{"x":\#(nested(limit - 1))}"#))).items
    let unknown = try #require(items.facts[1].fields.json(.unknown))
    var parser = JSONParser(unknown)
    let value = try parser.parse()
    #expect(items.refused.isEmpty && value != .null)
  }

  @Test(arguments: ["from", "labels", "file_ids", "files"])
  func deepNestingWithinAList_costsTheItem(name: String) throws {
    let limit = WireLimits.nesting
    func list(_ depth: Int) -> String {
      let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      return #"{"\#(name)":[{"id":"i","x":\#(nested)}]}"#
    }
    // The list and its object are levels too.
    for depth in [limit - 2, 5000] {
      try check(delta(list(depth)), .nestedTooDeep(limit: limit))
    }
    #expect(try Reading.deltas(page(delta(list(limit - 3)))).items.refused.isEmpty)
  }

  @Test func deepNestingInARichMessage_costsThatMessage() throws {
    let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
    let messages = #"{"id":"a"},{"id":"b","custom":\#(deep)},{"id":"c"}"#
    let text = #"{"messages":[\#(messages)],"complete":true}"#
    let page = try RichPage(Array(text.utf8).payloadBytes)
    #expect(page.items.facts.map(\.fields.id) == ["a", "c"] && !page.isComplete)
    let reason = JSONFault.Reason.nestedTooDeep(limit: WireLimits.nesting).description
    #expect(page.items.refused.map(\.id) == ["b"])
    #expect(page.items.refused.map(\.reason) == [reason])
  }

  // Takes a second or two in a debug build, as the test builds and reads 17 megabytes.
  @Test func longItem_costsItself() throws {
    let long = String(repeating: "a", count: WireLimits.itemBytes)
    try check(
      delta(#"{"body":"\#(long)"}"#), .tooLong("the item", limit: WireLimits.itemBytes))
  }

  @Test func textThatIsNotUTF8_costsTheItem_whereverItIs() throws {
    for (name, start, end) in [
      ("subject", "", ""), ("nobody knows", "", ""), ("from", "[", "]"), ("file_ids", "[", "]"),
    ] {
      let before = #"{"cursor_end":"a","deltas":[\#(Self.good),{"object":"message","id":"m2","#
      let bytes =
        Array((before + #""event":"modify","attributes":{"\#(name)":\#(start)"x"#).utf8) + [0xFF]
        + Array(#""\#(end)}},\#(Self.good)]}"#.utf8)
      let items = try DeltaPage(bytes.payloadBytes).items
      #expect(items.facts.count == 2 && items.refused.count == 1)
      #expect(items.refused.first?.reason == JSONFault.Reason.notUTF8.description)
      #expect(items.refused.first?.offset == Int64(bytes.firstIndex(of: 0xFF) ?? -1))
    }
  }

  @Test func refusals_areToldOneByOne_upToALimit() throws {
    let (limit, more) = (WireLimits.refusals, 7)
    let bad = Array(repeating: "0", count: limit + more).joined(separator: ",")
    let items = try Reading.deltas(page(bad)).items
    #expect(items.facts.count == 2 && items.count == limit + more + 2)
    #expect(items.refused.count == limit + 1)
    #expect(items.refused.last == ItemRefused { $0.reason = "7 more could not be taken in" })
  }

  @Test func errorsAmongObjects_areRefused() throws {
    let list = try Reading.objects(
      #"[{"id":"1"},{"type":"api_error","message":"x"},{"id":"2"}]"#, .thread)
    #expect(list.items.facts.map(\.fields.id) == ["1", "2"])
    #expect(list.items.refused.map(\.reason) == [JSONFault.Reason.missing("id").description])
    #expect(list.items.refused.first?.offset == 12 && list.items.refused.first?.id == nil)
  }
}

extension String {
  /// The offset of a text in this one, in bytes.
  fileprivate func utf8Offset(of text: String) -> Int? {
    firstRange(of: text).map { utf8.distance(from: startIndex, to: $0.lowerBound) }
  }
}
