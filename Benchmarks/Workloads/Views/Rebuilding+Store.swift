import BenchmarkHarness
import BenchmarkPeers
import EventStore
import Foundation

extension Rebuilding {
  /// The maximum ratio of the time of a rebuild to that of reading the log once.
  static let timesScan = 15.0
  /// The maximum microseconds for opening with views that are ``lag(_:)`` behind.
  static let catchUpLimit = 200_000.0

  /// The claims of the store's own case.
  static let claims = [
    Claim(.rate, against: scan, .ratioAtLeast(1 / timesScan)), Claim(.bytesWritten),
  ]

  /// Returns the store's own cases, with the same items: it is opened after its views were deleted.
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

  /// Returns the number of items that the views are behind: the worst case after a kill at the real
  /// size.
  static func lag(_ mailbox: Mailbox) -> Int { mailbox.count * 3 / 100 }

  /// Returns the cases that open the store after items were appended only to the log, as after a
  /// kill.
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

  /// Measures opening until everything is available.
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

  /// Holds the store while it is measured.
  private final class Opened {
    var store: Store?
  }
}
