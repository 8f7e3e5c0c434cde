import EventStore
import Synchronization
import TestSupport
import Testing
import ToyDomains

/// What a reducer expects of events ahead does not change what they result in.
@Suite struct ForesightTests {
  @Test(arguments: 0..<UInt64(Campaign.size(8, long: 200)))
  func histories_comeToTheSame_whateverIsSaidAhead(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let mix = TodoMix.random(using: &generator)
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    for size in [1, 2, 7, 8, 63, 64, 65, 300] {
      var batch = Batch((0..<size).map { _ in mix.happening(using: &generator) })
      // The reducer is also asked what it expects of an event that it can't read.
      batch.add(Event(kind: EventKind(rawValue: 1), recordedAt: Timestamp(rawValue: 0))) { writer in
        writer.put(99, "nonsense")
      }
      try await log.append(batch)
    }
    let last = try log.read { $0.last }
    let rules = Todo.rules(Todo.randomViews(using: &generator))
    let silent = try Replay(log, reducer: Telling(rules) { _, _ in }, at: last)
    let asSaid = try Replay(log, reducer: rules, at: last)
    let wild = try Replay(log, reducer: Telling(rules, Self.tellAnything), at: last)
    for replay in [asSaid, wild] {
      #expect(try replay.differences(from: silent).isEmpty, "seed \(seed)")
      #expect(try replay.refused() == silent.refused())
      #expect(replay.position == silent.position)
      try replay.checkInvariants()
    }
    await log.close()
  }

  /// Names far more ids than are heeded: existing, missing and impossible ones, in collections that
  /// exist and that do not.
  private static func tellAnything(
    _ event: borrowing RecordView, _ names: inout ExpectedNames
  ) {
    for index in 0..<40 {
      names.expect("\(index % 20)", in: Todo.tasks)
      names.expect(event.payload, in: Todo.lists)
      names.expect(String(repeating: "x", count: index * 100), in: Todo.lists)
      names.expect("a", in: Leaderboard.players)
    }
  }

  /// The reducer is asked about the log's events before they are folded, and only if they are many.
  @Test func reducer_isAskedAhead_whereEventsComeTogether() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    try await log.append(Batch((0..<200).map { PlayerHappening.join("p\($0)", country: nil) }))
    let asked = Asked()
    let rules = Telling(Leaderboard.rules(Leaderboard.views, version: 1)) { event, _ in
      asked.note(event.number)
    }
    let replay = try Replay(log, reducer: rules, at: 100)
    #expect(asked.numbers == (1...100).map { RecordNumber(rawValue: $0) })
    for number in 101...110 { try replay.advance(to: RecordNumber(rawValue: UInt64(number))) }
    #expect(asked.numbers.count == 100, "single events were asked for")
    await log.close()
  }
}

/// The rules of a toy, with other expectations of its events.
private struct Telling<Base: Reducer>: Reducer {
  private let base: Base
  private let tell: @Sendable (borrowing RecordView, inout ExpectedNames) -> Void

  var version: Int { base.version }
  var views: [ViewDefinition] { base.views }
  var collections: [RowCollection] { base.collections }

  init(
    _ base: Base,
    _ tell: @escaping @Sendable (borrowing RecordView, inout ExpectedNames) -> Void
  ) {
    self.base = base
    self.tell = tell
  }

  func reduce(_ event: borrowing RecordView, into state: inout ReducerState) throws(Refusal) {
    try base.reduce(event, into: &state)
  }

  func expect(_ event: borrowing RecordView, _ names: inout ExpectedNames) { tell(event, &names) }
}

/// The events about which a reducer was asked ahead.
private final class Asked: Sendable {
  private let all = Mutex<[RecordNumber]>([])

  var numbers: [RecordNumber] { all.withLock { $0 } }

  func note(_ number: RecordNumber) { all.withLock { $0.append(number) } }
}
