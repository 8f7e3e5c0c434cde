import EventStore
import TestSupport
import Testing
import Tideline

/// Each push is read as its sender meant it, and loses nothing.
@Suite struct PushTests {
  @Test(arguments: PushSample.all)
  func sample_isWhatItIs(sample: PushSample) {
    let outcome = PushSample.outcome(of: sample.json, by: sample.keys)
    #expect(outcome == sample.expected, "\(outcome.joined(separator: "\n"))")
  }

  @Test func push_saysWhatItSays() throws {
    let push = try received(
      #"{"inbox":{"id":7,"sendDate":"Nov 14, 2023","messageType":"8","custom":[1],"mediaURL":"u"}}"#
    )
    let texts = PushField.allCases.compactMap { field in push[field].map { "\(field) \($0)" } }
    #expect(
      texts == ["id 7", "messageType 8", "mediaURL u", "sendDate Nov 14, 2023", "custom [1]"])
    #expect(push.isOurs && !push.isRecorded && push.badge == nil && push.customKeys == "{}")
    #expect(try received(#"{"inbox":{"id":7,"badge":4e9}}"#)[.badge] == "4000000000")
    let foreign = try received(#"{"aps":{"alert":"Hi","badge":1}}"#)
    #expect(!foreign.isOurs && foreign.badge == nil && foreign[.alert] == nil)
  }

  private func received(_ json: String) throws -> ReceivedPush {
    try PushPayload(json: Array(json.utf8)).received(by: .tideline)
  }

  /// No row has room for a title of this size and its folded form.
  @Test func textThatIsTooLong_isKeptElsewhere_andTheRowIsThere() async throws {
    let long = String(repeating: "x", count: 35_000)
    let json = #"{"_sid":"SFMC","_mt":8,"_m":"m1","title":"\#(long)","alert":"Hi"}"#
    try await TestDesk.withInbox(.marketingCloud) { inbox, _ in
      let payload = try PushPayload(json: Array(json.utf8))
      let push = try await inbox.store.receive(payload, by: .marketingCloud)
      #expect(push.isRecorded && push[.title] == nil)
      let message = try #require(try inbox.object(RichMessage.self, "m1"))
      #expect(message.title == nil && message.alert == "Hi")
      let kept = try message.customKeys.flatMap(inbox.text)
      #expect(kept == #"{"title":"\#(long)"}"#)
      #expect(try inbox.store.refused().isEmpty)
    }
  }

  @Test func keys_canBeChanged() throws {
    var keys = PushKeys.marketingCloud
    keys.names[.subject] = ["subject"]
    keys.inbox["is_inbox"] = []
    let json = #"{"_sid":"SFMC","_m":"m1","is_inbox":"yes","subject":"S"}"#
    #expect(
      PushSample.outcome(of: json, by: keys).prefix(2) == [
        "message", "alert arrived id=“m1” unknown=15 bytes subject=“S” customKeys=18 bytes",
      ])
    #expect(PushSample.outcome(of: json, by: .marketingCloud)[0] == "silent")
    let without = json.replacing("yes", with: "no")
    #expect(PushSample.outcome(of: without, by: keys)[0] == "silent")
  }

  @Test func payload_overItsLimit_isRefused() throws {
    let text = String(repeating: "a", count: PushPayload.bytesMax - 14)
    let json = Array(#"{"inbox":{"id":"1"},"a":"\#(text)"}"#.utf8)
    #expect(throws: PushError.tooLarge(bytes: json.count)) { try PushPayload(json: json) }
    let most = Array(#"{"_a":"\#(text)b345"}"#.utf8)
    #expect(most.count == PushPayload.bytesMax - 1)
    #expect(try PushPayload(json: most).members.count == 1)
    #expect(throws: PushError.nestedTooDeep) {
      try PushPayload(json: Array(String(repeating: "{\"a\":", count: 40).utf8))
    }
  }

  @Test func errors_sayWhatIsWrong() {
    let errors: [PushError] = [
      .cutOff, .malformed(offset: 3), .nestedTooDeep, .tooLarge(bytes: 99),
      .foreignValue(type: "T"),
      .noID, .notRecorded(.closed(path: "p")),
    ]
    #expect(Set(errors.map(\.description)).count == errors.count)
    #expect(PushError.notRecorded(.closed(path: "p")).description.contains("Reopen it"))
  }

  /// A message's fields and its remaining members add up to the payload again.
  @Test(.feature(84, 85)) func messages_loseNothing() throws {
    for seed in 0..<UInt64(Campaign.size(500, long: 50_000)) {
      var random = RandomPush(seed: seed)
      let sample = random.message()
      let payload = try PushPayload(json: Array(JSONValue.object(sample).text.utf8))
      #expect(payload.members == sample, "seed \(seed)")
      let push = try payload.received(by: .marketingCloud)
      #expect(push.kind == .message, "seed \(seed)")
      #expect(try RandomPush.rebuilt(push, like: sample) == sample, "seed \(seed)")
    }
  }
}
