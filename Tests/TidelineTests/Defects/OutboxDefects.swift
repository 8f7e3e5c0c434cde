import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineSync

/// What other engines did to a person's pending changes, and this one must not.
@Suite(.timeLimit(.minutes(5))) struct OutboxDefects {
  private func refused(_ reason: ServerFailure.Reason, _ status: Int64?) -> SyncEvent.Performed {
    .failure(ServerFailure(reason, status: status))
  }

  /// InboxKit retried forever what a server can never do.
  @Test(.defect(.inboxKit, 2)) func whatAServerCanNot_isNotAskedForAgain() async throws {
    try await Bench.with { bench in
      for (reason, status) in [(ServerFailure.Reason.unsupported, 405), (.notFound, 404)] {
        try await bench.inbox.perform(.markRead(MailThread.self, [status == 405 ? "a" : "b"]))
        let sent = try await bench.sent()
        try await bench.take(.performed(sent[0].id, refused(reason, Int64(status))))
        #expect(try bench.inbox.openOperations().isEmpty)
      }
      #expect(try bench.inbox.object(MailThread.self, "a")?.isUnread == true)
      #expect(try bench.inbox.object(MailThread.self, "b") == nil)
      bench.desk.advance(by: 600)
      #expect(try await bench.sent(.online(true)).isEmpty)
    }
  }

  /// InboxKit sent one person's pending changes under the next person's token.
  @Test(.defect(.inboxKit, 9), arguments: [Inbox.Pending.drop, .hold])
  func whatSomebodyWanted_isNotSentForTheNext(pending: Inbox.Pending) async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      try await bench.inbox.logOut(pending: pending)
      let other = try await bench.inbox.store.logIn("bob@example.com", policy: .inbox)
      bench.machine = SyncMachine(Login(account: other.account, epoch: 1), .sink, seed: 9)
      #expect(try await bench.sent().isEmpty)
      try await bench.inbox.store.logIn("alice@example.com", policy: .inbox)
      bench.machine = SyncMachine(Login(account: bench.inbox.account, epoch: 2), .sink, seed: 9)
      #expect(try await bench.sent().count == (pending == .hold ? 1 : 0))
    }
  }

  /// InboxKit sent dependent changes together with independent ones.
  @Test(.defect(.inboxKit, 8)) func tagThatIsBeingMade_isNotSent_withOthersOfItsThread()
    async throws
  {
    try await Bench.with { bench in
      try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], adding: ["starred"]))
      var tag = Tag(id: bench.inbox.newID(), account: bench.inbox.account)
      tag.providedName = "work"
      try await bench.inbox.perform(.save(tag))
      try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], adding: [tag.id]))
      let sent = try await bench.sent()
      #expect(
        sent.map { $0.request.parts[0].wanted } == [
          .tags(added: ["starred"], removed: []), .tag(name: "work", isNew: true),
        ])
      try await bench.take(.performed(sent[1].id, refused(.refused, 402)))
      let last = try await bench.sent(.performed(sent[0].id, bench.done(sent[0].request)))
      #expect(last.isEmpty)
      #expect(try bench.inbox.openOperations().isEmpty)
      #expect(try bench.inbox.object(MailThread.self, "a")?.tagIDs.contains("starred") == true)
    }
  }

  /// Airship resent completed changes until the next list arrived.
  @Test(.defect(.airship, 2)) func whatWasDone_isNotSentAgain() async throws {
    try await Bench.with(.rich, .marketingCloud) { bench in
      try await bench.inbox.perform(.markRead(RichMessage.self, ["r1"]))
      let sent = try await bench.sent()
      try await bench.take(.performed(sent[0].id, bench.done(sent[0].request)))
      try await bench.take(.foreground(true))
      #expect(try await bench.sent(.online(true)).isEmpty)
      #expect(try bench.inbox.openOperations().isEmpty)
      #expect(try bench.inbox.object(RichMessage.self, "r1")?.isRead == true)
    }
  }

  /// In Braze a person who dismissed cards quickly had to wait, because refreshes were limited.
  @Test(.defect(.braze, 6)) func refreshThatIsTooEarly_holdsUpNothingThatIsWanted() async throws {
    try await Bench.with(.rich, .marketingCloud) { bench in
      try await bench.take(.wanted)
      try await bench.take(.wanted)
      for id in ["r1", "r2", "r3"] {
        try await bench.inbox.perform(.delete(RichMessage.self, [id]))
        #expect(try await bench.sent().map { $0.request.parts[0].id } == [id])
      }
      #expect(try bench.inbox.rich.contents().messages.isEmpty)
    }
  }

  /// In Mailspring a failed task shielded its message from server updates for a day.
  @Test(.defect(.mailspring, 1)) func whatWasRefused_leavesNoLockBehind() async throws {
    try await Bench.with { bench in
      try await bench.inbox.perform(
        .changeTags(MailThread.self, ["a"], adding: ["starred"], removing: ["unread"]))
      let sent = try await bench.sent()
      try await bench.take(.performed(sent[0].id, refused(.refused, 400)))
      #expect(try bench.inbox.object(MailThread.self, "a")?.tagIDs == ["inbox", "unread"])
      try await bench.inbox.tell(threads: ["a": ["archive"]])
      #expect(try bench.inbox.object(MailThread.self, "a")?.tagIDs == ["archive"])
      try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], adding: ["work"]))
      let again = try await bench.sent()
      try await bench.take(.performed(again[0].id, bench.done(again[0].request)))
      #expect(try bench.inbox.openOperations().isEmpty)
      try await bench.inbox.tell(threads: ["a": ["inbox"]])
      #expect(try bench.inbox.object(MailThread.self, "a")?.tagIDs == ["inbox"])
    }
  }

  /// SQLiteData sent more records at once than CloudKit accepts.
  @Test(.defect(.ckSyncEngine, 3)) func whatIsTooMuchForOneRequest_isDivided() async throws {
    var abilities = ServerAbilities.rich
    (abilities.partsMax, abilities.requestsMax) = (2, 1)
    try await Bench.with(abilities, .engage) { bench in
      try await bench.inbox.perform(.markAllRead(RichMessage.self))
      var (sent, parts) = (try await bench.sent(), [[String]]())
      while let first = sent.first {
        parts += sent.map { $0.request.parts.map(\.id) }
        sent = try await bench.sent(.performed(first.id, bench.done(first.request)))
      }
      #expect(parts == [["r3", "r2"], ["r1"]])
    }
  }

  /// SQLiteData deleted records that referred to a record that CloudKit had rejected.
  @Test(.defect(.ckSyncEngine, 5)) func refusedTag_takesNoThreadAlong() async throws {
    try await Bench.with { bench in
      var tag = Tag(id: bench.inbox.newID(), account: bench.inbox.account)
      tag.providedName = "work"
      try await bench.inbox.perform(.save(tag))
      try await bench.inbox.perform(.changeTags(MailThread.self, ["a"], adding: [tag.id]))
      let sent = try await bench.sent()
      #expect(try await bench.sent(.performed(sent[0].id, refused(.refused, 402))).isEmpty)
      #expect(try bench.inbox.object(MailThread.self, "a") != nil)
      #expect(try bench.inbox.openOperations().isEmpty)
      try await bench.inbox.perform(.markRead(MailThread.self, ["b"]))
      #expect(try await bench.sent().map { $0.request.parts[0].id } == ["b"])
    }
  }

  /// In PowerSync one failing upload blocks all other uploads and all downloads.
  @Test(.defect(.powerSync, 1, 2, 6)) func whatAlwaysFails_holdsUpNeitherOthersNorNews()
    async throws
  {
    var abilities = ServerAbilities.mail
    abilities.requestsMax = 1
    let server = PlayedServer(
      abilities,
      onQuestion: { question in
        Answer {
          $0.cursor = "c"
          guard case .page(.thread, _, _) = question else { return }
          $0.facts = ["a", "b", "c", "d"].map { id in
            ObjectFact(.thread, ObjectFields { $0.put(.id, id) })
          }
        }
      },
      onRequest: { request, _ throws(ServerFailure) in
        if request.parts[0].id == "a" { throw ServerFailure(.server, status: 500) }
        return Settlement(request.parts.map { _ in .done(version: 9) }, status: 200)
      })
    try await TestDesk.withInbox { inbox, desk in
      try await inbox.tell(threads: ["a": ["unread"], "b": ["unread"], "c": ["unread"]])
      var receipts: [IntentReceipt] = []
      for id in ["a", "b", "c"] {
        receipts.append(try await inbox.perform(.markRead(MailThread.self, [id])))
      }
      let sync = Sync(inbox, with: server)
      sync.start()
      let passing = desk.passTime()
      for receipt in receipts.dropFirst() { try await receipt.confirmed() }
      try await sync.status { $0.upToDateAt != nil }
      passing.cancel()
      #expect(try inbox.object(MailThread.self, "d") != nil)
      #expect(try inbox.openOperations().map(\.id) == ["a"])
      sync.stop()
    }
  }

  /// In WatermelonDB one object that somebody else had changed made a whole push fail.
  @Test(.defect(.watermelonDB, 1)) func conflict_isThatOfOneThing() async throws {
    try await Bench.with(.rich, .engage) { bench in
      try await bench.inbox.perform(.markAllRead(RichMessage.self))
      let sent = try await bench.sent()
      let conflict = PartOutcome.failed(ServerFailure(.conflict, status: 409))
      let settlement = Settlement([.done(), conflict, .done()], status: 200)
      try await bench.take(.performed(sent[0].id, .success(settlement)))
      #expect(try bench.inbox.openOperations().map(\.id) == ["r2"])
      #expect(try bench.inbox.rich.contents().unreadCount == 0)
    }
  }
}
