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
///
/// A commit costs a wait for the disk in either case. So what nobody waits for is *patient*: it
/// goes with whatever comes next that isn't, or soon anyway. And where who is told of a request
/// says that what comes of it is about to follow, both go together.
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
    /// How long a request waits for company that nobody waits for.
    package var patience = Duration.milliseconds(2)
    /// How long a group waits for what is expected to follow: longer than it takes to decide what
    /// that is, and less than a flush takes on most devices.
    package var expectation = Duration.microseconds(500)

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
    /// Until when it waits for company, where it does.
    let patienceEnd: Instant?
  }

  private let limits: Limits
  private var waiting: [Waiting] = []
  /// Whether something is expected to follow what arrived last.
  private var isExpecting = false
  /// Since when something has been expected to follow those that wait, however often.
  private var expectedSince: Instant?
  /// Whether nobody has decided yet about what arrived last, or is in a hurry now.
  private(set) var hasNews = false
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
  ///
  /// - Parameter patientSince: Where nobody waits for it: the time now.
  package mutating func append(
    _ request: Request, records: Int, bytes: Int, _ durability: Durability,
    patientSince: Instant? = nil
  ) {
    (isExpecting, hasNews) = (false, true)
    waiting.append(
      Waiting(
        request: request, records: records, bytes: bytes, durability: durability,
        patienceEnd: patientSince.map { $0 + limits.patience }))
  }

  /// Notes that what comes of a request that waits is about to follow.
  package mutating func expect(now: Instant) {
    guard !waiting.isEmpty else { return }
    (isExpecting, expectedSince) = (true, expectedSince ?? now)
  }

  /// Notes that nothing is to follow.
  package mutating func expectNothing() {
    guard isExpecting else { return }
    (isExpecting, hasNews) = (false, true)
  }

  /// Has nothing wait for company any more that waits now.
  package mutating func hurry() {
    guard !waiting.isEmpty else { return }
    (isExpecting, hasNews) = (false, true)
    waiting = waiting.map { waiting in
      Waiting(
        request: waiting.request, records: waiting.records, bytes: waiting.bytes,
        durability: waiting.durability, patienceEnd: nil)
    }
  }

  /// Decides what is next, and takes it out of the queue.
  package mutating func next(now: Instant) -> Action {
    hasNews = false
    guard !waiting.isEmpty else {
      guard let flushDue else { return .wait(until: nil) }
      return now < flushDue ? .wait(until: flushDue) : .flush
    }
    if let companyEnd, now < companyEnd { return .wait(until: companyEnd) }
    if waiting.count < lastCount {
      lastCount = 0
      return .gather(limits.gathering)
    }
    let group = waiting.prefix(groupCount)
    lastCount = group.count
    (isExpecting, expectedSince) = (false, nil)
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

  /// Until when those that wait are left waiting for company; not where there are enough of them.
  private var companyEnd: Instant? {
    guard groupCount == waiting.count else { return nil }
    let ends = waiting.compactMap(\.patienceEnd)
    guard ends.count == waiting.count else {
      return isExpecting ? expectedSince.map { $0 + limits.expectation } : nil
    }
    return (ends + [flushDue].compactMap(\.self)).min()
  }

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
