import BenchmarkPeers
import Foundation

extension Role {
  static func ingestSQLite(_ folder: String, _ count: Int) throws {
    let mailbox = Mailbox(count: count)
    let mail = try SQLiteMail(in: folder)
    var shown = SQLiteMail.Shown()
    for batch in MailSizes.batches(count) {
      _ = try mail.ingest(mailbox, batch, .window, &shown)
    }
    withExtendedLifetime(mail) { printMemory() }
  }

  /// Prints three times: to the first screen, for a rank by counting, and for another one by days.
  static func openSQLite(_ folder: String, _ count: Int) throws {
    // Near the middle of the view, where counting takes its mean time.
    let middle = middleKeys(of: Mailbox(count: count))
    var stopwatch = Stopwatch()
    let mail = try SQLiteMail(in: folder, .days, .normal)
    _ = try mail.firstRowsAndCount(of: .unread)
    stopwatch.lap()
    _ = try mail.rank(of: middle[0], in: .unread, by: .count)
    stopwatch.lap()
    _ = try mail.rank(of: middle[1], in: .unread, by: .days)
    stopwatch.lap()
    print(stopwatch.text)
  }

  /// Returns two keys from the middle of a sample, far enough apart that the first does not help to
  /// find the second.
  static func middleKeys(of mailbox: Mailbox) -> [ViewKey] {
    let items = (0..<min(mailbox.count, 200)).map { mailbox[$0] }
    let sample = items.filter(\.isUnread).map(\.key).sorted()
    return [sample[sample.count / 2], sample[sample.count * 3 / 5]]
  }

  static func openRaw(_ folder: String, _ count: Int) throws {
    var stopwatch = Stopwatch()
    let sum = try RawLMDB(in: folder).first(min(count, SQLiteMail.window))
    stopwatch.lap()
    withExtendedLifetime(sum) { print(stopwatch.text) }
  }
}

/// Consecutive times, as a child prints them for its parent.
struct Stopwatch {
  private let clock = ContinuousClock()
  private var last: ContinuousClock.Instant
  private var laps: [Double] = []

  init() { last = clock.now }

  /// Ends a lap and starts the next.
  mutating func lap() {
    let now = clock.now
    laps.append((now - last) / .milliseconds(1))
    last = now
  }

  /// Extends the first lap to the end of the second, which stays.
  mutating func joinFirst() { laps[0] += laps[1] }

  /// The laps in milliseconds.
  var text: String { laps.map { "\($0)" }.joined(separator: " ") }
}
