import EventStore
import TestSupport
import Testing
import ToyDomains

/// Stepping forward and back through random histories, compared with the plain models.
@Suite(.timeLimit(.minutes(5))) struct StepperTests {
  private static let seeds = 0..<UInt64(Campaign.size(6, long: 200))

  @Test(arguments: seeds) func steps_tellWhatHappened(_ seed: UInt64) async throws {
    // Some events touch too many rows to be told one by one.
    var history = try await ToyHistory<Todo>(seed: seed, eventRowsMax: seed % 3 == 0 ? 1 : nil)
    for _ in 0..<12 { try await history.step() }
    let stepper = try ReplayStepper(history.store.replay(at: 0))
    for number in 1...history.plain.count {
      let step = try #require(try stepper.forward())
      #expect(step.number == RecordNumber(number))
      try Self.expect(step, &history, seed)
      try Self.expect(try stepper.views(), &history, number)
    }
    let behindLast = try stepper.forward()
    #expect(behindLast == nil)
    await history.store.close()
  }

  /// A walk forward, back and elsewhere gives at each record what stepping in order gives.
  @Test(.defect(.reduxDevTools, 1), arguments: seeds) func walks_comeToTheSame(_ seed: UInt64)
    async throws
  {
    var history = try await ToyHistory<Todo>(seed: seed)
    for _ in 0..<40 { try await history.step(upTo: 20) }
    let straight = try ReplayStepper(history.store.replay(at: 0))
    var steps: [Step] = []
    while let step = try straight.forward() { steps.append(step) }
    let stepper = try ReplayStepper(history.store.replay(at: RecordNumber(steps.count / 2)))
    var number = steps.count / 2
    for _ in 0..<60 {
      let count = Int.random(in: 1...9, using: &history.generator)
      switch Int.random(in: 0..<5, using: &history.generator) {
      case 0:
        number = Int.random(in: 0...steps.count, using: &history.generator)
        try stepper.jump(to: RecordNumber(number))
      case 1: try Self.expect(try stepper.views(), &history, number)
      case 2, 3:
        for _ in 0..<count {
          let undone = try stepper.back()
          let expected = number > 0 ? steps[number - 1] : nil
          #expect(undone == expected, "seed \(seed) back from \(number)")
          number = max(0, number - 1)
        }
      default:
        for _ in 0..<count {
          let step = try stepper.forward()
          let expected = number < steps.count ? steps[number] : nil
          #expect(step == expected, "seed \(seed) on from \(number)")
          number = min(steps.count, number + 1)
        }
      }
      #expect(stepper.number == RecordNumber(number))
    }
    await history.store.close()
  }

  /// A damaged record is skipped, whatever was read ahead, and the records after it are whole.
  @Test func damage_isPassedOver() async throws {
    var generator = SeededGenerator(seed: 5)
    let (folder, mix) = (try TemporaryFolder(), Todo.Mix.random(using: &generator))
    let written = try await Log.open(at: folder.path)
    try await written.append(Batch((0..<40).map { _ in mix.happening(using: &generator) }))
    await written.close()
    try Damage.flip(17, bit: 300).inflict(on: folder)
    let log = try await Log.open(at: folder.path)
    let stepper = ReplayStepper(try Replay(log, reducer: Todo.rules(Todo.views, version: 1), at: 0))
    var numbers: [Int] = []
    while let step = try stepper.forward() { numbers.append(Int(step.number.rawValue)) }
    #expect(numbers == (1...40).filter { $0 != 17 })
    try stepper.views().checkInvariants()
    await log.close()
  }

  /// After a damaged record the stepper goes back to the record before, then forward over it.
  @Test func damage_isPassedOverBackwards() async throws {
    var generator = TestSupport.SeededGenerator(seed: 5)
    let (folder, mix) = (try TemporaryFolder(), Todo.Mix.random(using: &generator))
    let written = try await Log.open(at: folder.path)
    try await written.append(Batch((0..<40).map { _ in mix.happening(using: &generator) }))
    await written.close()
    try Damage.flip(30, bit: 77).inflict(on: folder)
    let log = try await Log.open(at: folder.path)
    let stepper = ReplayStepper(try Replay(log, reducer: Todo.rules(Todo.views, version: 1), at: 0))
    try stepper.jump(to: 30)
    var numbers: [RecordNumber?] = []
    for _ in 0..<2 { numbers.append(try stepper.back()?.number) }
    for _ in 0..<4 { numbers.append(try stepper.forward()?.number) }
    for _ in 0..<3 { numbers.append(try stepper.back()?.number) }
    #expect(numbers == [29, 28, 28, 29, 31, 32, 32, 31, 29])
    try stepper.views().checkInvariants()
    #expect(stepper.number == 28)
    await log.close()
  }

  /// Records that are appended meanwhile are stepped through as well.
  @Test func appended_isSteppedThrough() async throws {
    var history = try await ToyHistory<Todo>(seed: 6)
    for _ in 0..<3 { try await history.step() }
    let stepper = try ReplayStepper(history.store.replay(at: 0))
    var count = 0
    for _ in 0..<5 {
      while let step = try stepper.forward() {
        count += 1
        #expect(step.number == RecordNumber(count))
      }
      #expect(count == history.plain.count)
      try await history.step()
    }
    await history.store.close()
  }

  /// The stepper can go back over more steps than it remembers.
  @Test func back_toTheBeginning() async throws {
    var history = try await ToyHistory<Leaderboard>(seed: 3)
    while history.plain.count < 2 * ReplayStepper.pastMax + 40 { try await history.step(upTo: 20) }
    let stepper = try ReplayStepper(
      history.store.replay(at: RecordNumber(history.plain.count)), tellsLists: false)
    for number in stride(from: history.plain.count, to: 0, by: -1) {
      let undone = try stepper.back()
      #expect(undone?.number == RecordNumber(number))
      #expect(stepper.rememberedCount <= ReplayStepper.pastMax + ReplayStepper.futureMax)
    }
    let beforeFirst = try stepper.back()
    #expect(beforeFirst == nil && stepper.number == 0)
    for number in 1...history.plain.count {
      let step = try stepper.forward()
      #expect(step?.number == RecordNumber(number))
    }
    let behindLast = try stepper.forward()
    #expect(behindLast == nil)
    await history.store.close()
  }

  private static func expect(
    _ step: Step, _ history: inout ToyHistory<Todo>, _ seed: UInt64
  ) throws {
    let number = Int(step.number.rawValue)
    let (before, after) = (
      history.plain.timeline.model(at: number - 1), history.plain.timeline.model(at: number)
    )
    for change in step.rows where change.collection == Todo.tasks {
      #expect(change.old == before.row(change.id) || before.row(change.id)?.id != change.id)
      #expect(change.new == after.row(change.id) || after.row(change.id)?.id != change.id)
    }
    for told in step.lists {
      let text: String? = if case .text(let text)? = told.list.group { text } else { nil }
      let pane = Pane(
        view: told.list.view, group: text, window: EventStore.ListWindow())
      let (old, new) = (
        history.plain.sight(of: pane, at: number - 1), history.plain.sight(of: pane, at: number)
      )
      guard !told.change.isReset else {
        #expect(
          told.change.applying(to: []).elementsEqual(new.rows),
          "seed \(seed), \(told.list) by \(number)")
        continue
      }
      let set = old.changeSet(to: new, from: told.change.from, to: told.change.to)
      #expect(told.change == set, "seed \(seed), \(told.list) by \(number)")
    }
    for (list, next) in zip(step.lists, step.lists.dropFirst()).map({ ($0.list, $1.list) }) {
      guard list.view == next.view else { continue }
      let (text, later) = (list.description.utf8, next.description.utf8)
      #expect(text.lexicographicallyPrecedes(later), "seed \(seed): \(list), \(next) by \(number)")
    }
    // Lists that the step does not report have not changed.
    let lists = Set(step.lists.map(\.list.description))
    for pane in history.allPanes(at: [number - 1, number]) {
      let pane = Pane(view: pane.view, group: pane.group, window: EventStore.ListWindow())
      guard pane.group != nil || !history.isGrouped(pane.view) else { continue }
      let name = pane.group.map { "\(pane.view):\($0)" } ?? pane.view
      guard !lists.contains(name) else { continue }
      let (old, new) = (
        history.plain.sight(of: pane, at: number - 1), history.plain.sight(of: pane, at: number)
      )
      #expect(old == new, "seed \(seed): \(name) changed by \(number), untold")
    }
  }

  private static func expect<T: Toy>(
    _ replay: Replay, _ history: inout ToyHistory<T>, _ number: Int
  ) throws {
    for pane in history.allPanes(at: [number]) {
      let sight = try replay.views.sight(of: pane, history.name(of: pane))
      #expect(sight == history.plain.sight(of: pane, at: number))
    }
  }
}
