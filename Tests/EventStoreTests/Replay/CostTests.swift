import EventStore
import TestSupport
import Testing

/// The cost of an event, counted in collections and views that have anything to do with it.
@Suite struct CostTests {
  /// Events and batches leave alone a collection that no event touches, and its views.
  @Test func event_costsNothing_forWhatItLeavesAlone() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    var batch = Batch()
    for index in 0..<300 { Wide.put("row \(index * 7 % 50)", index * 31 % 97, in: &batch) }
    try await log.append(batch)
    let narrow = try Self.visits(of: Wide(collections: 1, views: 2), log)
    let wide = try Self.visits(of: Wide(collections: 12, views: 25), log)
    #expect(narrow == wide)
    #expect(narrow.singly > narrow.together, "batches of one settle views more often")
    // Each event touches one collection and asks its two views; a batch brings both up to date:
    // with the net changes of all 50 rows in one view, and of the 28 that are ever even in the
    // other.
    #expect(narrow.together == 299 * 3 + 2 + 50 + 28)
    await log.close()
  }

  /// An event that queries a list costs the same after few and after many others of its batch.
  @Test func query_costsNothing_forEarlierEventsOfTheBatch() async throws {
    let few = try await Self.visits(ofQueries: 300), many = try await Self.visits(ofQueries: 1200)
    #expect(few > 300)
    #expect(many < 5 * few)
  }

  /// Returns the visits of a batch of events that change other rows, each after querying a list.
  private static func visits(ofQueries count: Int) async throws -> Int {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    var batch = Batch()
    for index in 0..<count { Wide.put("row \(index)", index * 31 % 97, in: &batch) }
    try await log.append(batch)
    let replay = try Replay(log, reducer: Wide(collections: 1, views: 2, queries: "v0"), at: 1)
    _ = try replay.views.count(of: "v0")
    let before = replay.visits
    try replay.advance(to: RecordNumber(rawValue: UInt64(count)))
    #expect(try replay.views.count(of: "v0") == count)
    await log.close()
    return replay.visits - before
  }

  /// Replaying a log costs nothing for views that no one asks for.
  @Test func event_costsNothing_forViewsThatNobodyAsksFor() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    var batch = Batch()
    for index in 0..<300 { Wide.put("row \(index * 7 % 50)", index * 31 % 97, in: &batch) }
    try await log.append(batch)
    let replay = try Replay(log, reducer: Wide(collections: 1, views: 2), at: 1)
    let before = replay.visits
    try replay.advance(to: 300)
    #expect(replay.visits - before == 299)
    #expect(try replay.views.count(of: "v0") == 50)
    try replay.checkInvariants()
    await log.close()
  }

  /// A witness of net changes holds nothing of the states that rows went through.
  @Test func netWitness_holdsOneSightOfEachRow() async throws {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    var batch = Batch()
    for index in 0..<300 { Wide.put("row \(index % 2)", index, in: &batch) }
    try await log.append(batch)
    let replay = try Replay(log, reducer: Wide(collections: 1, views: 2), at: 10)
    let witness = EventWitness(.net)
    replay.show(to: witness)
    try replay.advance(to: 300)
    #expect(witness.sights.count == 2)
    let steps = try replay.rowChanges(from: 10, to: 300)
    #expect(steps.map { $0.old?[Wide.date] } == [8, 9])
    #expect(steps.map { $0.new?[Wide.date] } == [298, 299])
    await log.close()
  }

  /// Returns the visits of all events in one batch, and in batches of one.
  private static func visits(
    of reducer: Wide, _ log: Log
  ) throws -> (together: Int, singly: Int) {
    let together = try asked(reducer, log)
    let before = together.visits
    try together.advance(to: 300)
    let singly = try asked(reducer, log)
    for number in 2...300 { try singly.advance(to: RecordNumber(rawValue: UInt64(number))) }
    for view in ["v0", "v1"] as [ListName] {
      #expect(
        try singly.views.rows(of: view, in: 0...) == together.views.rows(of: view, in: 0...))
    }
    try singly.checkInvariants()
    return (together.visits - before, singly.visits - before)
  }

  /// Returns a replay after the first record that keeps the two views, as both were asked for.
  private static func asked(_ reducer: Wide, _ log: Log) throws -> Replay {
    let replay = try Replay(log, reducer: reducer, at: 1)
    for view in ["v0", "v1"] as [ListName] { _ = try replay.views.count(of: view) }
    return replay
  }
}

/// A reducer of many collections and views, whose events touch one row of the first collection,
/// which has two views.
private struct Wide: Reducer {
  static let date = Field<Int>("date", 1)
  static let isEven = Field<Bool>("isEven", 2)

  let version = 1
  let collections: [RowCollection]
  let views: [ViewDefinition]
  /// The list that each event queries, if any.
  private let queried: ListName?

  init(collections count: Int, views viewCount: Int, queries queried: ListName? = nil) {
    self.queried = queried
    let all = (1...count).map { number in
      RowCollection("c\(number)", number: UInt8(number), Self.date, Self.isEven)
    }
    collections = all
    views = (0..<viewCount).map { index in
      ViewDefinition(
        "v\(index)", of: index < 2 ? all[0] : all[1 + index % (count - 1)],
        where: index == 0 ? .always : Self.isEven == true, orderedBy: [Self.date.descending])
    }
  }

  func reduce(_ event: borrowing RecordView, into state: inout ReducerState) throws(Refusal) {
    guard let fields = try? PayloadFields(decoding: event.payload),
      case .text(let id)? = fields[1], case .integer(let date)? = fields[2]
    else { throw Refusal("no id") }
    if let queried { _ = state.count(in: queried) }
    let row = try state.row(id, in: collections[0])
    state[row, Self.date] = Int(date)
    state[row, Self.isEven] = date.isMultiple(of: 2)
  }

  static func put(_ id: String, _ date: Int, in batch: inout Batch) {
    batch.add(Event(kind: EventKind(rawValue: 1), recordedAt: Timestamp(rawValue: 0))) {
      $0.put(1, id)
      $0.put(2, Int64(date))
    }
  }
}
