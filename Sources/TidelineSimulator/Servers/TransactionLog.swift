import EventStore
import Tideline

/// What happened at a server, as it tells it to who asks what changed.
///
/// Of each object and command only the last transaction is told, whichever cursor is asked with;
/// so the others are forgotten. Objects are told as they are when they are asked for.
struct TransactionLog {
  /// What happened to an object.
  enum Command { case create, modify, delete }

  /// Something that happened.
  struct Entry {
    let number: Int
    let name: ObjectName
    let command: Command
    /// What is told of the object, where that is not what it is now.
    let told: ObjectFields?
    /// When.
    let at: Timestamp
  }

  private struct Label: Hashable {
    let name: ObjectName
    let command: Command
  }

  private var entries: [Entry] = []
  private var latest: [Label: Int] = [:]
  /// When what is noted happens.
  var now: Timestamp
  /// The last transaction.
  private(set) var last = 0
  /// The first cursor that is known still.
  private(set) var floor = 0

  /// A log that begins at a moment.
  init(at now: Timestamp) { self.now = now }

  /// Notes that something happened.
  mutating func add(_ command: Command, _ name: ObjectName, telling told: ObjectFields? = nil) {
    last += 1
    latest[Label(name: name, command: command)] = last
    entries.append(Entry(number: last, name: name, command: command, told: told, at: now))
    if entries.count > 64, entries.count > latest.count * 2 { entries = entries.filter(isLatest) }
  }

  /// Forgets what happened up to a transaction: cursors before it are not known any more.
  mutating func purge(through number: Int) {
    floor = max(floor, min(number, last))
    for entry in entries where entry.number <= floor && isLatest(entry) {
      latest[Label(name: entry.name, command: entry.command)] = nil
    }
    entries.removeAll { $0.number <= floor }
  }

  /// What is told behind a cursor, the first first.
  ///
  /// - Complexity: O(log *n*), and O(m) to go through.
  func entries(behind cursor: Int) -> some Sequence<Entry> {
    entries[entries.lowerBound(where: { $0.number <= cursor })...].lazy.filter { isLatest($0) }
  }

  /// The last transaction before a moment, of those that are told still.
  func last(before moment: Timestamp) -> Int {
    let count = entries.lowerBound(where: { $0.at < moment })
    return count == entries.count ? last : count == 0 ? floor : entries[count - 1].number
  }

  private func isLatest(_ entry: Entry) -> Bool {
    latest[Label(name: entry.name, command: entry.command)] == entry.number
  }
}
