import EventStore
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Reports to a server about received and opened messages.
@Suite(.timeLimit(.minutes(5))) struct ReceiptTests {
  /// Returns a server whose messages differ in each answer, and that wants receipts.
  private static func server(_ ids: String...) -> PlayedServer {
    var abilities = ServerAbilities.rich
    abilities.wantsReceipts = true
    let count = Atomic(0)
    return PlayedServer(
      abilities,
      onQuestion: { _ in
        let edits = count.add(1, ordering: .relaxed).newValue
        return Answer {
          $0.facts = ids.map { id in
            ObjectFact(
              .rich,
              ObjectFields {
                $0.put(.id, id)
                $0.put(.change, ObjectChange.whole)
                $0.put(.subject, "\(id), edited \(edits) times")
              })
          }
        }
      })
  }

  /// Synchronizes everything, and sends all reports that follow.
  private func catchUp(_ sync: Sync) async throws {
    for _ in 0..<2 {
      _ = await sync.refresh()
      try await sync.caughtUp(with: try sync.inbox.store.read { $0.position })
    }
  }

  /// Later answers, another process or an earlier alert don't repeat the report.
  @Test(.feature(80)) func receipt_isReportedOnce() async throws {
    let server = Self.server("r1", "r2")
    try await TestDesk.withInbox(.engage) { inbox, desk in
      let alert = AlertArrived { $0.message = ObjectFields { $0.put(.id, "r2") } }
      try await inbox.record(alert, at: desk.now)
      for _ in 0..<2 {
        let sync = Sync(inbox, with: server)
        sync.start()
        try await catchUp(sync)
        sync.stop()
      }
      let subject = try #require(try inbox.object(RichMessage.self, "r1")?.subject)
      #expect(!subject.contains(" 1 times"))
      #expect(server.parts(.receipt).sorted() == ["r1", "r2"])
      let keys = server.performed.map(\.key)
      #expect(!keys.isEmpty && !keys.contains(OperationKey()))
    }
  }

  /// Of a very large delivery, any part that reaches the log has its reports with it, and the
  /// cursor after all of it comes last.
  @Test(.feature(80)) func receipt_comesWithItsMessage_inEachPart() async throws {
    let text = String(repeating: "x", count: 6 << 20)
    try await TestDesk.withInbox(.engage) { inbox, desk in
      var delivery = Delivery { delivery in
        for number in 1...4 {
          delivery.add(RichMessage(id: "r\(number)", account: inbox.account), body: text)
        }
        delivery.setCursor("c", of: "rich")
      }
      delivery.wantsReceipts = true
      var intake = Intake()
      let (login, store) = (Login(account: inbox.account, epoch: 1), inbox.store.core)
      var made = try intake.batches(
        of: delivery, for: login,
        in: Circumstances(now: desk.now.kept, login: login) { _ in Fingerprint(rawValue: 1) },
        key: { OperationKey() }
      ) { try store.read($0) }
      var batches: [Batch] = []
      while let batch = made.batches.next() {
        batches.append(batch)
        #expect(made.batches.isEmpty == (batches.count == 2))
      }
      #expect(batches.count == 2)
      // The process ends after the first part, and the next one asks again.
      try await store.append(batches[0])
      try await inbox.apply(delivery)
      var (received, last): ([String], EventKind?) = ([], nil)
      try store.log.read { snapshot in
        var cursor = try snapshot.records()
        while try cursor.next() {
          last = cursor.record.header.kind
          guard last == MessageDownloaded.kind else { continue }
          received.append(try MessageDownloaded(decoding: cursor.record.payload, version: 1).id)
        }
      }
      #expect(received.sorted() == ["r1", "r2", "r3", "r4"])
      #expect(last == CursorSet.kind)
    }
  }

  /// Messages received while reports are off are not reported later.
  @Test(.feature(80, 93)) func receipt_isNotReported_whereAnalyticsAreOff() async throws {
    let server = Self.server("r1")
    try await TestDesk.withInbox(.engage) { inbox, _ in
      try await inbox.setPrivacy(.doNotTrack)
      let sync = Sync(inbox, with: server)
      sync.start()
      try await catchUp(sync)
      try await inbox.setPrivacy(.unrestricted)
      try await catchUp(sync)
      sync.stop()
      #expect(try inbox.object(RichMessage.self, "r1") != nil)
      #expect(server.wanted.isEmpty)
    }
  }

  /// A server that recognizes requests by key must not take two openings for one.
  @Test(.feature(79)) func opening_isReported_underAKeyOfItsOwn() async throws {
    let server = Self.server("r1")
    try await TestDesk.withInbox(.engage) { inbox, _ in
      let sync = Sync(inbox, with: server)
      sync.start()
      try await catchUp(sync)
      for _ in 0..<2 {
        try await inbox.rich.open("r1", marksRead: false)
        try await catchUp(sync)
      }
      sync.stop()
      #expect(server.parts(.opening) == ["r1", "r1"])
      #expect(Set(server.performed.map(\.key)).count == server.performed.count)
    }
  }
}

extension PlayedServer {
  /// Returns the ids of the parts that want something, in order.
  fileprivate func parts(_ wanted: ServerRequest.Wanted) -> [String] {
    performed.flatMap(\.parts).filter { $0.wanted == wanted }.map(\.id)
  }
}
