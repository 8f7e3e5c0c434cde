import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// An object that a server delivers is shown as delivered, whatever its contents.
@Suite(.timeLimit(.minutes(5))) struct DeliveredTests {
  @Test func wholeObjects_areShownAsTheyAre() async throws {
    try await TestDesk.withInbox(.plain) { inbox, _ in
      for seed in 0..<UInt64(Campaign.size(40, long: 2_000)) {
        try await expectShown(MailThread.self, seed, in: inbox)
        try await expectShown(Message.self, seed, in: inbox)
        try await expectShown(Draft.self, seed, in: inbox)
        try await expectShown(InboxTag.self, seed, in: inbox)
        try await expectShown(Contact.self, seed, in: inbox)
        try await expectShown(InboxFile.self, seed, in: inbox)
        try await expectShown(RichMessage.self, seed, in: inbox)
      }
    }
  }

  @Test func drafts_areKeptAsTheyWereWritten() async throws {
    try await TestDesk.withInbox { inbox, _ in
      for seed in 0..<UInt64(Campaign.size(40, long: 2_000)) {
        var dice = SeededGenerator(seed: seed)
        let draft: Draft = try drawn("\(seed)", &dice, in: inbox)
        let body = (0..<3).map { _ in Drawn.text(&dice) }.joined()
        try await inbox.perform(.save(draft, body: body))
        let shown = try #require(try inbox.object(Draft.self, draft.id))
        let others = differences(shown, draft).filter { line in
          // These properties hold the server's state and the progress of sending.
          !["known", "version", "state"].contains { line.hasPrefix($0) }
        }
        #expect(others.isEmpty, "seed \(seed)\n\(others.joined(separator: "\n"))")
        let text = try shown.body.flatMap(inbox.text)
        #expect(text.map { Array($0.utf8) } == Array(body.utf8), "seed \(seed)")
      }
    }
  }

  private func drawn<Object: Model>(
    _ id: String, _ dice: inout SeededGenerator, in inbox: Inbox
  ) throws -> Object {
    let drawn = try Drawn.object(Object.self, &dice)
    // The same object under an id of its own.
    let row = try Row("\(inbox.account)/\(id)", in: Object.collection) { drawn.fill(&$0) }
    var object = try #require(Object(row))
    object.known = -1
    return object
  }

  private func expectShown<Object: Model>(
    _ type: Object.Type, _ seed: UInt64, in inbox: Inbox
  ) async throws {
    var dice = SeededGenerator(seed: seed)
    let object: Object = try drawn("\(type)\(seed)", &dice, in: inbox)
    try await inbox.apply(Delivery { $0.add(object) })
    let shown = try inbox.object(type, object.id)
    let lines = shown.map { differences($0, object) } ?? ["nothing is shown"]
    #expect(lines.isEmpty, "seed \(seed): \(type)\n\(lines.joined(separator: "\n"))")
  }

  /// Returns the properties that differ, except those that a delivery does not report.
  private func differences<Object: Model>(_ shown: Object, _ told: Object) -> [String] {
    zip(Mirror(reflecting: shown).children, Mirror(reflecting: told).children)
      .filter { !Self.others.contains($0.label ?? "") && !isSame($0.value, $1.value) }
      .map { "\($0.label ?? ""): \($0.value), told \($1.value)" }
  }

  /// References into the log, and properties that the engine sets itself.
  private static let others: Set = [
    "account", "unknownFields", "body", "content", "custom", "customKeys", "keys",
    "effectiveDate", "isActive", "isOpened", "openedDate", "localPath", "serverID",
  ]

  private func isSame(_ one: Any, _ other: Any) -> Bool {
    if let one = one as? Set<String>, let other = other as? Set<String> {
      // A starred object also has the tag for starred objects.
      return one.subtracting(["starred"]) == other
    }
    if let one = one as? Date, let other = other as? Date { return one.kept == other.kept }
    return "\(one)" == "\(other)"
  }
}

extension PolicySwitches {
  /// A policy that accepts everything the server says.
  fileprivate static let plain = PolicySwitches { $0.serverEditsApply = true }
}
