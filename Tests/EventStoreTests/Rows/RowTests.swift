import EventStore
import Foundation
import TestSupport
import Testing

/// A row as a value, and its bytes.
@Suite struct RowTests {
  @Test(arguments: 0..<UInt64(Campaign.size(200, long: 20_000)))
  func edits_leaveTheBytesOfTheValues(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var model = ParcelModel.sample(id: "p-\(seed)", using: &random)
    var steps: [(inout MutableRow) -> Void] = []
    for _ in 0..<12 { steps.append(model.change(using: &random)) }
    let row = try Row(model.id, in: Parcel.all) { row in
      for step in steps {
        step(&row)
        let isSound = Row(row.view, row.shape).storage.isRow
        #expect(isSound, "seed \(seed)")
      }
    }
    #expect(ParcelModel(row) == model.visible, "seed \(seed)")
    #expect(row.storage == (try model.row().storage), "seed \(seed)")
  }

  @Test(arguments: 0..<UInt64(Campaign.size(300, long: 30_000)))
  func equality_isThatOfVisibleValues(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let first = ParcelModel.sample(id: "p", using: &random)
    var second = first
    for _ in 0..<Int.random(in: 0..<3, using: &random) { _ = second.change(using: &random) }
    let (a, b) = (try first.row(), try second.row())
    let isSame = first.compared == second.compared
    #expect((a == b) == isSame, "seed \(seed)")
    if isSame { #expect(a.hashValue == b.hashValue, "seed \(seed)") }
    for field in Parcel.all.fields {
      let isChanged = b.view.changes(from: a.view, Parcel.all.shape) >> (field.number - 1) & 1 == 1
      #expect(isChanged == (a.digest(of: field.number) != b.digest(of: field.number)))
    }
    let hashes = (a.view.hash(Parcel.all.shape), b.view.hash(Parcel.all.shape))
    #expect((hashes.0 == hashes.1) == isSame, "seed \(seed)")
  }

  @Test(arguments: 0..<UInt64(Campaign.size(50, long: 5_000)))
  func coding_roundTrips(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let row = try ParcelModel.sample(id: "Grüße \(seed)", using: &random).row()
    let data = try JSONEncoder().encode([row])
    let decoded = try JSONDecoder().decode([Row].self, from: data)
    #expect(decoded == [row], "seed \(seed)")
    #expect(decoded.first?.storage == row.storage, "seed \(seed)")
  }

  /// Any bytes that decode are a row, in its only form.
  @Test(arguments: 0..<UInt64(Campaign.size(100, long: 10_000)))
  func coding_refusesOtherBytes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let storage = try ParcelModel.sample(id: "p", using: &random).row().storage
    for _ in 0..<200 {
      var bytes = storage
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { bytes.removeLast(.random(in: 0...9, using: &random)) }
      guard let row = Row(checking: bytes) else { continue }
      guard row.shape == Parcel.all.shape else { continue }
      let rebuilt = try Row(row.id, in: Parcel.all) { copy in
        ParcelModel(row).write(into: &copy)
        copy[Field<Int>("size", 12)] = row[Field<Int>("size", 12)]
      }
      #expect(rebuilt.storage == bytes, "seed \(seed)")
    }
    // A truncated row may be a row of another shape, but not of this one.
    for count in 0..<storage.count {
      let row = Row(checking: Array(storage.prefix(count)))
      #expect(row?.shape != Parcel.all.shape, "seed \(seed)")
    }
  }

  @Test func coding_ofOtherTexts_throws() {
    for text in ["\"\"", "\"A\"", "\"AAAA\"", "\"====\"", "7", "\"AB=C\"", "\"Zh==\""] {
      let data = Data("[\(text)]".utf8)
      #expect(throws: DecodingError.self) { try JSONDecoder().decode([Row].self, from: data) }
    }
  }

  /// Others keep change sets with these bytes, so they never change.
  @Test func goldenBytes() throws {
    let fields = (Field<Int>("a", 1), Field<String>("b", 2), Field<TextReference>("c", 4))
    let letters = RowCollection("letters", number: 1, fields.0, fields.1, fields.2)
    let row = try Row("id", in: letters) { row in
      row[fields.0] = -2
      row[fields.1] = "text"
      row[fields.2] = TextReference(record: 0x0102, field: 3, digest: 0x0405)
    }
    let hex = row.storage.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
    let head = "00000000" + "0200" + "04" + "00" + "0b00000000000000"
    let slots =
      "feffffffffffffff" + "3200000004000000" + "0000000000000000" + "0504000000000000"
    #expect(hex == head + slots + "6964" + "74657874" + "0300020100000000" + "01050007")
    #expect(row.digest(of: 1) != 0 && row.digest(of: 3) == 0 && row.digest(of: 65) == 0)
  }

  @Test func tooLarge_isRefusedAndLeavesTheRow() throws {
    let long = String(repeating: "x", count: RowFormat.byteCountMax)
    #expect(throws: RowError.self) {
      try Row("p", in: Parcel.all) { row in
        row[Parcel.name] = "short"
        row[Parcel.name] = long
        #expect(row[Parcel.name] == "short")
        row[Parcel.tags] = [long + "y"]
        #expect(row[Parcel.tags] == nil)
      }
    }
    #expect(throws: RowError.idLength(bytes: 0, limit: 1024)) { try Row("", in: Parcel.all) }
    #expect(throws: RowError.idLength(bytes: 1025, limit: 1024)) {
      try Row(String(long.prefix(1025)), in: Parcel.all)
    }
    #expect(throws: Never.self) { try Row(String(long.prefix(1024)), in: Parcel.all) }
  }

  @Test func field_ofAnotherKind_isAbsent() throws {
    let row = try Row("p", in: Parcel.all) { $0[Parcel.weight] = 7 }
    #expect(row[Field<Int64>("weight", 1)] == 7)
    #expect(row[Field<String>("weight", 1)] == nil)
    #expect(row[Field<Int>("other", 64)] == nil)
    #expect(row[Field<Parcel.Size>("weight", 1)] == nil)
  }

  @Test func doublesOfOneValue_haveTheSameBytes() throws {
    let rows = try [0, -0.0].map { zero in try Row("p", in: Parcel.all) { $0[Parcel.price] = zero }
    }
    #expect(rows[0] == rows[1])
    let nan = try Row("p", in: Parcel.all) { $0[Parcel.price] = -Double.signalingNaN }
    #expect(nan.storage.isRow)
  }

  @Test func misuse_traps() async {
    await #expect(processExitsWith: .failure) { _ = Field<Int>("a", 0) }
    await #expect(processExitsWith: .failure) { _ = Field<Int>("a", 65) }
    await #expect(processExitsWith: .failure) {
      _ = RowCollection("a", number: 1, Field<Int>("a", 1), Field<Int>("b", 1))
    }
    await #expect(processExitsWith: .failure) {
      _ = RowCollection("a", number: 1, Field<Int>("a", 1), Field<Int>("a", 2))
    }
    await #expect(processExitsWith: .failure) {
      _ = try Row("p", in: Parcel.all) { $0[Field<String>("weight", 1)] = "a" }
    }
  }
}

extension [UInt8] {
  fileprivate var isRow: Bool { Row(checking: self) != nil }
}
