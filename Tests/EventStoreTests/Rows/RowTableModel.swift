import EventStore
import LMDB
import TestSupport
import Testing

/// What a row of the table under test should be.
enum ModelRow: Equatable {
  case present(ParcelModel)
  case absent(String)
  case alias(String, RowID)

  var id: String {
    switch self {
    case .present(let parcel): parcel.id
    case .absent(let id), .alias(let id, _): id
    }
  }

  /// The bytes of such a row, made in one go.
  var bytes: [UInt8] {
    get throws {
      var bytes: [UInt8] = []
      switch self {
      case .present(let parcel):
        var row = try MutableRow(parcel.id, Parcel.all.shape)
        parcel.write(into: &row)
        return row.view.bytes.array
      case .absent(let id):
        RowFormat.append(Array(id.utf8).raw, 0, flags: RowFormat.Flag.absent, to: &bytes)
      case .alias(let id, let other):
        RowFormat.append(Array(id.utf8).raw, 1, flags: RowFormat.Flag.alias, to: &bytes)
        bytes.store(integer: UInt64(other.rawValue), at: RowFormat.Offset.slots)
      }
      return bytes
    }
  }
}

/// A table of rows on a real file, beside the rows that it has to hold.
final class RowTableModel {
  let folder: TemporaryFolder
  var environment: Environment
  var reader: KeptReader
  var base: Table<UInt64, [UInt8]>
  var table: RowTable
  let seed: UInt64
  var random: SeededGenerator
  var frozen: FrozenRows?
  /// The rows in the order of their numbers, from 1.
  var rows: [ModelRow] = []
  var rowsAtBatchStart: [ModelRow] = []
  /// The most rows that an event may touch for each of them to be noted.
  private let eventMax: Int
  /// Layers elsewhere, and the rows there that the table has not been given.
  private var pages = [Page(), Page()]

  private struct Page {
    var layer = RowLayer(after: 0)
    var spares: [(place: UInt32, parcel: ParcelModel)] = []
  }

  init(seed: UInt64) throws {
    folder = try TemporaryFolder()
    self.seed = seed
    random = SeededGenerator(seed: seed)
    eventMax = Bool.random(using: &random) ? 10_000 : Int.random(in: 0...3, using: &random)
    environment = try Environment(at: folder.path)
    base = try RowBase.table(of: Parcel.all, in: environment)
    reader = KeptReader(environment)
    table = RowTable(Parcel.all, over: RowBase(reader, base, of: Parcel.all), eventMax: eventMax)
  }

  var comment: Comment { "seed \(seed)" }

  /// Runs a batch of some events, and what may follow it.
  func step() throws {
    rowsAtBatchStart = rows
    // Fetching rows ahead, from any layer or with unused numbers, changes nothing.
    table.fetch(Array(0..<UInt32(rows.count + 3)) + [.max])
    table.beginBatch()
    for _ in 0..<Int.random(in: 0..<6, using: &random) { try event() }
    table.endBatch()
    rowsAtBatchStart = rows
    try expectSame()
    switch Int.random(in: 0..<6, using: &random) {
    case 0: if frozen == nil { frozen = table.freeze() }
    case 1: try commit()
    case 2: try reopen()
    default: break
    }
    try expectSame()
  }

  private func event() throws {
    let before = rows
    let bytes = table.dirtyBytes
    var touched: Set<UInt32> = []
    table.beginEvent()
    let totals = table.totals
    for _ in 0..<Int.random(in: 0..<5, using: &random) {
      if !table.isSweptByEvent, Int.random(in: 0..<8, using: &random) == 0 {
        try sweep(since: before)
        continue
      }
      let id = try change()
      touched.insert(id)
      try expectRow(id)
    }
    try expectImages(before)
    if Int.random(in: 0..<4, using: &random) == 0 {
      rows = before
      table.rollBackEvent()
      #expect(table.totals == totals && table.touchedCount == 0, comment)
      #expect(table.dirtyBytes == bytes, comment)
      try expectSame()
    } else if table.isHuge {
      #expect(touched.count > eventMax || table.isSweptByEvent, comment)
      try endHugeEvent(touched, before)
    } else {
      table.endEvent()
      try expectTouched(touched, before)
      try expectImages(before)
      if Bool.random(using: &random) {
        table.passEvent()
        #expect(table.touchedCount == 0, comment)
        try expectImages(rows)
      }
    }
  }

