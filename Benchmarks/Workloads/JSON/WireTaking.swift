import BenchmarkHarness
import EventStore
import Tideline
import TidelineHTTP

/// The rate at which a page of changes gets from a server's bytes into the log and the views.
enum WireTaking {
  /// The minimum ratio of a new page's rate to that of Foundation's decoder alone.
  private static let timesFoundation = 3.0
  /// The minimum ratio of a known page's rate to that of reading it alone.
  private static let shareOfReading = 0.5

  static func cases(
    _ bytes: [UInt8], _ count: Int, foundation: String, reading: String, in folder: String
  ) -> [Case] {
    let filled = Later { try await self.filled(bytes, in: folder) }
    return [
      Case(
        "into the log and the views", Claim(.latency),
        Claim(.rate, against: foundation, .ratioAtLeast(timesFoundation)), Claim(.bytesWritten),
        Claim(.allocations)
      ) { round in
        let store = try await MailDesk.open(round.folder)
        let inbox = try await store.logIn("ann@example.com", policy: .inbox)
        let sample = try await round.meter.measure(events: count) {
          let news = try await take(bytes, into: inbox)
          try await store.core.commitViews()
          return UInt64(news)
        }
        await store.close()
        return sample
      },
      Case(
        "again, with nothing new",
        Claim(.rate, against: reading, .ratioAtLeast(shareOfReading)), Claim(.bytesWritten),
        Claim(.allocations)
      ) { round in
        let store = try await MailDesk.open(try await filled.value())
        let inbox = MailDesk.inbox(of: store)
        let sample = try await round.meter.measure(events: count) {
          UInt64(try await take(bytes, into: inbox))
        }
        await store.close()
        guard sample.digest == 0 else { throw Surprise() }
        return sample
      },
    ]
  }

  /// Reads and applies a page; returns the number of new records once they are durable.
  private static func take(_ bytes: [UInt8], into inbox: Inbox) async throws -> Int {
    let facts = try DeltaPage(bytes.payloadBytes).items.facts
    return try await inbox.apply(Delivery { for fact in facts { $0.add(fact) } })
  }

  /// Creates a closed store that has applied a page, and returns its folder.
  private static func filled(_ bytes: [UInt8], in parent: String) async throws -> String {
    let folder = try TemporaryFolder.made(in: parent, "taken")
    let store = try await MailDesk.open(folder)
    _ = try await take(bytes, into: store.logIn("ann@example.com", policy: .inbox))
    try await store.core.commitViews()
    await store.close()
    return folder
  }

  /// The error that something was new.
  private struct Surprise: Error {}
}
