import EventStore
import TestSupport
import Testing
import Tideline
import TidelineHTTP
import TidelineSync

/// Whatever a server answers, the caller gets a result, and nothing in it is made up.
@Suite struct DamagedAnswerTests {
  private static let questions: [Question] = [
    .cursor(stream: "mail"), .changes(stream: "mail", since: "a", limit: 2),
    .page(.message, offset: 0, limit: 2), .object(.message, id: "m1"),
  ]
  private static let lines = [
    "POST /delta/latest_cursor", "GET /delta?cursor=a&limit=2", "GET /messages?offset=0&limit=2",
    "GET /messages/m1", "PUT /messages/m1", "POST /drafts", "POST /send", "GET /inbox/messages",
    "POST /inbox/status",
  ]

  @Test func answers_editedAtRandom_areTakenOrFail() async {
    for seed in 0..<UInt64(Campaign.size(300, long: 100_000)) {
      var generator = SeededGenerator(seed: seed)
      var bytes = DamageTests.samples.randomElement(using: &generator) ?? []
      for _ in 0..<Int.random(in: 0..<4, using: &generator) where !bytes.isEmpty {
        let place = bytes.indices.randomElement(using: &generator) ?? 0
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
        if Bool.random(using: &generator) { bytes.removeLast(bytes.count - place) }
      }
      let answer = HTTPAnswer(200, body: bytes)
      await check(
        Dictionary(uniqueKeysWithValues: Self.lines.map { ($0, [.answer(answer)]) }), seed)
    }
  }

  private func check(_ script: [String: [PlayedClient.Turn]], _ seed: UInt64) async {
    let courier = Courier(PlayedClient(script), .bearer)
    let (mail, rich) = (InboxServer(courier), RichInboxServer(courier))
    for question in Self.questions { check(await mail.outcome(of: question).reason, seed) }
    check(await rich.outcome(of: .all(.rich)).reason, seed)
    for (wanted, objectClass) in [
      (ServerRequest.Wanted.read(true), ObjectClass.message), (.sending(messageID: nil), .draft),
      (.draft(Draft(id: "d", account: 1), isNew: true), .draft),
    ] {
      check(await mail.outcome(of: wanted, objectClass, "m1"), seed)
    }
    check(await rich.outcome(of: .read(true), .rich, "1"), seed)
  }

  private func check(_ reason: ServerFailure.Reason?, _ seed: UInt64) {
    #expect(reason == nil || reason == .lostAnswer, "seed \(seed)")
  }

  /// A created object has an id other than the temporary one.
  private func check(_ outcome: Result<Settlement, ServerFailure>, _ seed: UInt64) {
    check(outcome.reason, seed)
    guard case .success(let settlement) = outcome else { return }
    #expect(settlement.outcomes.count == 1, "seed \(seed)")
    if case .done(_, let id?) = settlement.outcomes.first {
      #expect(!id.isEmpty && id != "m1", "seed \(seed)")
    }
  }
}
