import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineReplay

/// The origin of each field: a push, the server, or the person.
@Suite(.timeLimit(.minutes(5))) struct OriginTests {
  private func withInbox(_ body: (Inbox) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let store = try await InboxStore.open(at: folder.path)
    try await body(try await store.logIn("alice@example.com", policy: .marketingCloud))
    await store.close()
  }

  @Test func fields_areOfWhomSaidThem() async throws {
    try await withInbox { inbox in
      let json = #"{"_sid":"SFMC","_mt":8,"_m":"m1","aps":{"alert":"Hi"}}"#
      try await inbox.store.receive(
        PushPayload(json: Array(json.utf8)), by: .marketingCloud)
      var part = RichMessage(partOf: "m1", account: inbox.account)
      part.subject = "Sale"
      let told = part
      try await inbox.apply(Delivery { $0.add(told) })
      let reading = try await inbox.rich.markRead(["m1"])
      let message = try #require(try inbox.object(RichMessage.self, "m1"))
      let past = try InboxReplay(inbox.store)
      #expect(try past.origin(of: \.alert, in: message)?.source == .push)
      #expect(try past.origin(of: \.isRead, in: message)?.number == reading.number)
      #expect(try past.origin(of: \.isRead, in: message)?.source == .intent)
      #expect(try past.origin(of: \.url, in: message) == nil)
      let subject = try #require(try past.origin(of: \.subject, in: message))
      #expect(subject.source == .server && subject.text.contains("Sale"))
      #expect(throws: InboxReplayError.self) { try past.origin(of: \.isPartial, in: message) }
    }
  }

  @Test func intentThatIsOver_isEndedByItsOutcome() async throws {
    let folder = try TemporaryFolder()
    let store = try await InboxStore.open(at: folder.path)
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    var thread = MailThread(id: "t1", account: inbox.account)
    thread.tagIDs = ["inbox"]
    let told = thread
    try await inbox.apply(Delivery { $0.add(told) })
    let starring = try await inbox.perform(.star(told))
    let past = try InboxReplay(store)
    #expect(try past.origin(of: \.tagIDs, in: told)?.source == .intent)
    var batch = Batch()
    batch.add(
      OperationRejected { $0.intent = starring.number }, recordedAt: Timestamp(rawValue: 5),
      login: Login(account: 1, epoch: 1))
    let rejected = try await store.core.append(batch).lowerBound
    let later = try InboxReplay(store)
    #expect(try later.origin(of: \.tagIDs, in: told)?.number == rejected)
    #expect(try later.origin(of: \.tagIDs, in: told)?.source == .server)
    await store.close()
  }
}
