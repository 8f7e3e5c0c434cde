import EventStore
import LMDB
import TestSupport
import Testing

/// Which requests are committed together, how far they are flushed, and when.
@Suite struct CommitQueueTests {
  private typealias Queue = CommitQueue<Int>

  private static let delay = Duration.milliseconds(100)
  private static let patience = Duration.milliseconds(30)
  private static let expectation = Duration.milliseconds(10)

  private static func limits() -> Queue.Limits {
    var limits = Queue.Limits()
    (limits.bytesMax, limits.recordsMax, limits.relaxedDelay) = (1000, 10, delay)
    (limits.patience, limits.expectation) = (patience, expectation)
    return limits
  }

  /// The requests that arrived and were not taken, and the time since which a flush is owed.
  private struct Model {
    struct Waiting {
      let id: Int
      let records: Int
      let bytes: Int
      let durability: Durability
      /// The time since which the request has waited for company.
      var patientSince: Instant?
    }

    var waiting: [Waiting] = []
    var owedSince: Instant?
    /// The time since which another request is expected; `isExpected` is whether it still is.
    var expectedSince: Instant?
    var isExpected = false
    /// The time at which the writer looks again even without news: mostly at once.
    var nextLook = Instant(nanoseconds: 0)

    /// The time until which all requests are left waiting.
    var companyEnd: Instant? {
      guard waiting.map(\.records).sum <= 10 || waiting.count == 1,
        waiting.map(\.bytes).sum <= 1000 || waiting.count == 1
      else { return nil }
      guard waiting.allSatisfy({ $0.patientSince != nil }) else {
        return isExpected ? expectedSince.map { $0 + expectation } : nil
      }
      let end = waiting.compactMap { $0.patientSince.map { $0 + patience } }.min()
      return [end, owedSince.map { $0 + delay }].compactMap(\.self).min()
    }

    mutating func hurry() {
      for index in waiting.indices { waiting[index].patientSince = nil }
      isExpected = false
    }

    func isOwed(at now: Instant) -> Bool { owedSince.map { now >= $0 + delay } ?? false }

    /// Takes the group that the limits allow; returns it, and the durability that it needs.
    mutating func take(at now: Instant) -> (ids: [Int], Durability) {
      (isExpected, expectedSince) = (false, nil)
      var group = [waiting.removeFirst()]
      while let next = waiting.first, group.map(\.records).sum + next.records <= 10,
        group.map(\.bytes).sum + next.bytes <= 1000
      {
        group.append(waiting.removeFirst())
      }
      let isFull = isOwed(at: now) || group.contains { $0.durability == .full }
      return (group.map(\.id), isFull ? .full : .relaxed)
    }
  }

  @Test func histories_areThoseOfTheModel() {
    for seed in 0..<UInt64(Campaign.size(100, long: 5000)) { expectModel(seed) }
  }

