import EventStore
import InboxHistories
import TestSupport
import Testing
import Tideline

/// What is sketched of facts before their turn is what they come to.
@Suite struct SketchedHistoryTests {
  @Test(arguments: 0..<UInt64(12)) func histories_comeToTheSame_sketchedOrNot(seed: UInt64) throws {
    let history = InboxAuthor.history(seed: seed, count: 200)
    var (one, other) = (SeededGenerator(seed: seed), SeededGenerator(seed: seed))
    let (sketched, plain) = (
      try MemoryStore(InboxReducer(), using: &one), try MemoryStore(InboxReducer(), using: &other)
    )
    try sketched.append(history.batch)
    // One by one nothing is sketched.
    for step in history.steps {
      var batch = Batch()
      batch.add(step.header) { step.event?.encode(into: &$0) }
      try plain.append(batch)
    }
    #expect(sketched.mark == plain.mark, "seed \(seed)")
    #expect(sketched.refused == plain.refused, "seed \(seed)")
    try sketched.checkInvariants()
  }
}