  private func endHugeEvent(_ touched: Set<UInt32>, _ before: [ModelRow]) throws {
    var found: [UInt32: [[UInt8]?]] = [:]
    let isSwept = table.isSweptByEvent
    try table.endHugeEvent { id, before, now in
      #expect(found[id.rawValue] == nil, comment)
      found[id.rawValue] = [before?.bytes.array, now.bytes.array]
    }
    // Of the rows that a sweep concerns, only those changed in the frame are reported.
    #expect(isSwept || found.count == touched.count, comment)
    try expect(found, of: touched.union(found.keys), before)
    rowsAtBatchStart = rows
    try expectImages(rows)
  }

  /// Sweeps a value into the rows that meet a condition, not all of which learn of it at once.
  private func sweep(since before: [ModelRow]) throws {
    let weight = Int.random(in: 0..<3, using: &random)
    let (limit, isFragile) = (
      Int.random(in: 0..<4, using: &random), Int.random(in: 0..<2, using: &random) == 0
    )
    let condition =
      switch Int.random(in: 0..<3, using: &random) {
      case 0: Parcel.weight >= limit
      case 1: Parcel.isFragile == isFragile
      default: Condition.always
      }
    let program = ConditionProgram(NormalCondition(condition))
    let value = Int.random(in: 0..<4, using: &random) == 0 ? nil : weight
    let sweep = Sweep(
      program, field: 0, .integer, to: value.map { UInt64(bitPattern: Int64($0)) })
    try table.sweep(sweep)
    for index in rows.indices where index < before.count {
      guard case .present(var parcel) = rows[index] else { continue }
      let (old, now) = try (before[index].bytes, rows[index].bytes)
      guard program.matches(RowView(old.raw)), program.matches(RowView(now.raw)) else { continue }
      parcel.weight = value
      rows[index] = .present(parcel)
    }
    try expectRows()
  }

  /// Changes a random row; returns its number.
  private func change() throws -> UInt32 {
    let isNew = rows.isEmpty || Int.random(in: 0..<3, using: &random) == 0
    guard !isNew else { return try create() }
    let index = Int.random(in: 0..<rows.count, using: &random)
    let id = RowID(rawValue: UInt32(index + 1))
    let other = RowID(rawValue: .random(in: 1...9, using: &random))
    let row = rows[index]
    switch (row, Int.random(in: 0..<10, using: &random)) {
    case (.present, 0):
      rows[index] = .absent(row.id)
      let isDone = try table.delete(id)
      #expect(isDone, comment)
    case (_, 1):
      rows[index] = .alias(row.id, other)
      let isDone = try table.redirect(id, to: other)
      #expect(isDone, comment)
    case (.present(var parcel), _):
      let write = parcel.change(using: &random)
      rows[index] = .present(parcel)
      let isDone = try table.edit(id) { write(&$0) }
      #expect(isDone, comment)
    case (_, 2):
      let isDeleted = try table.delete(id)
      let isLent = try table.edit(id) { _ in }
      #expect(!isDeleted && !isLent, comment)
    default:
      rows[index] = .present(ParcelModel(id: row.id))
      let isDone = try table.revive(id)
      #expect(isDone, comment)
    }
    return id.rawValue
  }

  private func create() throws -> UInt32 {
    if Bool.random(using: &random) { return try share() }
    let parcel = sample()
    rows.append(.present(parcel))
    let id = try table.create(Array(parcel.id.utf8).raw) { parcel.write(into: &$0) }
    #expect(Int(id.rawValue) == rows.count, comment)
    return id.rawValue
  }

  private func sample() -> ParcelModel {
    ParcelModel.sample(id: "p\(random.next() % 1_000_000)", using: &random)
  }

  /// Creates a row that stands elsewhere, like others before and after it.
  private func share() throws -> UInt32 {
    let index = Int.random(in: pages.indices, using: &random)
    let isFresh = pages[index].spares.isEmpty
    if isFresh { pages[index] = try newPage() }
    let (place, parcel) = pages[index].spares.removeLast()
    rows.append(.present(parcel))
    let bytes = table.dirtyBytes
    let id = table.create(sharing: place, of: pages[index].layer)
    #expect(Int(id.rawValue) == rows.count, comment)
    #expect(table.dirtyBytes > bytes || !isFresh, comment)
    return id.rawValue
  }

