package import LMDB

/// Decides what is committed together, how far it is flushed, and when: group commit without a
/// lock, a clock or a disk.
///
/// What waits is taken in order, all of it up to the limits; a request that comes alone never waits
/// for company. Those of a group who were answered together are likely to come back at once, so
/// the next group is given a moment, much less than a flush takes, to become as large: many tasks
/// then share one flush instead of taking turns in parts. One request for full durability makes
/// the whole group durable. A group without any leaves its meta page in
/// the system's cache, and a flush falls due; where requests never cease, the group that is next
/// when it is due becomes durable instead.
package struct CommitQueue<Request> {
  /// The named limits of a group and of waiting.
  package struct Limits {
    /// The bytes of records beyond which a group takes no further request.
    package var bytesMax = 512 << 10
    /// The records beyond which a group takes no further request.
    package var recordsMax = 1 << 16
    /// How long a relaxed commit waits for a flush.
    package var relaxedDelay = Duration.milliseconds(100)
    /// The moment that a group behind one of several is given.
    package var gathering = Duration.microseconds(20)

    /// The default limits.
    package init() {}
  }

  /// What is to be done next.
  package enum Action {
    /// Commit these together.
    case commit([Request], Durability)
    /// Look again after a moment: more is likely to have arrived.
    case gather(Duration)
    /// Flush what relaxed commits left.
    case flush
    /// Nothing, before a request arrives or the time has come.
    case wait(until: Instant?)
  }

  private struct Waiting {
    let request: Request
    let records: Int
    let bytes: Int
    let durability: Durability
  }

  private let limits: Limits
  private var waiting: [Waiting] = []
  private var flushDue: Instant?
  /// How many requests the last group had, as long as the next has not been given its moment.
  private var lastCount = 0

  /// An empty queue.
  package init(limits: Limits = Limits()) { self.limits = limits }

  /// Whether nothing waits to be committed.
  package var isEmpty: Bool { waiting.isEmpty }

  /// Whether a relaxed commit waits for a flush.
  package var owesFlush: Bool { flushDue != nil }

  /// Puts a request behind those that wait.
  package mutating func append(
    _ request: Request, records: Int, bytes: Int, _ durability: Durability
  ) {
    waiting.append(
      Waiting(request: request, records: records, bytes: bytes, durability: durability))
  }

  /// Decides what is next, and takes it out of the queue.
  package mutating func next(now: Instant) -> Action {
    guard !waiting.isEmpty else {
      guard let flushDue else { return .wait(until: nil) }
      return now < flushDue ? .wait(until: flushDue) : .flush
    }
    if waiting.count < lastCount {
      lastCount = 0
      return .gather(limits.gathering)
    }
    let group = waiting.prefix(groupCount)
    lastCount = group.count
    let isFull = flushDue.map { $0 <= now } == true || group.contains { $0.durability == .full }
    let durability: Durability = isFull ? .full : .relaxed
    let requests = group.map(\.request)
    waiting.removeFirst(requests.count)
    return .commit(requests, durability)
  }

  /// Notes that a group was committed, and how.
  package mutating func committed(_ durability: Durability, now: Instant) {
    flushDue = durability == .full ? nil : flushDue ?? now + limits.relaxedDelay
  }

  /// Notes that everything committed was flushed.
  package mutating func flushed() { flushDue = nil }

  /// How many of those that wait fit into one group; at least one.
  private var groupCount: Int {
    var (records, bytes, count) = (0, 0, 0)
    for request in waiting {
      records += request.records
      bytes += request.bytes
      guard count == 0 || (records <= limits.recordsMax && bytes <= limits.bytesMax) else { break }
      count += 1
    }
    return count
  }
}
