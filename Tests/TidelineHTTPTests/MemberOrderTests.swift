import TestSupport
import Testing
import Tideline
import TidelineHTTP

/// Lists are written in the order in which they are read, yet an object gives the same fact
/// whatever the order of its members.
@Suite struct MemberOrderTests {
  private static let members = [
    #""id":"m1""#, #""object":"message""#, #""subject":"Hi""#, #""date":1400000000"#,
    #""from":[{"name":"A","email":"a@x","odd":[1]}]"#, #""reply_to":[]"#,
    #""to":["b@x",{"email":"c\u0040x"}]"#, #""cc":[{"email":"d@x"}]"#, #""bcc":null"#,
    #""labels":["l1",{"id":"l2","name":"Two"}]"#, #""folder":{"id":"in"}"#,
    #""file_ids":["f1",2]"#, #""files":[{"id":"f1","size":3,"odd":{}}]"#,
  ]
  /// Members that later ones override.
  private static let first = [
    #""from":3"#, #""from":[{"name":"Z"}]"#, #""to":[[1]]"#, #""files":["f9"]"#, #""cc":{}"#,
    #""labels":[null]"#, #""bcc":[{"name":"Y"}]"#, #""files":[1]"#, #""file_ids":[{"no":1}]"#,
  ]

  private func object(_ members: [String]) -> String {
    "{" + members.joined(separator: ", ") + "}"
  }

  @Test(arguments: 0..<200 as Range<UInt64>) func facts_areTheSame(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let expected = try Reading.fact(object(Self.members), .message)
    let some = Self.first.filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
    let text = object(some + Self.members.shuffled(using: &random))
    let fact = try Reading.fact(text, .message)
    // Members without a field are kept as they were written.
    #expect(fact == expected, "seed \(seed): \(text)")
  }

  @Test(arguments: [
    (#""from":7"#, "a list of people"), (#""to":["a",[1]]"#, "a text"),
    (#""files":[{"id":"f"},3]"#, "a list of files"), (#""file_ids":{}"#, "a list of texts"),
    (#""labels":[null]"#, "a label"),
  ])
  func list_thatIsWrong_costsItsObjectAlone(member: String, expected: String) throws {
    let text = object(Self.members.filter { !$0.hasPrefix(member.prefix(5)) } + [member])
    let (before, after) = (#"{"id":"m0","cc":["a@x"]}"#, #"{"id":"m2","cc":["b@x"]}"#)
    let items = try Reading.objects("[\(before),\(text),\(after)]", .message).items
    #expect(items.refused.map { $0.id ?? "" } == ["m1"])
    #expect(items.refused.first?.reason.contains(expected) == true)
    let right = try [before, after].flatMap { try Reading.objects($0, .message).items.facts }
    #expect(items.facts == right)
  }

  @Test(arguments: [#"{"from":[{"a" 1}]}"#, #"{"to":["a""b"]}"#, #"{"files":[{"id":"f"},]}"#])
  func list_thatIsNoJSON_costsAll(text: String) {
    #expect(throws: JSONFault.self) { try Reading.objects("[\(text)]", .message) }
  }
}
