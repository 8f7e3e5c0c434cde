import BenchmarkHarness
import BenchmarkPeers

/// What the workloads on mail have in common.
enum MailSizes {
  /// Items per commit.
  static let batch = 500

  /// The sizes up to the largest at which the cost of one change is looked at: 1 k to 1 M.
  static func decades(_ largest: Int) -> [Int] {
    [1000, 100, 10].map { largest / $0 }.filter { $0 >= 10 } + [largest]
  }

  /// The sizes between which a cost has to stay: a tenth of the largest, and it.
  static func two(_ largest: Int) -> [Int] { [largest / 10, largest] }

  /// The batches of the first `count` items.
  static func batches(_ count: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: batch).map { $0..<min($0 + batch, count) }
  }

  /// A size as it stands in the names of cases.
  static func name(_ size: Int) -> String { figure(Double(size)) }

  /// An item anywhere in a mailbox: another one for each turn, the same ones in each round.
  static func item(_ turn: Int, of mailbox: Mailbox) -> MailItem {
    mailbox[Int(((UInt64(turn) &* 0x9E37_79B9_7F4A_7C15) >> 20) % UInt64(mailbox.count))]
  }
}
