import EventStore
import TestSupport
import Testing
import Tideline

/// The time that a fact takes grows with its length, and not with the square of a list in it.
@Suite struct LongListTests {
  private static let views = InboxReducer().collections.map {
    ViewDefinition("all \($0.name)", of: $0)
  }

  /// Returns a store with a fact that was sketched, like all records of longer batches.
  private func store(
    _ objectClass: ObjectClass, _ fill: (inout ObjectFields) -> Void
  ) throws -> MemoryStore {
    var batch = Batch()
    for event in [
      LoggedIn { ($0.person, $0.policy) = ("alice", .inbox) },
      ObjectFact(
        objectClass,
        ObjectFields {
          $0.put(.id, "a")
          fill(&$0)
        }),
    ] as [any InboxEvent] {
      batch.add(
        event, recordedAt: Timestamp(rawValue: 1_700_000_000_000),
        login: Login(account: 1, epoch: 1))
    }
    var generator = SeededGenerator(seed: 1)
    let store = try MemoryStore(InboxReducer(views: Self.views), using: &generator)
    try store.append(batch)
    try store.checkInvariants()
    return store
  }

  private func rows(_ collection: RowCollection, _ store: MemoryStore) throws -> [Row] {
    try store.views.rows(of: ListName("all \(collection.name)"), in: 0...)
  }

  private func labels(_ count: Int) -> [ObjectLabel] {
    (0..<count).map { ObjectLabel("t\(100_000 + $0)") }
  }

  private func files(_ count: Int) -> [ObjectFields] {
    (0..<count).map { index in ObjectFields { $0.put(.id, "f\(100_000 + index)") } }
  }

  /// Neither the order of the labels nor the way they are read matters.
  @Test(arguments: [1, 500, 501, 3_000]) func labels_areAllKept(count: Int) throws {
    let labels = labels(count)
    let expected = Set(labels.map(\.id))
    let store = try store(.thread) { $0.put(.tags, labels.reversed() + labels) }
    let thread = try rows(MailThread.collection, store).first.flatMap(MailThread.init)
    #expect(thread?.tagIDs == expected)
    let other = try self.store(.message) {
      $0.put(.labels, labels.reversed())
      $0.put(.folders, labels)
    }
    let message = try rows(Message.collection, other).first.flatMap(Message.init)
    #expect(message?.tagIDs == expected)
  }

  @Test(arguments: [1, 100, 101, 700]) func files_areAllKept(count: Int) throws {
    let store = try store(.message) { $0.put(.files, files(count)) }
    #expect(try rows(Attachment.collection, store).count == count)
    let message = try rows(Message.collection, store).first.flatMap(Message.init)
    #expect(message?.fileIDs.count == min(count, 500))
  }

  /// One object of a few megabytes: the row has no room for its labels.
  ///
  /// Takes some seconds in a debug build, as does that of the files; a time that grows with the
  /// square of the count would exceed the limit.
  @Test(.timeLimit(.minutes(5))) func veryManyLabels_takeNoLonger() throws {
    let store = try store(.thread) { $0.put(.tags, labels(100_000)) }
    #expect(store.refused.count == 1)
  }

  @Test(.timeLimit(.minutes(5))) func veryManyFiles_takeNoLonger() throws {
    let store = try store(.message) { $0.put(.files, files(30_000)) }
    #expect(try rows(Attachment.collection, store).count == 30_000)
  }
}
