import EventStore
import TestSupport
import Testing
import Tideline
import TidelineHTTP

/// Pages of changes, as servers write them.
@Suite struct DeltaPageTests {
  /// Two changes, the second with nothing but an id.
  static let page = """
    {"cursor_start":"a1","cursor_end":"a9","deltas":[
      {"cursor":"a5","object":"thread","event":"modify","id":"9x","attributes":
        {"id":"9x","object":"thread","namespace_id":"n1","subject":"Hi",
         "participants":[{"name":"A","email":"a@x"}],"last_message_timestamp":1400000000,
         "first_message_timestamp":1390000000,"snippet":"…",
         "tags":[{"id":"inbox","name":"inbox"},{"id":"unread","name":"unread"}],
         "version":3,"message_ids":["m1"],"draft_ids":[]}},
      {"cursor":"a9","object":"message","event":"delete","id":"m0"}]}
    """

  @Test func page_ofTheDocumentation_isFacts() throws {
    let page = try Reading.deltas(Self.page)
    #expect(page.start == "a1" && page.end == "a9" && !page.isLast)
    #expect(page.items.refused.isEmpty)
    let thread = ObjectFact.expected(.thread) {
      $0.put(.id, "9x")
      $0.put(.version, 3)
      $0.put(.namespace, "n1")
      $0.put(.subject, "Hi")
      $0.put(.snippet, "…")
      $0.put(.firstMessageDate, Timestamp(seconds: 1_390_000_000))
      $0.put(.lastMessageDate, Timestamp(seconds: 1_400_000_000))
      $0.put(.participants, [ObjectPerson(name: "A", email: "a@x")])
      $0.put(.tags, [ObjectLabel("inbox", name: "inbox"), ObjectLabel("unread", name: "unread")])
      $0.put(.messageIDs, ["m1"])
      $0.put(.draftIDs, [String]())
    }
    let deletion = ObjectFact.expected(.message) {
      $0.put(.id, "m0")
      $0.put(.change, ObjectChange.deleted)
    }
    #expect(page.items.facts == [thread, deletion])
  }

  @Test func facts_areWhatTheirPayloadsAreReadAs() throws {
    for fact in try Reading.deltas(Self.page).items.facts {
      let again = try ObjectFact(fact.objectClass, decoding: fact.payload.payloadBytes)
      #expect(again == fact && again.payload == fact.payload)
    }
  }

  /// One page may create, change and delete the same object.
  @Test(.feature(25, 31), .rule(11)) func changesOfOneObject_keepTheirOrder() throws {
    let page = try Reading.deltas(
      """
      {"deltas":[
        {"event":"create","attributes":{"subject":"A"},"object":"message","id":"m1"},
        {"id":"m1","attributes":{"subject":"B"},"event":"modify","object":"message","x":[1]},
        {"id":"m1","event":"delete","object":"message","attributes":null}],
       "more":{"a":[]},"cursor_end":7}
      """)
    #expect(page.start == nil && page.end == "7")
    #expect(page.items.facts.map(\.fields.change) == [.created, .changed, .deleted])
    #expect(page.items.facts.map { $0.fields.text(.subject) } == ["A", "B", nil])
    #expect(page.items.facts.allSatisfy { $0.fields.id == "m1" })
  }

