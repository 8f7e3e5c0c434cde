import BenchmarkHarness
import BenchmarkPeers
import EventStore

extension Mark {
  /// The number of simultaneous changes.
  static let together = 100

  /// Measures the bytes written for many simultaneous changes, each in its own batch, at random
  /// places of the largest view.
  static func together(_ folder: String, _ mailbox: Mailbox, _ setting: Workload.Setting) -> [Case]
  {
    guard mailbox.count == setting.size else { return [] }
    let claims = [Claim(.bytesWritten, atMost: Goal.bytesTogether), Claim(.latency)]
    return [
      Case(name("store, \(together) at once, log and views", mailbox), claims) { round in
        let store = try await MailStore.open(folder)
        // First read and then unread, so that each round finds the same state.
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
