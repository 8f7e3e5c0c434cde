import EventStore
import Synchronization
import TestSupport
import Testing
import ToyDomains

/// Batches whose events are shown one after the other.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StepwiseTests {
  /// The records after which a subscriber was told something.
  private final class Told: Sendable {
    private let state = Mutex<[RecordNumber]>([])

    var numbers: [RecordNumber] { state.withLock { $0 } }

    func take(_ change: Change) { state.withLock { $0.append(change.set.to.number) } }
  }

  /// Returns a batch of new tasks, each of which changes the list.
  private static func batch(_ names: Range<Int>, isStepwise: Bool) -> Batch {
    var batch = Batch(names.map { TodoHappening.put("task \($0)", TodoPatch()) })
    batch.isStepwise = isStepwise
    return batch
  }

  private static func withLooker(_ body: (Store, Told) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let store = try await Store.open(at: folder.path, reducer: Todo.rules(Todo.views))
    let told = Told()
    let live = try store.live("titles", window: 0...) { told.take($0) }
    try await body(store, told)
    live.end()
    #expect(try await store.verify().isSound)
    await store.close()
  }

  @Test(arguments: [2, 7, 150]) func eachEvent_isShownApart(count: Int) async throws {
    try await Self.withLooker { store, told in
      let numbers = try await store.append(Self.batch(0..<count, isStepwise: true))
      #expect(told.numbers == Array(numbers.lowerBound...numbers.upperBound))
    }
  }

  @Test func eachEvent_isShownApart_byWhoSubmitsIt() async throws {
    try await Self.withLooker { store, told in
      try await store.append(Self.batch(0..<1, isStepwise: false))
      // Whatever was on its way is in the log once something after it is.
      try await store.commitViews()
      let receipt = try store.submitAndShow(Self.batch(1..<6, isStepwise: true))
      // If the views are busy at that moment, the log's own thread shows the batch.
      try await receipt.visible()
      #expect(try await receipt.durable() == 2...6)
      #expect(told.numbers == [1, 2, 3, 4, 5, 6])
    }
  }

  @Test func otherEvents_areShownTogether() async throws {
    try await Self.withLooker { store, told in
      let numbers = try await store.append(Self.batch(0..<7, isStepwise: false))
      #expect(told.numbers == [numbers.upperBound])
    }
  }

  /// Each event is shown apart, whatever surrounds its batch and whoever reduces it, except the
  /// last, which may be shown together with what follows.
  @Test func amongOthers_eachEventIsShownApart() async throws {
    try await Self.withLooker { store, told in
      var apart: [RecordNumber] = []
      for round in 0..<20 {
        let (plain, steps, ahead) = (
          Self.batch(round * 9..<round * 9 + 3, isStepwise: false),
          Self.batch(round * 9 + 3..<round * 9 + 6, isStepwise: true),
          Self.batch(round * 9 + 6..<round * 9 + 9, isStepwise: true)
        )
        let receipts = try [
          store.submit(plain), store.submit(steps), store.submit(plain), store.submitAndShow(ahead),
        ]
        for receipt in receipts { try await receipt.visible() }
        for receipt in [receipts[1], receipts[3]] {
          let numbers = try await receipt.durable()
          apart += (numbers.lowerBound..<numbers.upperBound).map { $0 }
        }
      }
      let shown = told.numbers
      #expect(try shown.last == store.log.last && shown == shown.sorted())
      #expect(Set(apart).isSubset(of: shown))
    }
  }
}
