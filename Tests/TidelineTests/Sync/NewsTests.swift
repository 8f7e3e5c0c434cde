import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Which facts of an answer are news though they repeat what is known.
@Suite(.timeLimit(.minutes(5))) struct NewsTests {
  private func thread(_ tags: [String]) -> ObjectFact {
    ObjectFact(
      .thread,
      ObjectFields {
        $0.put(.id, "t")
        $0.put(.tags, tags.map { ObjectLabel($0) })
      })
  }

  private let message = ObjectFact(
    .message,
    ObjectFields {
      $0.put(.id, "m")
      $0.put(.thread, "t")
      $0.put(.isUnread, true)
    })

  private func tags(_ inbox: Inbox) throws -> Set<String>? {
    try inbox.object(MailThread.self, "t")?.tagIDs
  }

  /// A new unread message makes its thread unseen, though the server says the thread is seen.
  @Test(.rule(10)) func thread_isNews_behindAMessageOfIt() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let seen = thread(["inbox", "unread"])
      try await inbox.apply(Delivery { $0.add(seen) })
      try await inbox.apply(
        Delivery {
          $0.add(message)
          $0.add(seen)
        })
      #expect(try tags(inbox) == ["inbox", "unread"])
    }
  }

  /// An object's earlier state counts again after another state.
  @Test func thread_isNews_behindItself() async throws {
    try await TestDesk.withInbox { inbox, _ in
      try await inbox.apply(Delivery { $0.add(thread(["inbox"])) })
      try await inbox.apply(
        Delivery {
          $0.add(thread(["archive"]))
          $0.add(thread(["inbox"]))
        })
      #expect(try tags(inbox) == ["inbox"])
    }
  }

  /// A server's echo of what its answer to a request already said is no news.
  @Test func echo_ofWhatTheAnswerSaid_isNoNews() async throws {
    try await TestDesk.withInbox { inbox, desk in
      try await inbox.apply(Delivery { $0.add(thread(["inbox", "unread"])) })
      let receipt = try await inbox.perform(.markRead(MailThread.self, ["t"]))
      let login = try inbox.login()
      let taken = try await inbox.take(
        Delivery { $0.add(thread(["inbox"])) },
        with: [OperationAcknowledged { $0.intent = receipt.number }], for: login,
        durability: .relaxed)
      try await taken.receipt.visible()
      #expect(try tags(inbox) == ["inbox"] && inbox.openOperations().isEmpty)
      let echo = try await inbox.take(
        Delivery { $0.add(thread(["inbox"])) }, for: login, durability: .relaxed)
      #expect(echo.count == 0)
      let other = try await inbox.take(
        Delivery { $0.add(thread(["inbox", "unread"])) }, for: login, durability: .relaxed)
      #expect(other.count == 1)
      try await other.receipt.visible()
      #expect(try tags(inbox) == ["inbox", "unread"])
    }
  }
}
