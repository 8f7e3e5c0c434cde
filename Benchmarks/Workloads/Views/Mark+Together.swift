import BenchmarkHarness
import BenchmarkPeers
import EventStore

extension Mark {
  /// How many changes come at once.
  static let together = 100

  /// What is written for many changes that come at once, each in a batch of its own, at random
  /// places of the largest view.
  static func together(_ folder: String, _ mailbox: Mailbox, _ setting: Workload.Setting) -> [Case]
  {
    guard mailbox.count == setting.size else { return [] }
    let claims = [Claim(.bytesWritten, atMost: Goal.bytesTogether), Claim(.latency)]
    return [
      Case(name("store, \(together) at once, log and views", mailbox), claims) { round in
        let store = try await MailStore.open(folder)
        // Read at first and then unread, so that the next round finds what this one found.
        let sample = try await round.meter.measureEach(20, operations: together) { turn in
          let items = (0..<together).map { MailSizes.item(turn / 2 * together + $0, of: mailbox) }
          let receipts = try items.map { item in
            try store.submit(MailStore.mark(item, isUnread: turn % 2 == 1))
          }
          for receipt in receipts { try await receipt.durable() }
          try await store.commitViews()
          return UInt64(receipts.count)
        } after: { _ in
        }
        await store.close()
        return sample
      }
    ]
  }
}