  @Test func emptyPage_isTheLast() throws {
    let page = try Reading.deltas(#"{"cursor_start":"a","cursor_end":"a","deltas":[]}"#)
    #expect(page.isLast && page.start == page.end)
  }

  @Test func classes_areKnownByAnyOfTheirNames() throws {
    let names: [(String, ObjectClass)] = [
      ("thread", .thread), ("message", .message), ("draft", .draft), ("contact", .contact),
      ("file", .file), ("tag", .tag), ("label", .tag), ("folder", .tag), ("namespace", .account),
      ("account", .account), ("event", .other), ("calendar", .other),
    ]
    for (name, objectClass) in names {
      let text = #"{"id":"1","object":"\#(name)","event":"delete"}"#
      let fact = try Reading.deltas(#"{"cursor_end":"a","deltas":[\#(text)]}"#).items.facts.first
      #expect(fact?.objectClass == objectClass)
      #expect(fact?.fields.text(.className) == (objectClass == .other ? name : nil))
    }
  }

  @Test(.feature(30)) func classNobodyKnows_isKeptWhole() throws {
    let text = #"{"id":"e1","object":"event","when":{"time":1},"title":"Lunch"}"#
    let page = try Reading.deltas(
      #"{"cursor_end":"a","deltas":[{"id":"e1","object":"event","event":"create","#
        + #""attributes":\#(text)}]}"#
    )
    let expected = ObjectFact.expected(.other) {
      $0.put(.id, "e1")
      $0.put(.change, ObjectChange.created)
      $0.put(.className, "event")
      $0.put(.unknown, json: Array(#"{"when":{"time":1},"title":"Lunch"}"#.utf8))
    }
    #expect(page.items.facts == [expected])
  }

  @Test(arguments: [
    (#"{"cursor_end":"a","deltas":[]"#, JSONFault.Reason.cutOff, 29),
    (#"{"cursor_end":"a","deltas":[]}x"#, .trailing, 30),
    (#"{"cursor_end":"a","deltas":{}}"#, .unexpected, 27),
    (#"{"cursor_end":"a","deltas":null}"#, .unexpected, 27),
    (#"{"cursor_end":"a"}"#, .missing("deltas"), 0),
    (#"{"deltas":[]}"#, .missing("cursor_end"), 0),
    (#"{"deltas":[],"cursor_end":null}"#, .wrongType("cursor_end", expected: "a text"), 26),
    (#"[]"#, .unexpected, 0), ("", .cutOff, 0), ("<html>", .unexpected, 0),
    (#"{"deltas":[],"cursor_end":"a","deltas":[]}"#, .contradiction("deltas"), 30),
    (#"{"cursor_end":"a","deltas":[{"id":"1" "x"}]}"#, .unexpected, 38),
    (#"{"cursor_end":"a","deltas":[{"id":1.}]}"#, .unexpected, 36),
  ])
  func page_thatIsNone_isRefusedAsAWhole(text: String, reason: JSONFault.Reason, at: Int) {
    #expect(throws: JSONFault(reason, at: at)) { try Reading.deltas(text) }
  }

  @Test func cursor_thatIsTooLong_orNoText_isRefused() {
    let long = String(repeating: "a", count: WireLimits.idBytes + 1)
    #expect(
      throws: JSONFault(.tooLong("cursor_end", limit: WireLimits.idBytes), at: 26)
    ) { try Reading.deltas(#"{"deltas":[],"cursor_end":"\#(long)"}"#) }
    let bytes = Array(#"{"deltas":[],"cursor_end":""#.utf8) + [0xFF, 0x22, 0x7D]
    #expect(throws: JSONFault(.notUTF8, at: 27)) { try DeltaPage(bytes.payloadBytes) }
  }

  @Test func line_ofAStream_isOneChangeAndItsCursor() throws {
    let line = #"{"cursor":"a9","object":"message","event":"delete","id":"m0"}"#
    let read = try DeltaLine(Array(line.utf8).payloadBytes)
    #expect(read.cursor == "a9" && read.items.facts.map(\.fields.id) == ["m0"])
    #expect(throws: JSONFault(.missing("cursor"), at: 0)) {
      try CursorAnswer(Array(#"{"id":"m0"}"#.utf8).payloadBytes)
    }
    #expect(try CursorAnswer(Array(#"{"x":[],"cursor":"0"}"#.utf8).payloadBytes).cursor == "0")
  }
}

/// A stream's lines arrive in pieces.
@Suite struct LineSplitterTests {
  @Test func lines_areTheSame_howeverTheyComeInPieces() throws {
    let stream = Array("{\"a\":1}\n\n\r\n{\"b\":\r2}\r\n日本\nrest".utf8)
    let expected = ["{\"a\":1}", "", "", "{\"b\":\r2}", "日本"]
    for size in 1...stream.count {
      var (splitter, lines) = (LineSplitter(), [String]())
      for start in stride(from: 0, to: stream.count, by: size) {
        let piece = Array(stream[start..<min(start + size, stream.count)])
        lines += try splitter.take(piece).map { String(decoding: $0, as: UTF8.self) }
      }
      #expect(lines == expected, "pieces of \(size)")
    }
  }

  @Test func line_thatIsTooLong_isRefused() throws {
    var splitter = LineSplitter()
    let limit = LineSplitter.lineBytesMax
    #expect(try splitter.take([UInt8](repeating: 0x61, count: limit) + [0x0A]).count == 1)
    #expect(try splitter.take([UInt8](repeating: 0x61, count: limit)) == [])
    #expect(throws: JSONFault(.tooLong("the line", limit: limit), at: 0)) {
      try splitter.take([0x61])
    }
  }
}
