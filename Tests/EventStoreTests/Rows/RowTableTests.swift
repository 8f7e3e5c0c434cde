import EventStore
import LMDB
import TestSupport
import Testing

/// The rows of a collection, across all their layers.
@Suite struct RowTableTests {
  /// Takes a few seconds: all rows and images are compared after each of many steps.
  @Test(arguments: 0..<UInt64(Campaign.size(60, long: 2_000)))
  func histories_areThoseOfADictionary(seed: UInt64) throws {
    let model = try RowTableModel(seed: seed)
    for _ in 0..<15 { try model.step() }
  }

  @Test func table_withoutABase_holdsWhatItIsGiven() throws {
    var table = RowTable(Parcel.all)
    table.beginBatch()
    table.beginEvent()
    for number in 1...1_000 {
      let id = try table.create(Array("p\(number)".utf8).raw) { $0[Parcel.weight] = number }
      #expect(id.rawValue == number)
    }
    table.endEvent()
    table.endBatch()
    let frozen = table.freeze()
    #expect(frozen.count == 1_000 && frozen.totals.count == 1_000)
    let name = try table.withRow(RowID(rawValue: 7)) { row in row?.id.text }
    #expect(name == "p7")
    try table.checkInvariants()
  }

  /// A row that is revived, and so moves, after another was touched keeps its own image and does
  /// not take the other's.
  @Test func row_thatMovesLater_keepsItsImage() throws {
    var table = RowTable(Parcel.all)
    table.beginBatch()
    table.beginEvent()
    let ids = try ["a", "b"].map { name throws(RowError) in try table.create(Array(name.utf8).raw) }
    try table.delete(ids[0])
    table.endEvent()
    table.endBatch()
    _ = table.freeze()
    table.beginBatch()
    table.beginEvent()
    try table.redirect(ids[0], to: ids[1])
    try table.edit(ids[1]) { $0[Parcel.weight] = 1 }
    try table.revive(ids[0])
    for (id, name) in zip(ids, ["a", "b"]) {
      let image = try table.withRowBeforeEvent(id) { row in row?.id.text }
      #expect(image == name)
    }
  }

  /// A row that an event changes after its own sweep has learned of the sweep, and its image before
  /// the event has not.
  @Test func row_changedBehindASweep_hasLearnedOfIt() throws {
    var table = RowTable(Parcel.all)
    table.beginBatch()
    table.beginEvent()
    let row = try table.create(Array("a".utf8).raw) { $0[Parcel.weight] = 1 }
    table.endEvent()
    table.endBatch()
    _ = table.freeze()
    table.beginBatch()
    table.beginEvent()
    let always = ConditionProgram(NormalCondition(.always))
    try table.sweep(Sweep(always, field: 0, .integer, to: 2))
    try table.edit(row) { $0[Parcel.isFragile] = true }
    let now = try table.withRow(row) { $0?.value(0, Parcel.all.shape, as: Int.self) }
    let before = try table.withRowBeforeEvent(row) { $0?.value(0, Parcel.all.shape, as: Int.self) }
    #expect(now == 2 && before == 1)
  }

  /// The totals do not depend on the order in which values came about.
  @Test(arguments: 0..<UInt64(50))
  func totals_dependOnVisibleValuesAlone(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let parcels = (0..<20).map { ParcelModel.sample(id: "p\($0)", using: &random) }
    let first = try table(of: parcels, moving: 1)
    let second = try table(of: parcels.shuffled(using: &random), moving: 2)
    #expect(first.hash == second.hash && first.count == 20, "seed \(seed)")
    var other = parcels
    other[3].weight = (other[3].weight ?? 0) + 1
    #expect(try table(of: other, moving: 1).hash != first.hash, "seed \(seed)")
  }

  private func table(of parcels: [ParcelModel], moving places: UInt64) throws -> RowTotals {
    var table = RowTable(Parcel.all)
    table.beginBatch()
    for parcel in parcels {
      table.beginEvent()
      try table.create(Array(parcel.id.utf8).raw) { row in
        parcel.write(into: &row)
        row[Parcel.sender] = RowID(rawValue: UInt32(places))
        guard let note = parcel.note else { return }
        row[Parcel.note] = TextReference(
          record: RecordNumber(rawValue: note.record.rawValue + places), field: 7,
          digest: note.digest)
      }
      table.endEvent()
    }
    table.endBatch()
    return table.totals
  }

