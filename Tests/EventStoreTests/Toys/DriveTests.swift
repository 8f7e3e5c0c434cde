import EventStore
import TestSupport
import Testing
import ToyDomains

/// Histories find the faults of a store, and report no others.
///
/// Takes a few seconds: a fault that shows only in rare situations needs long histories.
@Suite(.timeLimit(.minutes(5))) struct DriveTests {
  private func drive(_ fault: PlainStore<TodoModel>.Fault?, seed: UInt64) async throws -> DriveTally
  {
    var generator = SeededGenerator(seed: seed)
    let mix = TodoMix.random(using: &generator)
    let empty = TodoModel(views: Todo.randomViews(using: &generator))
    var drive = Drive(PlainStore(empty, fault: fault), empty, mix, generator)
    try await drive.run(steps: 2000)
    return drive.tally
  }

  @Test func store_withoutFault_isAccepted() async throws {
    var tally = DriveTally()
    for seed in 0..<UInt64(5) { tally += try await drive(nil, seed: seed) }
    #expect(tally.handed > 100 && tally.pulled > 20 && tally.merged > 100, "\(tally)")
    #expect(tally.caughtUp > 20 && tally.travels > 5 && tally.trials > 5, "\(tally)")
  }

  @Test(arguments: PlainStore<TodoModel>.Fault.allCases)
  func store_withFault_isFound(_ fault: PlainStore<TodoModel>.Fault) async {
    var found = false
    for seed in 0..<UInt64(20) where !found {
      do {
        _ = try await drive(fault, seed: seed)
      } catch {
        found = true
      }
    }
    #expect(found, "\(fault)")
  }
}
