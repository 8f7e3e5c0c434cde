import EventStore
import LMDB
import TestSupport
import Testing

/// The views' tables have exactly the bytes that their documentation shows.
@Suite struct ViewsBytesTests {
  private static let title = Field<String>("title", 1)
  private static let isDone = Field<Bool>("isDone", 2)
  private static let due = Field<Timestamp>("due", 3)
  private static let tasks = RowCollection("tasks", number: 1, title, isDone, due)
  private static let time = Timestamp(rawValue: 1_700_000_000_000)

  /// The plan of the document's view.
  private static let plan = ViewPlan(
    ViewDefinition("open", of: tasks, where: isDone == false, orderedBy: [due.ascending]), seed: 1)

  private static func task(_ id: String, isDone: Bool = false, day: Int64 = 0) throws -> Row {
    try Row(id, in: tasks) { row in
      row[title] = "Buy \(id)"
      row[Self.isDone] = isDone
      row[due] = Timestamp(rawValue: time.rawValue + day * 86_400_000)
    }
  }

  private static func key(of row: Row) -> [UInt8] { plan.key(of: row.view, in: 0).bytes }

  @Test func row_hasTheBytesOfTheDocument() throws {
    let row = try Self.task("milk")
    try expect("row", row.view.bytes.array)
    var packed: [UInt8] = []
    PackedRow.pack(row.view, Self.tasks.shape, into: &packed)
    packed.store(integer: PackedRow.checksum(packed.raw, 1), at: RowFormat.Offset.checksum)
    try expect("packed row", packed)
    let folded = Field<String>("folded", 4)
    let fields = Self.tasks.fields + [folded.declaration]
    let others = RowCollection("tasks", number: 1, fields: fields)
    let echoed = try Row("milk", in: others) { echoed in
      echoed[Self.title] = "Buy milk"
      echoed[Self.isDone] = false
      echoed[Self.due] = Self.time
      echoed[folded] = "buy milk"
    }
    PackedRow.pack(echoed.view, others.shape, 1, into: &packed)
    try expect("packed row with an echo", packed)
  }

  @Test func key_hasTheBytesOfTheDocument() throws {
    try expect("key", Self.key(of: Self.task("milk")))
  }

  @Test func nodes_haveTheBytesOfTheDocument() throws {
    let keys = try [Self.task("milk"), Self.task("bread", day: 1)].map(Self.key)
    var index = RankedIndex(view: 1, IndexHeader(width: 1, nodeBytes: 256))
    let full = try Self.filled(&index, keys)
    try expect("header", full.header.bytes)
    try expect("leaf", nodes(full)[1 << 32 | 1])
    let empty = try Self.emptied(&index, keys)
    try expect("free node", nodes(empty)[1 << 32 | 1])
  }

  private func nodes(_ frozen: FrozenNodes) throws -> [UInt64: [UInt8]] {
    let file = try Scratch()
    let table = try file.environment.table("nodes", keys: UInt64.self, values: [UInt8].self)
    try file.environment.write(.none) { transaction throws(LMDBError) in
      try frozen.write(to: &transaction, table)
    }
    return try file.values(of: table)
  }

  private static func words(_ key: [UInt8]) -> SortWords {
    SortWords(key.raw.integer(UInt64.self, at: 0))
  }

  private static func filled(
    _ index: inout RankedIndex, _ keys: [[UInt8]]
  ) throws -> FrozenNodes {
    var ties = NoTies()
    for (place, key) in keys.enumerated() {
      _ = try index.insert(words(key), RowID(rawValue: UInt32(place + 1)), token: 0, &ties)
    }
    index.hash = keys.reduce(0) { $0 &+ Mixer.hash($1.raw) }
    return index.freeze()
  }

  private static func emptied(
    _ index: inout RankedIndex, _ keys: [[UInt8]]
  ) throws -> FrozenNodes {
    index.committed()
    var ties = NoTies()
    for (place, key) in keys.enumerated() {
      _ = try index.remove(words(key), RowID(rawValue: UInt32(place + 1)), token: 0, &ties)
    }
    return index.freeze()
  }

