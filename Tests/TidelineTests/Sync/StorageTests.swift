import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Stores that reject what synchronization records, or can't be read.
@Suite(.timeLimit(.minutes(5))) struct StorageTests {
  /// Runs `body` with an inbox whose log has a size limit.
  private func withInbox(
    logBytesMax: Int? = nil, _ body: (Inbox, TestDesk) async throws -> Void
  ) async throws {
    let desk = try TestDesk()
    var options = desk.options
    if let logBytesMax { options.core.log.mapSizeMax = logBytesMax }
    let store = try await InboxStore.open(at: desk.folder.path, options: options)
    try await body(try await store.logIn("alice@example.com", policy: .inbox), desk)
    await store.close()
  }

  private static func thread(_ id: String, subject: String) -> ObjectFact {
    ObjectFact(
      .thread,
      ObjectFields {
        $0.put(.id, id)
        $0.put(.subject, subject)
        $0.put(.tags, [ObjectLabel("unread")])
      })
  }

  private static let much = String(repeating: "x", count: 3 << 20)

  /// Returns a mailbox of two pages; the first thread has a long subject until it is shortened.
  private static func server(_ isShort: Flag) -> PlayedServer {
    var abilities = ServerAbilities()
    abilities.streams = [ServerStream("deltas", [.thread], by: .changes, pageMax: 1)]
    return PlayedServer(
      abilities,
      onQuestion: { question throws(ServerFailure) in
        switch question {
        case .page(_, let offset, _):
          return Answer { answer in
            answer.facts =
              offset == 0
              ? [thread("a", subject: isShort.isSet ? "short" : much)]
              : [thread("a", subject: isShort.isSet ? "short" : much), thread("b", subject: "b")]
            answer.isLast = offset > 0
          }
        case .cursor: return Answer { $0.cursor = "c" }
        case .changes: return Answer { $0.cursor = "c" }
        default: throw ServerFailure(.notFound)
        }
      })
  }

  /// Otherwise the next answer would move the cursor past a page that nobody has.
  @Test func lostPage_isNotForgotten_beforeItIsAskedForAnew() async throws {
    try await withInbox(logBytesMax: 2 << 20) { inbox, _ in
      var wake = UnsettledRecords()
      let page = Delivery { $0.add(Self.thread("a", subject: Self.much)) }
      let receipt = try await inbox.take(page, for: inbox.login(), durability: .relaxed).receipt
      wake.add(receipt, of: .take(Delivery(), [], durability: .relaxed))
      let isThere = [await wake.hasPages(), await wake.hasPages()]
      wake.forgetLosses()
      #expect(isThere + [await wake.hasPages()] == [false, false, true])
    }
  }

  /// Pages that the log has no room for are reported, and asked for again from the log's cursor;
  /// meanwhile the person's operations are sent.
  @Test func fullLog_isToldOf_andSynchronizationGoesOn() async throws {
    let isShort = Flag()
    let server = Self.server(isShort)
    try await withInbox(logBytesMax: 2 << 20) { inbox, desk in
      try await inbox.tell(threads: ["z": ["inbox", "unread"]])
      let sync = Sync(inbox, with: server)
      sync.start()
      try await sync.status {
        if case .storage(.log(.mapFull), _)? = $0.obstacle { true } else { false }
      }
      let passing = desk.passTime()
      defer { passing.cancel() }
      let receipt = try await inbox.perform(.markRead(MailThread.self, ["z"]))
      try await receipt.confirmed()
      let cursor = try inbox.store.core.read { $0.cursor(of: "deltas", in: inbox.account) }
      #expect(cursor == nil)
      #expect(sync.status.upToDateAt == nil)
      isShort.set()
      try await sync.status { $0.upToDateAt != nil }
      #expect(try inbox.object(MailThread.self, "a")?.subject == "short")
      #expect(try inbox.object(MailThread.self, "b") != nil)
      try await sync.status { $0.obstacle == nil }
      sync.stop()
    }
  }

  /// A caller that waits for everything waits until the lost pages have come.
  @Test func caughtUp_waits_whereWhatTheServerToldIsLost() async throws {
    let (isShort, isOver) = (Flag(), Flag())
    let server = PlayedServer(
      .rich,
      onQuestion: { _ in
        Answer {
          $0.facts = [
            ObjectFact(
              .rich,
              ObjectFields {
                $0.put(.id, "a")
                $0.put(.title, isShort.isSet ? "short" : Self.much)
                $0.put(.change, ObjectChange.whole)
              })
          ]
        }
      })
    try await withInbox(logBytesMax: 2 << 20) { inbox, desk in
      let sync = Sync(inbox, with: server)
      let position = try inbox.store.read { $0.position }
      let waiting = Task {
        try await sync.caughtUp(with: position)
        isOver.set()
      }
      sync.start()
      try await sync.status {
        if case .storage(.log(.mapFull), _)? = $0.obstacle { true } else { false }
      }
      // A refresh requested now is handled after that.
      _ = await sync.refresh()
      #expect(!isOver.isSet)
      isShort.set()
      let passing = desk.passTime()
      defer { passing.cancel() }
      try await waiting.value
      #expect(try inbox.object(RichMessage.self, "a")?.title == "short")
      sync.stop()
    }
  }

  /// Lost records are asked for again even while the app is not in use.
  @Test(arguments: [true, false]) func lostRecords_areAskedForAnew(isForeground: Bool)
    async throws
  {
    try await Bench.with(.rich, .engage) { bench in
      let asked = try #require(try await bench.take(.began).asked.first)
      try await bench.take(.answered(asked, .success(Answer())))
      try await bench.take(.foreground(isForeground))
      for again in try await bench.take(.due).asked {
        try await bench.take(.answered(again, .success(Answer())))
      }
      try await bench.take(.stored(.log(.mapFull(path: ""))))
      bench.desk.advance(by: 2)
      #expect(try await bench.take(.due).questions == [.all(.rich)])
    }
  }

  /// All that one failed commit loses prolongs the wait no more than one record.
  @Test func failedCommit_countsOnce() async throws {
    try await Bench.with(.rich, .engage) { bench in
      for _ in 0..<3 {
        for _ in 0..<16 { try await bench.take(.stored(.log(.mapFull(path: "")))) }
        guard case .storage(_, let until)? = try bench.status.obstacle else {
          Issue.record("nothing is said")
          return
        }
        #expect(until.timeIntervalSince(bench.desk.now) < 10)
        bench.desk.advance(by: 10)
      }
    }
  }

  /// An object too large for a record is refused, and the rest of its answer is kept.
  @Test func objectThatIsTooLarge_isRefused_andTheRestIsTaken() async throws {
    let huge = String(repeating: "x", count: Log.payloadBytesMax + 1)
    let server = PlayedServer(
      .rich,
      onQuestion: { _ in
        Answer {
          $0.facts = [("a", huge), ("b", "small")].map { id, title in
            ObjectFact(
              .rich,
              ObjectFields {
                $0.put(.id, id)
                $0.put(.title, title)
                $0.put(.change, ObjectChange.whole)
              })
          }
        }
      })
    try await TestDesk.withInbox(.engage) { inbox, _ in
      let sync = Sync(inbox, with: server)
      sync.start()
      try await sync.status { $0.upToDateAt != nil }
      #expect(try inbox.object(RichMessage.self, "a") == nil)
      #expect(try inbox.object(RichMessage.self, "b")?.title == "small")
      #expect(sync.status.obstacle == nil)
      sync.stop()
      // Visible rows may not be in the log yet.
      try await inbox.store.core.commitViews()
      var refused: [String?] = []
      try inbox.store.core.log.read { snapshot in
        var cursor = try snapshot.records()
        while try cursor.next() {
          guard cursor.record.header.kind == ItemRefused.kind else { continue }
          refused.append(try ItemRefused(decoding: cursor.record.payload, version: 1).id)
        }
      }
      #expect(refused == ["a"])
    }
  }

  /// Unreadable views are reported until the store resumes.
  @Test func lostViews_areToldOf_untilTheStoreResumes() async throws {
    try await withInbox { inbox, desk in
      let server = PlayedServer(
        .rich,
        onRequest: { request, _ in
          Settlement(request.parts.map { _ in .done(version: 5) }, status: 200)
        })
      let sync = Sync(inbox, with: server)
      sync.start()
      try await sync.status { $0.upToDateAt != nil }
      try await inbox.tell(threads: ["a": ["unread"], "b": ["unread"]])
      try FileManager.default.removeItem(atPath: desk.folder.path + "/views")
      // By then the loss of the views may be known.
      _ = try? await inbox.tell(threads: ["c": ["unread"]])
      _ = try? await inbox.store.core.commitViews()
      let answer = await sync.refresh()
      #expect(answer == .disabled)
      try await sync.status { if case .storage(.views, _)? = $0.obstacle { true } else { false } }
      await inbox.store.suspend()
      try await inbox.store.resume()
      let receipt = try await inbox.perform(.markRead(MailThread.self, ["a"]))
      try await receipt.confirmed()
      try await sync.status { $0.obstacle == nil }
      sync.stop()
    }
  }

  /// Closing the store ends synchronization, and nobody waits for what never comes.
  @Test func closedStore_endsIt() async throws {
    let desk = try TestDesk()
    let store = try await desk.open()
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    let sync = Sync(inbox, with: PlayedServer(.rich))
    sync.start()
    try await sync.status { $0.upToDateAt != nil }
    await store.close()
    #expect(await sync.refresh() == .disabled)
    for await _ in sync.statuses {}
    #expect(await sync.refresh() == .disabled)
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
  }
}
