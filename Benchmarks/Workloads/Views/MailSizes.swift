import BenchmarkHarness
import BenchmarkPeers

/// Helpers of the mail workloads.
enum MailSizes {
  /// Items per commit.
  static let batch = 500

  /// Returns the sizes, up to the largest, at which one change is measured: 1 k to 1 M.
  static func decades(_ largest: Int) -> [Int] {
    [1000, 100, 10].map { largest / $0 }.filter { $0 >= 10 } + [largest]
  }

  /// Returns the sizes whose costs are compared: a tenth of the largest, and the largest.
  static func two(_ largest: Int) -> [Int] { [largest / 10, largest] }

  /// Returns the batches of the first `count` items.
  static func batches(_ count: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: batch).map { $0..<min($0 + batch, count) }
  }

  /// Returns a size as it appears in the names of cases.
  static func name(_ size: Int) -> String { figure(Double(size)) }

  /// Returns an item anywhere in a mailbox: a different one each turn, the same ones each round.
  static func item(_ turn: Int, of mailbox: Mailbox) -> MailItem {
    mailbox[Int(((UInt64(turn) &* 0x9E37_79B9_7F4A_7C15) >> 20) % UInt64(mailbox.count))]
  }
}
