import BenchmarkHarness
import EventStore
import Foundation
import Tideline
import TidelineHTTP
import TidelineSync

/// The time to drain a full outbox.
enum Drain {
  static let workload = Workload(
    "outbox", "have a server do COUNT things that wait, of mail a fiftieth of that",
    smoke: 200, real: 100_000, rounds: 3
  ) { setting in
    let threads = max(setting.size / 50, 20)
    let mail = Once { try ServerChild(.serveMail, threads, in: setting.folder) }
    return [batched(setting.size), bare(mail), single(mail)]
  }

  /// The minimum rate: a hundred thousand in two seconds.
  private static let perSecond = 50_000.0
  /// The minimum ratio to the possible rate of requests.
  private static let share = 0.7
  /// The maximum milliseconds that a concurrent read takes.
  private static let wait = 5.0
  private static let longest = Metric.amount(unit: "ms for the longest read")
  private static let bareName = "bare requests, four at a time"

  private static func batched(_ count: Int) -> Case {
    Case(
      "rich messages, batched", Claim(.rate, atLeast: perSecond), Claim(longest, atMost: wait),
      Claim(.bytesWritten), Claim(.allocations)
    ) { round in
      // A server that has received no changes yet.
      let server = try ServerChild(.serveRich, count, in: round.folder)
      let inbox = try await SyncDesk.inbox(in: round.folder, .engage)
      try await fill(inbox, by: SyncDesk.rich(inbox, server))
      let receipt = try await inbox.perform(.markAllRead(RichMessage.self))
      return try await drained(inbox, SyncDesk.rich(inbox, server), receipt, round)
    }
  }

  private static func single(_ server: Once<ServerChild>) -> Case {
    Case(
      "threads, one by one", Claim(.rate, against: bareName, .ratioAtLeast(share)),
      Claim(longest, atMost: wait)
    ) { round in
      let server = try server.value()
      let inbox = try await SyncDesk.inbox(in: round.folder, .inbox)
      try await fill(inbox, by: SyncDesk.mail(inbox, server))
      let threads = try SyncDesk.threads(of: inbox)
      var receipt: IntentReceipt?
      for thread in threads {
        receipt = try await inbox.perform(thread.isStarred ? .unstar(thread) : .star(thread))
      }
      guard let receipt else { throw Nothing() }
      return try await drained(inbox, SyncDesk.mail(inbox, server), receipt, round)
    }
  }

  /// Sends the same requests through the client alone.
  private static func bare(_ server: Once<ServerChild>) -> Case {
    Case(bareName, Claim(.rate)) { round in
      let server = try server.value()
      let inbox = try await SyncDesk.inbox(in: round.folder, .inbox)
      try await fill(inbox, by: SyncDesk.mail(inbox, server))
      let ids = try SyncDesk.threads(of: inbox).map(\.id)
      await inbox.store.close()
      let (client, api) = (URLSessionClient(server.address), InboxAPI())
      let tag = round.number % 2 == 0 ? "archive" : "starred"
      return try await round.meter.measure(events: ids.count) {
        try await withThrowingTaskGroup(of: Int.self) { group in
          var statuses = 0
          for (index, id) in ids.enumerated() {
            if index >= parallel { statuses += try await group.next() ?? 0 }
            group.addTask {
              var request = api.changeTags(ofThread: id, adding: [tag], removing: [])
              request.headers.append(
                HTTPRequest.Header("Authorization", "Bearer \(SyncDesk.token.value)"))
              return try await client.answer(to: request, within: .seconds(30)).status
            }
          }
          for try await status in group { statuses += status }
          return UInt64(statuses)
        }
      }
    }
  }

  private static let parallel = 4

  private static func fill(_ inbox: Inbox, by sync: Sync) async throws {
    sync.start()
    try await SyncDesk.catchUp(sync)
    // Receipts for the received messages may not be sent yet.
    try await SyncDesk.catchUp(sync)
    sync.stop()
  }

  /// Starts the sync, and measures until the outbox is empty, while another task reads.
  private static func drained(
    _ inbox: Inbox, _ sync: Sync, _ receipt: IntentReceipt, _ round: Round
  ) async throws -> Sample {
    let count = try inbox.openOperations().count
    let reader = Task.detached {
      var longest = Duration.zero
      while !Task.isCancelled {
        let start = ContinuousClock.now
        _ = try inbox.store.read { $0.position }
        _ = try inbox.rich.contents(window: 0..<10)
        longest = max(longest, ContinuousClock.now - start)
        try? await Task.sleep(for: .milliseconds(1))
      }
      return longest
    }
    var sample = try await round.meter.measure(events: count) {
      sync.start()
      try await SyncDesk.catchUp(sync)
      return UInt64(count)
    }
    reader.cancel()
    sample.amount = try await reader.value / .milliseconds(1)
    try await receipt.confirmed()
    sync.stop()
    await inbox.store.close()
    return sample
  }

  /// The error that there was nothing to send.
  private struct Nothing: Error {}
}

extension SyncDesk {
  /// Returns all threads.
  static func threads(of inbox: Inbox) throws -> [MailThread] {
    let provider = try inbox.provider(MailThread.self, window: 0..<Int.max, counts: false)
    defer { provider.end() }
    return Array(provider.start.list)
  }
}
