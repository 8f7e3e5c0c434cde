import EventStore
import Testing
import Tideline
import TidelineSimulator

@Suite struct VirtualStoreTests {
  private let login = Login(account: 1, epoch: 1)

  private func batch(_ events: any InboxEvent...) -> Batch {
    var batch = Batch()
    for event in events {
      batch.add(event, recordedAt: Timestamp(rawValue: 1_000), login: login)
    }
    return batch
  }

  private func thread(_ id: String) -> ObjectFact {
    ObjectFact(
      .thread,
      ObjectFields {
        $0.put(.id, id)
        $0.put(.tags, [ObjectLabel("inbox")])
      })
  }

  private func store() throws -> VirtualStore {
    let store = try VirtualStore(seed: 1)
    try store.append(batch(LoggedIn { $0.policy = .inbox }))
    return store
  }

  private func threads(_ store: VirtualStore) throws -> [String] {
    let list = ListName(InboxViews.threadsByTag, by: "inbox", of: 1)
    return try store.views.rows(of: list, in: 0...).map(\.id)
  }

  @Test func written_isShownAtOnce() throws {
    let store = try store()
    let numbers = try store.append(batch(thread("t1"), thread("t2")))
    #expect(numbers == 2...3)
    #expect(try threads(store).sorted() == ["1/t1", "1/t2"])
    #expect(store.event(3) as? ObjectFact == thread("t2"))
    #expect(store.event(4) == nil)
    try store.checkInvariants()
  }

  @Test func crash_takesWhatIsNotDurable() throws {
    let store = try store()
    try store.append(batch(thread("t1")))
    store.flush(through: 2)
    try store.append(batch(thread("t2")))
    #expect(store.hasFlushed(2) && !store.hasFlushed(3))
    try store.crash()
    #expect(try threads(store) == ["1/t1"])
    #expect(store.last == 2 && store.openings == 2)
    #expect(try store.append(batch(thread("t3"))) == 3...3)
  }

  @Test func fullDisk_takesWhatIsNotDurable_andTheStoreStaysOpen() throws {
    let store = try store()
    try store.append(batch(thread("t1")))
    store.flush(through: 2)
    try store.append(batch(thread("t2")))
    #expect(store.firstUnflushed == 3)
    try store.lose()
    #expect(try threads(store) == ["1/t1"])
    #expect(store.firstUnflushed == nil)
    #expect(store.last == 2 && store.openings == 1)
  }

  @Test func compacted_opensAnewAsItWas() throws {
    let store = try store()
    for number in 0..<40 { try store.append(batch(thread("t\(number % 5)"))) }
    store.flush(through: store.count)
    try store.append(batch(thread("t9")))
    #expect(try store.compact(through: 30))
    #expect(try !store.compact(through: 30))
    #expect(try !store.compact(through: 42), "not durable")
    let kept = (UInt64(1)...30).count { store.event(RecordNumber(rawValue: $0)) != nil }
    #expect(kept < 10)
    #expect(store.event(31) as? ObjectFact == thread("t4"))
    #expect(store.mark == (try store.reopened().mark))
    try store.crash()
    #expect(try threads(store).sorted() == (0..<5).map { "1/t\($0)" })
    #expect(try store.append(batch(thread("t6"))) == 42...42)
    #expect(store.mark == (try store.folded().mark))
    #expect(store.refused.isEmpty)
  }

  @Test func foldedAnew_isTheSame() throws {
    let store = try store()
    for number in 0..<50 {
      try store.append(batch(thread("t\(number % 20)")))
      try store.append(
        batch(ChangeTags { ($0.ids, $0.added) = (["t\(number % 20)"], ["starred"]) }))
    }
    #expect(store.mark == (try store.folded().mark))
    #expect(store.refused.isEmpty)
  }
}