  @Test func event_withTooLargeARow_canBeRolledBack() throws {
    var table = RowTable(Parcel.all)
    let long = String(repeating: "x", count: RowFormat.byteCountMax)
    table.beginBatch()
    table.beginEvent()
    var errors: [RowError] = []
    do throws(RowError) {
      try table.create(Array("p".utf8).raw) { $0[Parcel.name] = long }
    } catch {
      errors.append(error)
    }
    do throws(RowError) { try table.create(RawSpan()) } catch { errors.append(error) }
    let bytes = 16 + 14 * 8 + 1 + long.utf8.count
    #expect(
      errors == [
        .tooLarge(bytes: bytes, limit: RowFormat.byteCountMax), .idLength(bytes: 0, limit: 1024),
      ])
    table.rollBackEvent()
    table.endBatch()
    #expect(table.totals == RowTotals() && table.isClean && table.dirtyBytes == 0)
  }

  @Test func misuse_traps() async {
    await #expect(processExitsWith: .failure) {
      var table = RowTable(Parcel.all)
      try table.create(Array("p".utf8).raw)
    }
    await #expect(processExitsWith: .failure) {
      var table = RowTable(Parcel.all)
      table.beginEvent()
    }
    await #expect(processExitsWith: .failure) {
      var table = RowTable(Parcel.all)
      table.beginBatch()
      _ = table.freeze()
    }
  }
}

/// Committed rows that differ from what was written.
@Suite struct RowDamageTests {
  @Test func flippedBytes_areFound() throws {
    let store = try DamagedRows()
    for offset in 0..<store.bytes.count {
      for bit in [0, 7] {
        var bytes = store.bytes
        bytes[offset] ^= 1 << UInt8(bit)
        #expect(try store.isFound(bytes), "byte \(offset)")
      }
    }
    for count in 0..<store.bytes.count {
      #expect(try store.isFound(Array(store.bytes.prefix(count))))
    }
    #expect(try store.isFound(store.other), "a row in another's place")
    #expect(try !store.isFound(store.bytes))
  }
}

/// A file with two rows, the first of which can be replaced by other bytes.
private struct DamagedRows {
  let folder = Result { try TemporaryFolder() }
  let environment: Environment
  let base: Table<UInt64, [UInt8]>
  let bytes: [UInt8]
  let other: [UInt8]
  let totals: RowTotals

  init() throws {
    environment = try Environment(at: folder.get().path)
    base = try RowBase.table(of: Parcel.all, in: environment)
    var table = RowTable(Parcel.all)
    var random = SeededGenerator(seed: 1)
    table.beginBatch()
    table.beginEvent()
    for name in ["first", "second"] {
      let parcel = ParcelModel.sample(id: name, using: &random)
      try table.create(Array(name.utf8).raw) { parcel.write(into: &$0) }
    }
    table.endEvent()
    table.endBatch()
    let frozen = table.freeze()
    let base = base
    let stored = try environment.write(.none) { transaction throws(LMDBError) in
      try frozen.write(to: &transaction, base)
      return (try transaction.value(for: 1, in: base), try transaction.value(for: 2, in: base))
    }
    bytes = try #require(stored.0)
    other = try #require(stored.1)
    totals = frozen.totals
  }

  /// Returns whether other bytes in the first row's place are refused, by a lookup and by a walk.
  func isFound(_ bytes: [UInt8]) throws -> Bool {
    try environment.write(.none) { transaction throws(LMDBError) in
      try transaction.put(bytes, for: 1, in: base)
    }
    let rows = RowBase(KeptReader(environment), base, of: Parcel.all)
    let table = RowTable(Parcel.all, over: rows, totals)
    let isOtherPresent = try table.withRow(RowID(rawValue: 2)) { $0?.isPresent }
    #expect(isOtherPresent == true)
    let isFound = refuses { () throws(RowError) in
      _ = try table.withRow(RowID(rawValue: 1)) { $0?.isPresent }
    }
    let isMet = refuses { () throws(RowError) in try table.forEachRow { _, _ in } }
    #expect(isFound == isMet)
    return isFound
  }

  private func refuses(_ body: () throws(RowError) -> Void) -> Bool {
    do {
      try body()
      return false
    } catch {
      guard case .storage(let cause) = error else { return false }
      return cause.code == .corrupted
    }
  }
}
