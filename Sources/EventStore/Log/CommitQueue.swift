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
    var gathering = Duration.microseconds(20)
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

  /// What there is to be known of a request, to decide about it.
  private struct Waiting {
    let load: Load
    let durability: Durability
    /// Until when it waits for company, where it does.
    var patienceEnd: Instant?
  }

  /// How much requests are, of which a group takes so much.
  private struct Load {
    var records = 0
    var bytes = 0

    static func += (load: inout Load, other: Load) {
      load.records += other.records
      load.bytes += other.bytes
    }

    static func -= (load: inout Load, other: Load) {
      load.records -= other.records
      load.bytes -= other.bytes
    }
  }

  private let limits: Limits
  /// The requests in their order, to be handed out as they are, and what there is to be known of
  /// each.
  private var requests: [Request] = []
  private var waiting: [Waiting] = []
  /// How much they are together.
  private var load = Load()
  /// How many of them don't wait for company.
  private var urgentCount = 0
  /// Whether something is expected to follow what arrived last.
  private var isExpecting = false
  /// Since when something has been expected to follow those that wait, however often.
  private var expectedSince: Instant?
  /// Whether nobody has decided yet about what arrived last, or is in a hurry now.
  package private(set) var hasNews = false
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
  /// It is no news where it is one more of those that were left waiting for company: whoever
  /// decided so looks again in time.
  ///
  /// - Complexity: O(1), as it is for ``next(now:)`` to leave all waiting.
  /// - Parameter patientSince: Where nobody waits for it: the time now.
  package mutating func append(
    _ request: Request, records: Int, bytes: Int, _ durability: Durability,
    patientSince: Instant? = nil
  ) {
    let areLeftWaiting = !hasNews && !isEmpty
    let added = Load(records: records, bytes: bytes)
    requests.append(request)
    waiting.append(
      Waiting(
        load: added, durability: durability,
        patienceEnd: patientSince.map { $0 + limits.patience }))
    load += added
    if patientSince == nil { urgentCount += 1 }
    isExpecting = false
    hasNews = !areLeftWaiting || urgentCount > 0 || !isOneGroup
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
    for index in waiting.indices { waiting[index].patienceEnd = nil }
    urgentCount = waiting.count
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
    let count = groupCount
    let group = waiting.prefix(count)
    (lastCount, isExpecting, expectedSince) = (count, false, nil)
    let isFull = flushDue.map { $0 <= now } == true || group.contains { $0.durability == .full }
    return .commit(take(count), isFull ? .full : .relaxed)
  }

  /// Takes requests out of the queue.
  private mutating func take(_ count: Int) -> [Request] {
    for request in waiting.prefix(count) {
      load -= request.load
      if request.patienceEnd == nil { urgentCount -= 1 }
    }
    waiting.removeFirst(count)
    let taken = Array(requests.prefix(count))
    requests.removeFirst(count)
    return taken
  }

  /// Notes that a group was committed, and how.
  package mutating func committed(_ durability: Durability, now: Instant) {
    flushDue = durability == .full ? nil : flushDue ?? now + limits.relaxedDelay
  }

  /// Notes that everything committed was flushed.
  package mutating func flushed() { flushDue = nil }

  /// Until when those that wait are left waiting for company; not where there are enough of them.
  private var companyEnd: Instant? {
    guard isOneGroup else { return nil }
    guard urgentCount == 0 else {
      return isExpecting ? expectedSince.map { $0 + limits.expectation } : nil
    }
    // The first has waited longest.
    return [waiting.first?.patienceEnd, flushDue].compactMap(\.self).min()
  }

  /// Whether all that wait fit into one group.
  private var isOneGroup: Bool { waiting.count == 1 || fits(load) }

  private func fits(_ load: Load) -> Bool {
    load.records <= limits.recordsMax && load.bytes <= limits.bytesMax
  }

  /// How many of those that wait fit into one group; at least one.
  private var groupCount: Int {
    guard !isOneGroup else { return waiting.count }
    var (load, count) = (Load(), 0)
    for request in waiting {
      load += request.load
      guard count == 0 || fits(load) else { break }
      count += 1
    }
    return count
  }
}
