import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Servers by other authors: facts beyond the question, and answers that can't be meant.
@Suite(.timeLimit(.minutes(5))) struct OwnServerTests {
  /// Calls `body` with an inbox that a server has refreshed.
  private func refreshed(
    _ server: PlayedServer, _ body: (Inbox, Sync) async throws -> Void
  ) async throws {
    try await TestDesk.withInbox { inbox, _ in
      let sync = Sync(inbox, with: server)
      sync.start()
      _ = try? await sync.refreshed()
      try await body(inbox, sync)
      sync.stop()
    }
  }

  private func abilities(_ stream: ServerStream) -> ServerAbilities {
    var abilities = ServerAbilities()
    abilities.streams = [stream]
    return abilities
  }

  /// A page of threads with their messages covers no more places than it has threads.
  @Test func pageThatTellsOfOthersAsWell_passesOverNone() async throws {
    let stream = ServerStream("mail", [.thread], by: .changes, pageMax: 10)
    let server = PlayedServer(abilities(stream)) { question in
      Answer { answer in
        answer.cursor = "c"
        guard case .page(_, let offset, let limit) = question else { return }
        answer.isLast = offset + limit >= 100
        answer.tell(
          Delivery { delivery in
            for place in offset..<min(offset + limit, 100) {
              delivery.add(MailThread(id: "t\(place)", account: 0))
              for number in 0..<4 { delivery.add(Message(id: "m\(place).\(number)", account: 0)) }
            }
          })
      }
    }
    try await refreshed(server) { inbox, _ in
      let threads = try inbox.provider(MailThread.self).start.count
      let messages = try inbox.provider(Message.self).start.count
      #expect(threads == 100 && messages == 400)
    }
  }

  @Test(arguments: [ServerStream.Manner.changes, .list])
  func streamWithoutClasses_isNotKeptUp(_ manner: ServerStream.Manner) async throws {
    let server = PlayedServer(abilities(ServerStream("nothing", [], by: manner)))
    try await refreshed(server) { _, sync in
      #expect(await sync.refresh() == .disabled && server.asked.isEmpty)
    }
  }

  @Test(arguments: [Int.max, 0, -1, .min], [1, .max, .min])
  func numbersThatCantBeMeant_leaveWhatIsPossible(_ requests: Int, _ parts: Int) async throws {
    var abilities = ServerAbilities.mail
    (abilities.requestsMax, abilities.partsMax) = (requests, parts)
    abilities.streams[0].pageMax = min(requests, parts)
    try await Bench.with(abilities) { bench in
      for id in ["a", "b"] { try await bench.inbox.perform(.markRead(MailThread.self, [id])) }
      let count = try await bench.sent().flatMap(\.request.parts).count
      #expect(1...2 ~= count)
      let limits = bench.machine.abilities.streams.map(\.pageMax)
      #expect(limits == [min(max(min(requests, parts), 1), 1 << 20)])
    }
  }

  @Test(arguments: [
    (Duration.seconds(Int64.max), ServerFailure.retryAfterMax), (.seconds(-5), .zero),
    (.seconds(30), .seconds(30)),
  ])
  func retryAfter_isADayAtMost(_ said: Duration, _ taken: Duration) async throws {
    var failure = ServerFailure(.throttled, retryAfter: said)
    #expect(failure.retryAfter == taken)
    (failure.retryAfter, failure.reason) = (said, .server)
    #expect(failure.retryAfter == taken)
    try await Bench.with(.mail) { bench in
      let question = try #require(try await bench.take(.began).asked.first)
      try await bench.take(.answered(question, .failure(failure)))
      let obstacle = try bench.status.obstacle
      #expect(obstacle != nil)
    }
  }

  /// An unreadable item may exist, so nothing is taken to be gone.
  @Test func whatIsRefused_isRecorded_andRemovesNothing() async throws {
    let isWhole = Mutex(true)
    let stream = ServerStream("tags", [.tag], by: .list)
    let server = PlayedServer(abilities(stream)) { _ in
      Answer { answer in
        answer.tell(Delivery { $0.add(Tag(id: "a", account: 0)) })
        if isWhole.withLock({ $0 }) {
          answer.tell(Delivery { $0.add(Tag(id: "b", account: 0)) })
        } else {
          answer.refuse(.tag, "b", because: "no name", content: Array(repeating: 1, count: 9000))
        }
      }
    }
    try await refreshed(server) { inbox, sync in
      isWhole.withLock { $0 = false }
      try await sync.refreshed()
      #expect(try inbox.object(Tag.self, "b") != nil)
      let log = try inbox.store.core.log
      let refused = try (1...log.last.rawValue).compactMap { number -> ItemRefused? in
        guard let record = try log.record(RecordNumber(rawValue: number)),
          record.header.kind == ItemRefused.kind
        else { return nil }
        return try EventCatalog.event(of: record) as? ItemRefused
      }
      #expect(refused.map(\.id) == ["b"] && refused.map(\.reason) == ["no name"])
      #expect(refused.first?.content?.bytes.count == Answer.refusedBytesMax)
    }
  }

  /// Two objects with an empty id would be one.
  @Test func emptyID_isNone() async throws {
    try await Bench.with { bench in
      for id in ["a", "b"] { try await bench.inbox.perform(.markRead(MailThread.self, [id])) }
      for (id, request) in try await bench.sent() {
        let done = Settlement(request.parts.map { _ in .done(version: 9, newID: "") })
        try await bench.take(.performed(id, .success(done)))
      }
      #expect(try bench.inbox.provider(MailThread.self).start.count == 3)
    }
  }
}
