import BenchmarkHarness
import BenchmarkPeers
import EventStore
import Synchronization
import Tideline

/// The cost of receiving known objects again.
enum InboxResync {
  /// The maximum number of bytes appended.
  private static let bytesMax = 1_000_000.0

  static func cases(_ setting: Workload.Setting) -> [Case] {
    let mail = InboxMail(mailbox: Mailbox(count: setting.size))
    let filled = Later { try await MailDesk.filled(mail, in: setting.folder, "again") }
    let facts = Once {
      (0..<mail.mailbox.count).map { ObjectFact(.message, mail.fields($0)) }
    }
    return [
      Case(
        "told again, \(grouped(setting.size)) messages, nothing new", Claim(.rate),
        Claim(.amount(unit: "B appended"), atMost: bytesMax), Claim(.allocations)
      ) { round in
        let store = try await MailDesk.open(try await filled.value())
        let sample = try await again(try facts.value(), MailDesk.inbox(of: store), round)
        await store.close()
        return sample
      }
    ]
  }

  /// Measures from calling `apply` with decoded objects until they are durable.
  private static func again(
    _ facts: [ObjectFact], _ inbox: Inbox, _ round: Round
  ) async throws -> Sample {
    let told = Atomic(0)
    let live = try inbox.store.core.live(
      ListName(InboxViews.unreadMessages, of: inbox.account), window: 0..., holdsRows: false
    ) { _ in told.add(1, ordering: .relaxed) }
    let log = try inbox.store.core.log
    let last = try log.last
    let delivery = Delivery { delivery in
      delivery.extent = .whole
      for fact in facts { delivery.add(fact) }
    }
    var sample = try await round.meter.measure(events: facts.count) {
      UInt64(try await inbox.apply(delivery))
    }
    live.end()
    sample.amount = Double(try await bytes(of: log, after: last))
    let changes = told.load(ordering: .relaxed)
    guard changes == 0 else { throw Surprise(changes: changes) }
    return sample
  }

  /// Returns the bytes of the records after one.
  private static func bytes(of log: Log, after last: RecordNumber) async throws -> Int {
    var bytes = 0
    let end = try log.last
    for try await record in log.records(from: last.advanced(by: 1)) {
      bytes += LogCase.headerBytes + record.payload.count
      if record.number == end { break }
    }
    return bytes
  }

  /// The error that lists changed.
  private struct Surprise: Error { let changes: Int }
}