  private func newPage() throws -> Page {
    var page = Page()
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let (place, parcel) = (page.layer.beginRow(), sample())
      let bytes = try ModelRow.present(parcel).bytes
      page.layer.appendRow(RowView(bytes.raw))
      page.layer.endRow(at: place)
      page.spares.append((place, parcel))
    }
    return page
  }

  /// Commits the frozen rows; returns how much the hash grew as rows learned of sweeps.
  @discardableResult
  private func commit() throws -> UInt64 {
    guard let written = frozen else { return 0 }
    let hash = try environment.write(.none) { [base] transaction throws(LMDBError) in
      try written.write(to: &transaction, base)
    }
    frozen = nil
    try reader.renew()
    table.committed()
    return hash
  }

  /// Commits everything, and reopens the table over it.
  private func reopen() throws {
    try commit()
    frozen = table.freeze()
    var totals = try #require(frozen).totals
    totals.hash &+= try commit()
    reader.end()
    environment.close()
    environment = try Environment(at: folder.path)
    base = try RowBase.table(of: Parcel.all, in: environment)
    reader = KeptReader(environment)
    let rows = RowBase(reader, base, of: Parcel.all)
    table = RowTable(Parcel.all, over: rows, totals, eventMax: eventMax)
  }
}

extension RowTableModel {
  /// Checks that the table holds exactly the rows of the model, however it is read.
  func expectSame() throws {
    try expectRows()
    var present: [UInt32] = []
    try table.forEachRow { id, row in
      present.append(id.rawValue)
      let expected = try? rows[Int(id.rawValue) - 1].bytes
      #expect(row.bytes.array == expected, comment)
    }
    var totals = RowTotals(lastID: UInt32(rows.count), count: 0, hash: 0)
    for row in rows {
      let bytes = try row.bytes
      totals.add(RowView(bytes.raw), Parcel.all.shape)
    }
    // The hash includes a sweep once all rows have learned of it.
    if table.isSwept { totals.hash = table.totals.hash }
    #expect(table.totals == totals, comment)
    let expected = rows.indices.filter { if case .present = rows[$0] { true } else { false } }
    #expect(present == expected.map { UInt32($0 + 1) }, comment)
    try table.checkInvariants()
  }

  fileprivate func expectRows() throws {
    for id in 0...UInt32(rows.count) + 1 { try expectRow(id) }
  }

  /// Checks that the table holds the row of the model.
  fileprivate func expectRow(_ id: UInt32) throws {
    let found = try table.withRow(RowID(rawValue: id)) { $0?.bytes.array }
    #expect(found == (try bytes(of: id, in: rows)), comment)
  }

  fileprivate func expectImages(_ before: [ModelRow]) throws {
    for id in 0...UInt32(rows.count) + 1 {
      let image = try table.withRowBeforeEvent(RowID(rawValue: id)) { $0?.bytes.array }
      #expect(image == (try bytes(of: id, in: before)), comment)
      let first = try table.withRowAtBatchStart(RowID(rawValue: id)) { $0?.bytes.array }
      #expect(first == (try bytes(of: id, in: rowsAtBatchStart)), comment)
    }
  }

  fileprivate func expectTouched(_ touched: Set<UInt32>, _ before: [ModelRow]) throws {
    var found: [UInt32: [[UInt8]?]] = [:]
    table.forEachTouchedRow { id, before, now in
      found[id.rawValue] = [before?.bytes.array, now.bytes.array]
    }
    #expect(table.touchedCount == touched.count, comment)
    try expect(found, of: touched, before)
  }

  fileprivate func expect(
    _ found: [UInt32: [[UInt8]?]], of touched: Set<UInt32>, _ before: [ModelRow]
  ) throws {
    #expect(Set(found.keys) == touched, comment)
    for id in touched {
      #expect(found[id] == [try bytes(of: id, in: before), try bytes(of: id, in: rows)], comment)
    }
  }

  private func bytes(of id: UInt32, in rows: [ModelRow]) throws -> [UInt8]? {
    id > 0 && id <= rows.count ? try rows[Int(id) - 1].bytes : nil
  }
}