  private func expectModel(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var (queue, model) = (Queue(limits: Self.limits()), Model())
    var (now, nextID) = (Instant(nanoseconds: 0), 0)
    for step in 0..<200 {
      let message: Comment = "seed \(seed), step \(step)"
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<4:
        append(nextID, to: &queue, &model, now, &generator)
        nextID += 1
      case 4:
        queue.hurry()
        model.hurry()
      case 5:
        queue.expectNothing()
        model.isExpected = false
      case 6:
        queue.expect(now: now)
        guard !model.waiting.isEmpty else { break }
        (model.isExpected, model.expectedSince) = (true, model.expectedSince ?? now)
      default:
        act(&queue, &model, now, failing: Int.random(in: 0..<8, using: &generator) == 0, message)
      }
      if !queue.hasNews, !model.waiting.isEmpty {
        #expect(model.nextLook <= model.companyEnd ?? now, message)
      }
      now = now + .milliseconds(Int.random(in: 0...40, using: &generator))
      #expect(queue.isEmpty == model.waiting.isEmpty, message)
      #expect(queue.owesFlush == (model.owedSince != nil), message)
    }
  }

  private func append(
    _ id: Int, to queue: inout Queue, _ model: inout Model, _ now: Instant,
    _ generator: inout SeededGenerator
  ) {
    let records = Int.random(in: 1...6, using: &generator)
    let bytes = Int.random(in: 0...600, using: &generator)
    let isFull = Int.random(in: 0..<4, using: &generator) == 0
    let isPatient = !isFull && Bool.random(using: &generator)
    let durability: Durability = isFull ? .full : .relaxed
    queue.append(
      id, records: records, bytes: bytes, durability, patientSince: isPatient ? now : nil)
    model.isExpected = false
    model.waiting.append(
      Model.Waiting(
        id: id, records: records, bytes: bytes, durability: durability,
        patientSince: isPatient ? now : nil))
  }

  /// Performs the next action as the writer does, and expects it to match the model.
  private func act(
    _ queue: inout Queue, _ model: inout Model, _ now: Instant, failing: Bool, _ message: Comment
  ) {
    let next = nextButGathering(&queue, now)
    model.nextLook = Instant(nanoseconds: 0)
    switch next {
    case .gather: Issue.record("\(message): gathers twice")
    case .commit(let ids, let durability):
      #expect(model.companyEnd.map { $0 <= now } != false, message)
      let expected = model.take(at: now)
      #expect(ids == expected.ids && durability == expected.1, message)
      guard !failing else { return }
      queue.committed(durability, now: now)
      model.owedSince = durability == .full ? nil : model.owedSince ?? now
    case .flush:
      #expect(model.waiting.isEmpty && model.isOwed(at: now), message)
      queue.flushed()
      model.owedSince = nil
    case .wait(let deadline):
      model.nextLook = deadline ?? Instant(nanoseconds: .max)
      guard model.waiting.isEmpty else {
        return #expect(deadline == model.companyEnd && deadline.map { $0 > now } == true, message)
      }
      #expect(!model.isOwed(at: now), message)
      #expect(deadline == model.owedSince.map { $0 + Self.delay }, message)
    }
  }

  /// Returns the next action, skipping the moment that a group may be given first.
  private func nextButGathering(_ queue: inout Queue, _ now: Instant) -> Queue.Action {
    let next = queue.next(now: now)
    if case .gather = next { return queue.next(now: now) }
    return next
  }

  @Test func group_behindOneOfSeveral_isGivenAMoment() {
    var queue = Queue()
    let now = Instant(nanoseconds: 0)
    for id in 1...3 { queue.append(id, records: 1, bytes: 1, .full) }
    #expect(queue.next(now: now).described == "commit [1, 2, 3]")
    queue.append(4, records: 1, bytes: 1, .full)
    #expect(queue.next(now: now).described == "gather")
    for id in 5...6 { queue.append(id, records: 1, bytes: 1, .full) }
    #expect(queue.next(now: now).described == "commit [4, 5, 6]")
    queue.append(7, records: 1, bytes: 1, .full)
    #expect(queue.next(now: now).described == "gather")
    #expect(queue.next(now: now).described == "commit [7]")
    queue.append(8, records: 1, bytes: 1, .full)
    #expect(queue.next(now: now).described == "commit [8]")
  }

  /// A request that nobody awaits shares a wait for the disk with the next one.
  @Test func patientRequest_goesWithTheNext_orSoonAnyway() {
    var queue = Queue(limits: Self.limits())
    let start = Instant(nanoseconds: 0)
    queue.append(1, records: 1, bytes: 1, .relaxed, patientSince: start)
    #expect(queue.next(now: start).described == "wait")
    queue.append(2, records: 1, bytes: 1, .full)
    #expect(queue.next(now: start).described == "commit [1, 2]")
    queue.append(3, records: 1, bytes: 1, .relaxed, patientSince: start)
    #expect(nextButGathering(&queue, start).described == "wait")
    #expect(nextButGathering(&queue, start + Self.patience).described == "commit [3]")
    queue.append(4, records: 1, bytes: 1, .relaxed, patientSince: start)
    queue.hurry()
    #expect(queue.next(now: start).described == "commit [4]")
  }

  /// A request that waits for company doesn't wake the writer, which looks again anyway.
  @Test func patientRequest_behindAnother_isNoNews() {
    var queue = Queue(limits: Self.limits())
    let start = Instant(nanoseconds: 0)
    func append(_ bytes: Int, isPatient: Bool = true) {
      queue.append(0, records: 1, bytes: bytes, .relaxed, patientSince: isPatient ? start : nil)
    }
    append(100)
    #expect(queue.hasNews)
    #expect(queue.next(now: start).described == "wait")
    append(100)
    #expect(!queue.hasNews)
    append(900)
    #expect(queue.hasNews, "there are enough for a group")
    #expect(queue.next(now: start).described == "commit [0, 0]")
    #expect(nextButGathering(&queue, start).described == "wait")
    append(50, isPatient: false)
    #expect(queue.hasNews)
  }

  @Test func request_whoseConsequenceIsExpected_goesWithIt_orSoonAnyway() {
    var queue = Queue(limits: Self.limits())
    let start = Instant(nanoseconds: 0)
    queue.append(1, records: 1, bytes: 1, .full)
    queue.expect(now: start)
    #expect(queue.next(now: start).described == "wait")
    queue.append(2, records: 1, bytes: 1, .full)
    #expect(queue.next(now: start).described == "commit [1, 2]")
    queue.append(3, records: 1, bytes: 1, .full)
    queue.expect(now: start)
    #expect(nextButGathering(&queue, start).described == "wait")
    #expect(nextButGathering(&queue, start + Self.expectation).described == "commit [3]")
    queue.append(4, records: 1, bytes: 1, .full)
    queue.expect(now: start)
    queue.expectNothing()
    #expect(queue.next(now: start).described == "commit [4]")
  }

  /// Announcing again and again that more follows doesn't prolong the wait.
  @Test func expectation_ofOneAfterTheOther_endsWithTheFirst() {
    var queue = Queue(limits: Self.limits())
    let start = Instant(nanoseconds: 0)
    for id in 0..<3 {
      queue.append(id, records: 1, bytes: 1, .full)
      queue.expect(now: start + .milliseconds(4 * id))
      #expect(queue.next(now: start + .milliseconds(4 * id)).described == "wait")
    }
    #expect(queue.next(now: start + Self.expectation).described == "commit [0, 1, 2]")
  }

  @Test func request_overTheLimits_goesAlone() {
    var queue = Queue(limits: Self.limits())
    for (id, bytes) in [(1, 5000), (2, 10), (3, 10), (4, 5000)] {
      queue.append(id, records: 1, bytes: bytes, .relaxed)
    }
    var groups: [[Int]] = []
    while case .commit(let ids, _) = nextButGathering(&queue, Instant(nanoseconds: 0)) {
      groups.append(ids)
    }
    #expect(groups == [[1], [2, 3], [4]])
  }
}

extension CommitQueue.Action {
  fileprivate var described: String {
    switch self {
    case .commit(let requests, _): "commit \(requests)"
    case .gather: "gather"
    case .flush: "flush"
    case .wait: "wait"
    }
  }
}

extension [Int] {
  fileprivate var sum: Int { reduce(0, +) }
}
