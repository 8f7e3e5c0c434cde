package import LMDB

/// Decides what is committed together, how far it is flushed, and when: group commit without a
/// lock, a clock or a disk.
///
/// Waiting requests are taken in order, all of them up to the limits; a request that comes alone
/// never waits for others. Requesters answered together are likely to return at once, so the next
/// group is given a moment, much less than a flush takes, to become as large: many tasks then share
/// one flush instead of taking turns in parts. One request for full durability makes the whole
/// group durable. A group without one leaves its meta page in the system's cache, and a flush falls
/// due; if requests never cease, the group that comes up when it is due becomes durable instead.
///
/// Either commit waits for the disk. So a request that nobody waits for is *patient*: it goes with
/// the next one that isn't, or soon anyway. And if a callback about a request announces that
/// consequences are about to follow, both go together.
package struct CommitQueue<Request> {
  /// The named limits of a group and of waiting.
  package struct Limits {
    /// The bytes of records beyond which a group takes no more requests.
    package var bytesMax = 512 << 10
    /// The number of records beyond which a group takes no more requests.
    package var recordsMax = 1 << 16
    /// The time that a relaxed commit waits for a flush.
    package var relaxedDelay = Duration.milliseconds(100)
    /// The time that the group after a group of several is given to gather.
    var gathering = Duration.microseconds(20)
    /// The time that a request which no task awaits is held for others.
    package var patience = Duration.milliseconds(2)
    /// The time that a group waits for what is expected to follow: longer than it takes to decide
    /// what that is, and less than a flush takes on most devices.
    package var expectation = Duration.microseconds(500)

    /// The default limits.
    package init() {}
  }

  /// The next action.
  package enum Action {
    /// Commit these requests together.
    case commit([Request], Durability)
    /// Check again after a moment, as more is likely to have arrived.
    case gather(Duration)
    /// Flush what relaxed commits left.
    case flush
    /// Wait for a request, or until the deadline.
    case wait(until: Instant?)
  }

  /// The properties of a request that decisions depend on.
  private struct Waiting {
    let load: Load
    let durability: Durability
    /// The time until which the request waits for others, if it does.
    var patienceEnd: Instant?
  }

  /// The size of requests, which a group limits.
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
  /// The requests in their order, to be handed out unchanged, and the properties of each.
  private var requests: [Request] = []
  private var waiting: [Waiting] = []
  /// Their total size.
  private var load = Load()
  /// The number of requests that don't wait for others.
  private var urgentCount = 0
  /// Whether something is expected to follow the last arrival.
  private var isExpecting = false
  /// The time since which something is expected to follow the waiting requests, however often.
  private var expectedSince: Instant?
  /// Whether no decision has been made since the last arrival or call to hurry.
  package private(set) var hasNews = false
  private var flushDue: Instant?
  /// The number of requests in the last group, until the next has been given its moment.
  private var lastCount = 0

  /// Creates an empty queue.
  package init(limits: Limits = Limits()) { self.limits = limits }

  /// Whether nothing waits to be committed.
  package var isEmpty: Bool { waiting.isEmpty }

  /// Whether a relaxed commit waits for a flush.
  package var owesFlush: Bool { flushDue != nil }

  /// Enqueues a request.
  ///
  /// A further request among those left waiting for others is no news, because whoever left them
  /// waiting looks again in time.
  ///
  /// - Complexity: O(1), as is ``next(now:)`` when it leaves all waiting.
  /// - Parameter patientSince: The current time, if nobody waits for the request.
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

  /// Notes that consequences of a waiting request are about to follow.
  package mutating func expect(now: Instant) {
    guard !waiting.isEmpty else { return }
    (isExpecting, expectedSince) = (true, expectedSince ?? now)
  }

  /// Notes that nothing is to follow.
  package mutating func expectNothing() {
    guard isExpecting else { return }
    (isExpecting, hasNews) = (false, true)
  }

  /// Stops all waiting requests from waiting for others.
  package mutating func hurry() {
    guard !waiting.isEmpty else { return }
    (isExpecting, hasNews) = (false, true)
    for index in waiting.indices { waiting[index].patienceEnd = nil }
    urgentCount = waiting.count
  }

  /// Decides the next action, and dequeues the requests it concerns.
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

  /// Dequeues requests.
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

  /// Notes that a group was committed, and with which durability.
  package mutating func committed(_ durability: Durability, now: Instant) {
    flushDue = durability == .full ? nil : flushDue ?? now + limits.relaxedDelay
  }

  /// Notes that everything committed was flushed.
  package mutating func flushed() { flushDue = nil }

  /// The time until which the waiting requests wait for others; `nil` if there are enough of them.
  private var companyEnd: Instant? {
    guard isOneGroup else { return nil }
    guard urgentCount == 0 else {
      return isExpecting ? expectedSince.map { $0 + limits.expectation } : nil
    }
    // The first has waited longest.
    return [waiting.first?.patienceEnd, flushDue].compactMap(\.self).min()
  }

  /// Whether all waiting requests fit into one group.
  private var isOneGroup: Bool { waiting.count == 1 || fits(load) }

  private func fits(_ load: Load) -> Bool {
    load.records <= limits.recordsMax && load.bytes <= limits.bytesMax
  }

  /// The number of waiting requests that fit into one group; at least one.
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
