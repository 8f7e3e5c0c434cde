import EventStore
import Tideline

/// The transactions of a server, as reported to clients that ask for changes.
///
/// For each object and command only the last transaction is reported, whatever the cursor; so
/// earlier ones are dropped. Objects are reported in their state at the time of the question.
struct TransactionLog {
  /// The kind of a transaction.
  enum Command { case create, modify, delete }

  /// A transaction.
  struct Entry {
    let number: Int
    let name: ObjectName
    let command: Command
    /// The reported fields, if they are not the object's current ones.
    let told: ObjectFields?
    /// The time of the transaction.
    let at: Timestamp
  }

  private struct Label: Hashable {
    let name: ObjectName
    let command: Command
  }

  private var entries: [Entry] = []
  private var latest: [Label: Int] = [:]
  /// The time of new transactions.
  var now: Timestamp
  /// The number of the last transaction.
  private(set) var last = 0
  /// The first cursor that is still known.
  private(set) var floor = 0

  /// Creates a log that begins at a moment.
  init(at now: Timestamp) { self.now = now }

  /// Adds a transaction.
  mutating func add(_ command: Command, _ name: ObjectName, telling told: ObjectFields? = nil) {
    last += 1
    latest[Label(name: name, command: command)] = last
    entries.append(Entry(number: last, name: name, command: command, told: told, at: now))
    if entries.count > 64, entries.count > latest.count * 2 { entries = entries.filter(isLatest) }
  }

  /// Forgets the transactions up to a number; earlier cursors become unknown.
  mutating func purge(through number: Int) {
    floor = max(floor, min(number, last))
    for entry in entries where entry.number <= floor && isLatest(entry) {
      latest[Label(name: entry.name, command: entry.command)] = nil
    }
    entries.removeAll { $0.number <= floor }
  }

  /// Returns the reported transactions after a cursor, in order.
  ///
  /// - Complexity: O(log *n*), and O(m) to iterate over.
  func entries(after cursor: Int) -> some Sequence<Entry> {
    entries[entries.lowerBound(where: { $0.number <= cursor })...].lazy.filter { isLatest($0) }
  }

  /// Returns the last transaction before a moment, among those still reported.
  func last(before moment: Timestamp) -> Int {
    let count = entries.lowerBound(where: { $0.at < moment })
    return count == entries.count ? last : count == 0 ? floor : entries[count - 1].number
  }

  private func isLatest(_ entry: Entry) -> Bool {
    latest[Label(name: entry.name, command: entry.command)] == entry.number
  }
}
