import EventStore
import TestSupport
import Testing
import Tideline
import TidelineHTTP

/// Objects of every class, alone and in lists.
@Suite struct ObjectAnswerTests {
  @Test func message_hasAllItsFields() throws {
    let fact = try Reading.fact(
      """
      {"id":"m1","object":"message","namespace_id":"n1","subject":"Hi",
       "from":[{"name":"A","email":"a@x"}],"reply_to":[{"name":null,"email":"r@x"}],
       "to":["b@x"],"cc":[],"bcc":null,"date":1400000000,"thread_id":"9x","snippet":"…",
       "body":"<p class=\\"a\\">\\u00e9\\n","unread":true,"starred":0,"files":[
         {"id":"f1","object":"file","content_type":"image/jpeg","size":"123","filename":"a.jpg",
          "content_id":null,"odd":1}],
       "events":[],"folder":{"id":"in","display_name":"Inbox"},"headers":{"X":[1, 2]}}
      """, .message)
    #expect(
      fact
        == .expected(.message) {
          $0.put(.id, "m1")
          $0.put(.unknown, json: Array(#"{"events":[],"headers":{"X":[1, 2]}}"#.utf8))
          $0.put(.namespace, "n1")
          $0.put(.subject, "Hi")
          $0.put(.snippet, "…")
          $0.put(.body, "<p class=\"a\">é\n")
          $0.put(.thread, "9x")
          $0.put(.date, Timestamp(seconds: 1_400_000_000))
          $0.put(.isUnread, true)
          $0.put(.isStarred, false)
          $0.put(.from, [ObjectPerson(name: "A", email: "a@x")])
          $0.put(.replyTo, [ObjectPerson(email: "r@x")])
          $0.put(.to, [ObjectPerson(email: "b@x")])
          $0.put(.cc, [ObjectPerson]())
          $0.putNull(.bcc)
          $0.put(.folders, [ObjectLabel("in", displayName: "Inbox")])
          $0.put(
            .files,
            [
              ObjectFields {
                $0.put(.id, "f1")
                $0.put(.unknown, json: Array(#"{"odd":1}"#.utf8))
                $0.put(.contentType, "image/jpeg")
                $0.put(.filename, "a.jpg")
                $0.putNull(.contentID)
                $0.put(.size, 123)
              }
            ])
        })
  }

  @Test func draft_hasAVersion_andWhatItAnswers() throws {
    let fact = try Reading.fact(
      #"{"id":"d1","object":"draft","version":0,"reply_to_message_id":null,"#
        + #""state":"sending","file_ids":["f1",2]}"#,
      .draft)
    #expect(
      fact
        == .expected(.draft) {
          $0.put(.id, "d1")
          $0.put(.version, 0)
          $0.put(.state, "sending")
          $0.putNull(.repliedMessage)
          $0.put(.fileIDs, ["f1", "2"])
        })
  }

  @Test func otherClasses_haveTheirFields() throws {
    let tag =
      #"{"id":"abc","object":"tag","name":"work","unread_count":2,"thread_count":"3","#
      + #""readonly":false}"#
    #expect(
      try Reading.fact(tag, .tag)
        == .expected(.tag) {
          $0.put(.id, "abc")
          $0.put(.name, "work")
          $0.put(.isReadOnly, false)
          $0.put(.unreadCount, 2)
          $0.put(.threadCount, 3)
        })
    let contact =
      #"{"id":7,"name":"A","email":"a@x","phone_numbers":["1",{"type":"home","number":2}],"#
      + #""source":null}"#
    #expect(
      try Reading.fact(contact, .contact)
        == .expected(.contact) {
          $0.put(.id, "7")
          $0.put(
            .unknown, json: Array(#"{"phone_numbers":["1",{"type":"home","number":2}]}"#.utf8))
          $0.put(.name, "A")
          $0.put(.email, "a@x")
          $0.putNull(.source)
          $0.put(.phoneNumbers, ["1", "2"])
        })
    let account =
      #"{"id":"n1","object":"namespace","account_id":"n2","email_address":"a@x","#
      + #""provider":"gmail","last_sync":1.5}"#
    #expect(
      try Reading.fact(account, .account)
        == .expected(.account) {
          $0.put(.id, "n1")
          $0.put(.namespace, "n2")
          $0.put(.email, "a@x")
          $0.put(.provider, "gmail")
          $0.put(.lastSync, Timestamp(rawValue: 1500))
        })
  }

  @Test(
    .feature(86),
    .serialized,
    arguments: [
      (#""2014-05-13T16:53:20Z""#, 1_400_000_000_000, "2014-05-13T16:53:20Z"),
      (#""1400000000""#, 1_400_000_000_000, "1400000000"),
      ("1400000000000", 1_400_000_000_000, nil),
      ("1400000000", 1_400_000_000_000, nil), ("-1", -1000, nil), ("0", 0, nil),
      (#""soon""#, nil, "soon"),
    ] as [(String, Int64?, String?)])
  func times_areNumbersOrTexts(value: String, expected: Int64?, text: String?) throws {
    let fact = try Reading.fact(#"{"id":"1","date":\#(value)}"#, .message)
    #expect(fact.fields.time(.date)?.rawValue == expected)
    #expect(fact.fields.text(.dateText) == text)
  }

  @Test func tags_areTextsOrObjects_andKeepWhatElseTheySay() throws {
    let fact = try Reading.fact(
      #"{"id":"t","tags":["inbox",{"id":"u1","name":"Work","color":"red"},{"name":"x"},5]}"#,
      .thread)
    var colored = ObjectLabel("u1", name: "Work")
    colored.unknown = EventBytes(Array(#"{"color":"red"}"#.utf8))
    #expect(
      fact.fields.labels(.tags)
        == [ObjectLabel("inbox"), colored, ObjectLabel("x", name: "x"), ObjectLabel("5")])
  }

  @Test func files_asIDs_areIDs() throws {
    let ids = try Reading.fact(#"{"id":"m","files":["f1","f2"]}"#, .message).fields
    #expect(ids.texts(.fileIDs) == ["f1", "f2"] && !ids.has(.files))
    let both = try Reading.fact(#"{"id":"m","files":["f1"],"file_ids":["f2"]}"#, .message).fields
    #expect(both.texts(.fileIDs) == ["f2"] && !both.has(.files))
    let none = try Reading.fact(#"{"id":"m","files":[]}"#, .message).fields
    #expect(none.files(.files) == [] && !none.has(.fileIDs))
    let absent = try Reading.fact(#"{"id":"m"}"#, .message).fields
    #expect(absent.numbers == [ObjectField.id.rawValue])
  }

  /// A file that can't be named costs neither its message nor the other files.
  @Test(arguments: [#""id":"","#, #""id":null,"#, ""])
  func file_withoutAnID_staysInItsMessage(id: String) throws {
    let files = try Reading.fact(
      #"{"id":"m","files":[{\#(id)"filename":"a"},{"id":"f"}]}"#, .message
    ).fields.files(.files)
    #expect(files?.map { $0.text(.id) } == [nil, "f"])
    #expect(files?.first?.text(.filename) == "a")
  }

  @Test func ofTwoOfAName_theLastCounts() throws {
    let fact = try Reading.fact(
      #"{"id":"t","subject":"A","sub\u006aect":"B","namespace_id":"n","account_id":"a"}"#, .thread)
    #expect(fact.fields.text(.subject) == "B" && fact.fields.text(.namespace) == "a")
    #expect(!fact.fields.has(.unknown))
  }

  @Test func list_isAnswered_asOneObjectIs() throws {
    let list = try Reading.objects(#" [ {"id":"1"} , {"id":"2","object":"draft"} ] "#, .message)
    #expect(list.isList && list.items.facts.map(\.objectClass) == [.message, .draft])
    #expect(list.items.facts.allSatisfy { $0.fields.change == .whole })
    let one = try Reading.objects(#"{"id":"1"}"#, .message)
    #expect(!one.isList && one.items.count == 1)
    #expect(throws: JSONFault(.wrongType("the answer", expected: "a list"), at: 0)) {
      try Reading.objects("1", .message)
    }
    #expect(throws: JSONFault(.unexpected, at: 3)) { try Reading.objects("[{}OK", .message) }
  }
}