  @Test func names_haveTheBytesOfTheDocument() throws {
    var pairs = NamePairs(capacity: 2)
    pairs.append(3, 7)
    pairs.append(5, 1)
    let key = NameKey.block(2, of: 1)
    try expect("names block", NameBlock.bytes(of: pairs, 0..<2, key: key))
    let golden = try Goldens.of("ViewsFormat")["names catalog"] ?? []
    let decoded = NameCatalog(bytes: golden.raw)
    let catalog = try #require(decoded)
    #expect(catalog.tailCount == 5 && catalog.tiers.map(\.runs) == [[2]] && catalog.pending == 13)
    try expect("names catalog", catalog.bytes)
  }

  @Test func journal_hasTheBytesOfTheDocument() throws {
    let file = try Scratch()
    let table = try JournalBase.table(in: file.environment)
    var journal = try Journal(over: JournalBase(KeptReader(file.environment), table))
    journal.begin(.rows(of: 1), after: 0)
    journal.begin(.lists(ofView: 1), after: 0)
    let open = try Self.task("milk")
    let done = try Self.task("milk", isDone: true)
    let key = Self.key(of: open)
    let milk = RowID(rawValue: 1)
    journal.append(1)
    journal.appendRow(milk, from: nil, to: open.view, of: Self.tasks.number, Self.tasks.shape)
    journal.appendList(ofView: 1, group: 0, milk, from: nil, to: key.raw)
    journal.append(3)
    journal.appendRow(milk, from: open.view, to: done.view, of: Self.tasks.number, Self.tasks.shape)
    journal.appendList(ofView: 1, group: 0, milk, from: key.raw, to: nil)
    let frozen = try journal.freeze()
    try file.environment.write(.none) { transaction throws(LMDBError) in
      try frozen.write(to: &transaction, table)
    }
    let values = try file.values(of: table)
    try expect("journal rows", values[3 << 16 | 0xFF01])
    try expect("journal lists", values[3 << 16 | 1])
    try expect("journal catalog", values[0])
  }

  @Test func meta_hasTheBytesOfTheDocument() throws {
    let header = try #require(Goldens.of("ViewsFormat")["header"])
    let decoded = IndexHeader(header.raw)
    let view = ViewsMeta.View(
      number: 1, name: "open", hash: 5, header: try #require(decoded), isAsked: true)
    let former = FormerView(number: 2, last: 5)
    let meta = ViewsMeta(
      applied: LogPoint(number: 3, chain: 9), store: LogStanding.sample().store,
      totals: [(1, RowTotals(lastID: 2, count: 2, hash: 6))], views: [view], former: [former])
    try expect("meta", meta.bytes)
    #expect(ViewsMeta(meta.bytes.raw)?.views == [view])
    #expect(ViewsMeta(meta.bytes.raw)?.former == [former])
    for bit in 0..<meta.bytes.count * 8 {
      var bytes = meta.bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(ViewsMeta(bytes.raw) == nil, "bit \(bit)")
    }
  }

  @Test func refusedEvent_hasTheBytesOfTheDocument() throws {
    let event = RefusedEvent(number: 7, reason: "no id")
    try expect("refused event", event.bytes)
    #expect(RefusedEvent(event.number, event.bytes.raw) == event)
    #expect(RefusedEvent(8, event.bytes.raw) == nil && RefusedEvent(7, [1].raw) == nil)
  }

  private func expect(_ name: String, _ bytes: [UInt8]?) throws {
    let golden = try #require(try Goldens.of("ViewsFormat")[name])
    #expect(bytes == golden, "\(name): \(Goldens.text(bytes ?? []))")
  }
}

/// A temporary environment with tables.
private struct Scratch {
  let folder: TemporaryFolder
  let environment: Environment

  init() throws {
    folder = try TemporaryFolder()
    environment = try Environment(at: folder.path)
  }

  /// Returns all values of a table.
  func values(of table: Table<UInt64, [UInt8]>) throws -> [UInt64: [UInt8]] {
    var values: [UInt64: [UInt8]] = [:]
    try KeptReader(environment).read { loan throws(LMDBError) in
      var cursor = try loan.cursor(over: table)
      while try cursor.next() { values[cursor.key.nativeInteger] = cursor.value.array }
    }
    return values
  }
}

/// A tie-breaker that is never asked, because no two words are equal.
private struct NoTies: TieBreaker {
  private var comparisons = 0

  mutating func precedes(_ entry: RowID, _ token: Int) -> Bool {
    comparisons += 1
    return false
  }
}
