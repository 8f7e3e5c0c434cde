import EventStore
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Lists that a server marks, and sends only when they change.
@Suite(.timeLimit(.minutes(5))) struct MarkedListTests {
  /// A rich inbox, and a server that sends its whole list unless the question names the list's
  /// mark.
  private struct Stand: Sendable {
    let desk: TestDesk
    let policy: PolicySwitches
    let server: PlayedServer
    private let list: Told

    private final class Told: Sendable { let answer = Mutex(Answer()) }

    init(_ policy: PolicySwitches = .engage, refusing isRefusing: Bool = false) throws {
      (desk, self.policy) = (try TestDesk(), policy)
      let list = Told()
      server = PlayedServer(
        .rich,
        onQuestion: { question in
          list.answer.withLock { told in
            guard case .all(.rich, let known?) = question, told.cursor == known else { return told }
            return Answer { ($0.isUnchanged, $0.status) = (true, 304) }
          }
        },
        onRequest: { request, _ throws(ServerFailure) in
          if isRefusing { throw ServerFailure(.forbidden) }
          return Settlement(request.parts.map { _ in .done() }, status: 200)
        })
      self.list = list
    }

    /// Gives the server messages, and marks their list.
    func tell(_ ids: String..., mark: String?, _ change: (inout Answer) -> Void = { _ in }) {
      list.answer.withLock { told in
        told = Answer { answer in
          answer.cursor = mark
          answer.facts = ids.map { id in
            ObjectFact(
              .rich,
              ObjectFields { fields in
                fields.put(.id, id)
                fields.put(.change, ObjectChange.whole)
              })
          }
        }
        change(&told)
      }
    }

    /// Opens the inbox as a starting app does, synchronizes it and calls `body`; returns the
    /// questions to the server, and the ids of messages in the inbox.
    @discardableResult
    func refresh(
      _ body: (Inbox) async throws -> Void = { _ in }
    ) async throws -> (asked: [Question], ids: [String]) {
      let count = server.asked.count
      let store = try await desk.open()
      let inbox = try await store.logIn("alice@example.com", policy: policy)
      let (sync, notices) = (Sync(inbox, with: server), inbox.notices)
      sync.start()
      for await notice in notices where notice == .refreshCompleted { break }
      try await body(inbox)
      sync.stop()
      let ids = try ["r1", "r2", "r3"].filter { try inbox.object(RichMessage.self, $0) != nil }
      await store.close()
      return (Array(server.asked[count...]), ids)
    }
  }

  @Test func list_thatIsAsItWas_isNotToldAgain() async throws {
    let stand = try Stand()
    stand.tell("r1", "r2", mark: "m1")
    #expect(try await stand.refresh() == ([.all(.rich)], ["r1", "r2"]))
    #expect(try await stand.refresh() == ([.all(.rich, unlessAt: "m1")], ["r1", "r2"]))
    stand.tell("r2", "r3", mark: "m2")
    #expect(try await stand.refresh() == ([.all(.rich, unlessAt: "m1")], ["r2", "r3"]))
    #expect(try await stand.refresh() == ([.all(.rich, unlessAt: "m2")], ["r2", "r3"]))
  }

  private static let unsure: [@Sendable (inout Answer) -> Void] = [
    { $0.cursor = nil }, { $0.isComplete = false }, { $0.facts = [] },
    { answer in answer.refused = [ItemRefused { $0.reason = "no message" }] },
  ]

  /// The previous list's mark isn't kept either, as the server may return to that list.
  @Test(arguments: unsure.indices) func list_ofWhichNotAllIsTaken_isToldAgain(
    place: Int
  ) async throws {
    let stand = try Stand()
    stand.tell("r1", "r2", mark: "m1")
    try await stand.refresh()
    stand.tell("r1", "r3", mark: "m2", Self.unsure[place])
    #expect(try await stand.refresh().asked == [.all(.rich, unlessAt: "m1")])
    #expect(try await stand.refresh().asked == [.all(.rich)])
    stand.tell("r1", "r2", mark: "m1")
    #expect(try await stand.refresh() == ([.all(.rich)], ["r1", "r2"]))
    #expect(try await stand.refresh().asked == [.all(.rich, unlessAt: "m1")])
  }

  /// A pending operation may keep the message here though it is gone there.
  @Test func list_thatLeavesOpenWhatIsGone_isToldAgain() async throws {
    let stand = try Stand(refusing: true)
    stand.tell("r1", "r2", mark: "m1")
    try await stand.refresh { try await $0.perform(.markRead(RichMessage.self, ["r1"])) }
    stand.tell("r2", mark: "m2")
    #expect(try await stand.refresh() == ([.all(.rich, unlessAt: "m1")], ["r1", "r2"]))
    #expect(try await stand.refresh().asked == [.all(.rich)])
  }

  /// The message may have been in the list already.
  @Test func list_isToldAgain_whileItIsToShowWhatWasDone() async throws {
    var policy = PolicySwitches.inbox
    policy.readsOwnWrites = true
    let stand = try Stand(policy)
    stand.tell("r1", "r2", mark: "m1")
    try await stand.refresh { inbox in
      let receipt = try await inbox.perform(.markRead(RichMessage.self, ["r1"]))
      while !stand.server.wanted.contains(.read(true)) {
        try await Task.sleep(for: .milliseconds(1))
      }
      while try inbox.openOperations().contains(where: { $0.intent == receipt.number }) {
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    #expect(try await stand.refresh().asked == [.all(.rich)])
    // The list was sent after the operation, so it is complete.
    #expect(try await stand.refresh().asked == [.all(.rich, unlessAt: "m1")])
  }

  /// A crash in between leaves neither the mark of the old list nor that of the new one.
  @Test func mark_isTakenAway_beforeAnotherListIsTakenIn() async throws {
    let stand = try Stand()
    stand.tell("r1", mark: "m1")
    try await stand.refresh()
    stand.tell("r1", "r2", mark: "m2")
    var kinds: [EventKind] = []
    try await stand.refresh { inbox in
      try inbox.store.core.log.read { snapshot in
        var cursor = try snapshot.records()
        while try cursor.next() { kinds.append(cursor.record.header.kind) }
      }
    }
    let told: Set = [CursorReset.kind, CursorSet.kind, ObjectFact(.rich, ObjectFields()).kind]
    #expect(
      kinds.filter(told.contains).map { $0 == CursorReset.kind ? 1 : $0 == CursorSet.kind ? 2 : 0 }
        == [0, 2, 1, 0, 2])
  }
}
