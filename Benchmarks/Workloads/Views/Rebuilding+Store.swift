import BenchmarkHarness
import BenchmarkPeers
import EventStore
import Foundation

extension Rebuilding {
  /// How many times as long as reading the log once building everything anew may take.
  static let timesScan = 15.0
  /// Microseconds that opening may take where the views are ``lag(_:)`` behind.
  static let catchUpLimit = 200_000.0

  /// What the store's own case claims.
  static let claims = [
    Claim(.rate, against: scan, .ratioAtLeast(1 / timesScan)), Claim(.bytesWritten),
  ]

  /// The store's own cases, with the same items: it is opened after its views were deleted.
  static func own(_ mailbox: Mailbox, _ setting: Workload.Setting) async throws -> [Case] {
    let folder = try await MailStore.filled(
      mailbox, in: TemporaryFolder.made(in: setting.folder, "anew"))
    return [
      Case("store, all rows, names and views", claims) { round in
        try PageCache.bring("\(folder)/log", to: .warm)
        try FileManager.default.removeItem(atPath: "\(folder)/views")
        return try await opened(folder, events: mailbox.count, round)
      }
    ]
  }

  /// How many items the views are behind: what a kill leaves at worst at the real size.
  static func lag(_ mailbox: Mailbox) -> Int { mailbox.count * 3 / 100 }

  /// The store is opened after items were appended to the log alone, as a kill leaves it.
  static func behind(_ mailbox: Mailbox, _ setting: Workload.Setting) async throws -> [Case] {
    let folder = try await MailStore.filled(
      mailbox, in: TemporaryFolder.made(in: setting.folder, "behind"))
    let lag = lag(mailbox)
    let whole = Mailbox(count: mailbox.count + 16 * lag)
    let claims = [Claim(.latency, atMost: catchUpLimit), Claim(.rate)]
    return [
      Case("store, opened \(grouped(lag)) items behind", claims) { round in
        let first = mailbox.count + round.number % 16 * lag
        try await append(whole, first..<(first + lag), to: "\(folder)/log")
        try PageCache.bring(folder, to: .warm)
        return try await opened(folder, events: lag, round)
      }
    ]
  }

  private static func append(_ mailbox: Mailbox, _ items: Range<Int>, to folder: String)
    async throws
  {
    let log = try await Log.open(at: folder)
    let payload = MailPayload()
    for first in stride(from: items.lowerBound, to: items.upperBound, by: MailSizes.batch) {
      let last = min(first + MailSizes.batch, items.upperBound)
      try await log.append(MailStore.batch(mailbox, first..<last, payload), durability: .relaxed)
    }
    await log.close()
  }

  /// How long opening takes until everything is there.
  private static func opened(_ folder: String, events: Int, _ round: Round) async throws -> Sample {
    let opened = Opened()
    let sample = try await round.meter.measure(events: events) {
      let store = try await MailStore.open(folder)
      opened.store = store
      guard try store.read({ try $0.count(of: MailReducer.unread) }) > 0 else { return 0 }
      return UInt64(events)
    }
    await opened.store?.close()
    return sample
  }

  /// Where the store is kept while it is measured.
  private final class Opened {
    var store: Store?
  }
}
