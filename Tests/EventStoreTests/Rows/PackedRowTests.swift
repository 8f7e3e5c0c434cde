import EventStore
import LMDB
import TestSupport
import Testing

/// Rows as the views' file stores them.
@Suite struct PackedRowTests {
  @Test(arguments: 0..<UInt64(Campaign.size(200, long: 20_000)))
  func packing_isUndone(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let row = try ParcelModel.sample(id: "Grüße \(seed)", using: &random).mutableRow()
    try expectRoundTrip(row.view.bytes.array, "seed \(seed)")
  }

  @Test func packing_ofEveryWidth_isUndone() throws {
    let numbers = (1...RowFormat.fieldCountMax).map { Field<Int>("number \($0)", $0) }
    let collection = RowCollection("numbers", number: 1, fields: numbers.map(\.declaration))
    for count in [0, 1, 7, 8, 9, 63, 64] {
      let row = try Row("n", in: collection) { row in
        for (index, field) in numbers.prefix(count).enumerated() { row[field] = 1 << index &- 1 }
      }
      try expectRoundTrip(row.view.bytes.array, "\(count) fields", collection.shape)
    }
    let negative = try Row("n", in: collection) { row in
      for (index, field) in numbers.enumerated() { row[field] = -1 << index }
    }
    try expectRoundTrip(negative.view.bytes.array, "negative ones", collection.shape)
  }

  /// Deleted rows, and other names of rows, which have a slot but no field.
  @Test func packing_ofRowsThatAreNotPresent_isUndone() throws {
    for (flags, count) in [(RowFormat.Flag.absent, 0), (RowFormat.Flag.alias, 1)] {
      var bytes: [UInt8] = []
      RowFormat.append(Array("gone".utf8).raw, count, flags: flags, to: &bytes)
      if count > 0 { bytes.store(integer: 0x1234 as UInt64, at: RowFormat.Offset.slots) }
      try expectRoundTrip(bytes, "flags \(flags)")
    }
  }

  @Test func emptyFields_takeNoRoom() throws {
    let row = try Row("p", in: Parcel.all) { row in
      row[Parcel.weight] = -1
      row[Parcel.size] = .large
      row[Parcel.name] = "parcel"
    }
    var packed: [UInt8] = []
    PackedRow.pack(row.view, Parcel.all.shape, into: &packed)
    // Head, two bytes of presence, two of widths, none for -1 and one for the others, id and name.
    #expect(packed.count == 8 + 2 + 2 + 0 + 2 + 1 + 6)
  }

  /// A text that is the one before in lower case takes no room, wherever it stands.
  @Test func echoes_takeNoRoom() throws {
    let texts = (1...6).map { Field<String>("text \($0)", $0) }
    let collection = RowCollection("texts", number: 1, fields: texts.map(\.declaration))
    func packed(_ values: [String?]) throws -> Int {
      let row = try Row("t", in: collection) { row in
        for (field, value) in zip(texts, values) { row[field] = value }
      }
      try expectRoundTrip(row.view.bytes.array, "\(values)", collection.shape)
      var packed: [UInt8] = []
      PackedRow.pack(row.view, collection.shape, into: &packed)
      return packed.count
    }
    let one = try packed(["Re: [A@Z]"])
    // After the first text, an echo takes only half a byte, for its width.
    #expect(try packed(["Re: [A@Z]", "re: [a@z]"]) == one)
    #expect(try packed(["Re: [A@Z]", nil, "re: [a@z]", "re: [a@z]"]) == one + 1)
    #expect(try packed(["Re: [A@Z]", "re: {a`z}"]) == one + 10)
    #expect(try packed(["Re: [A@Z]", "re: [a@z"]) == one + 9)
    #expect(try packed(["re: [a@z]", "Re: [A@Z]"]) == one + 10)
    #expect(try packed(["", ""]) == one - 10)
    _ = try packed(["É", "é", "É", "A", "a", "Aa"])
    _ = try packed(["A", "a", "bb", "B", "b", "b"])
  }

  /// A collection with numbers between its texts, texts in lists, and references after them.
  private static let mixed = RowCollection(
    "mixed", number: 1,
    fields: [
      Field<String>("a", 1).declaration, Field<Int>("b", 2).declaration,
      Field<String>("c", 3).declaration, Field<Set<String>>("d", 4).declaration,
      Field<Set<String>>("e", 5).declaration, Field<TextReference>("f", 6).declaration,
      Field<String>("g", 7).declaration,
    ])

  private static func mixedRow(_ texts: [String?], _ lists: [Set<String>?]) throws -> Row {
    let reference = TextReference(record: 7, field: 2, digest: 9)
    return try Row("t", in: mixed) { row in
      for (number, text) in zip([1, 3, 7], texts) { row[Field<String>("", number)] = text }
      for (number, list) in zip([4, 5], lists) { row[Field<Set<String>>("", number)] = list }
      row[Field<Int>("b", 2)] = -70_000
      row[Field<TextReference>("f", 6)] = reference
    }
  }

  @Test func echoes_besideOtherFields_areUndone() throws {
    let texts: [[String?]] = [
      ["Ab", "ab", "ab"], ["A", "", "a"], [nil, "A", "a"], ["A", nil, "a"],
    ]
    let lists: [[Set<String>?]] = [
      [["A", "B"], ["a", "b"]], [["a"], ["a"]], [["x"], nil], [nil, nil],
      [[], nil], [["a"], []], [[String(repeating: "x", count: 70)], nil],
    ]
    for texts in texts {
      for lists in lists {
        let row = try Self.mixedRow(texts, lists)
        try expectRoundTrip(row.view.bytes.array, "\(texts), \(lists)", Self.mixed.shape)
      }
    }
  }

  /// Counts that make places wrap around, and echoes of texts that do not exist.
  @Test(arguments: [0, 1] as [UInt8]) func unpacking_ofEchoesOfTooMuch_isRefused(idCount: UInt8) {
    let texts = RowCollection("texts", number: 1, Field<String>("a", 1), Field<String>("b", 2))
    let bytes: [UInt8] = [0, 0, 0, 0, idCount, 0, 2, 0, 3, 0x94, 0xFF, 0xFF, 0xFF, 0xFF]
    var row: [UInt8] = []
    #expect(!PackedRow.unpack(bytes.raw, texts.shape, into: &row))
  }

  /// Unpacking arbitrary bytes yields a row or refuses them, and reads nothing beyond them.
  @Test(arguments: 0..<UInt64(Campaign.size(100, long: 10_000)))
  func unpacking_ofOtherBytes_staysWithinThem(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let parcel = try ParcelModel.sample(id: "p", using: &random).row()
    expectWithin(parcel, Parcel.all.shape, "seed \(seed)", &random)
    let mixed = try Self.mixedRow(["Ab", "ab", "ab"], [["a"], ["a"]])
    expectWithin(mixed, Self.mixed.shape, "seed \(seed)", &random)
  }

  private func expectWithin(
    _ row: Row, _ shape: RowShape, _ comment: Comment, _ random: inout SeededGenerator
  ) {
    var packed: [UInt8] = []
    PackedRow.pack(row.view, shape, into: &packed)
    for _ in 0..<200 {
      var bytes = packed
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let byte = UInt8.random(in: 0...255, using: &random)
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = Bool.random(using: &random) ? byte : 0xFF
      }
      bytes.removeLast(.random(in: 0...bytes.count, using: &random))
      var unpacked: [UInt8] = []
      guard PackedRow.unpack(bytes.raw, shape, into: &unpacked) else { continue }
      let view = RowView(unpacked.raw)
      #expect(view.idRange.upperBound <= unpacked.count, comment)
      let texts = view.isPresent ? shape.variables & view.presence : 0
      for field in 0..<min(view.fieldCount, 64) where texts >> UInt64(field) & 1 == 1 {
        #expect(view.variableRange(field).upperBound <= unpacked.count, comment)
      }
    }
  }

  private func expectRoundTrip(
    _ row: [UInt8], _ comment: Comment, _ shape: RowShape = Parcel.all.shape
  ) throws {
    // The previous content of the buffers makes no difference.
    var (packed, unpacked): ([UInt8], [UInt8]) = ([1, 2, 3], Array(repeating: 7, count: 2000))
    PackedRow.pack(RowView(row.raw), shape, into: &packed)
    #expect(PackedRow.unpack(packed.raw, shape, into: &unpacked), comment)
    #expect(unpacked == row, comment)
    for count in 0..<packed.count {
      // Without its end, a row unpacks as a row with less text, or not at all.
      let isRow = PackedRow.unpack(packed.raw.extracting(first: count), shape, into: &unpacked)
      #expect(!isRow || unpacked.count < row.count, comment)
    }
  }
}

extension ParcelModel {
  fileprivate func mutableRow() throws -> MutableRow {
    var row = try MutableRow(id, Parcel.all.shape)
    write(into: &row)
    return row
  }
}

/// Committed rows that are read repeatedly.
@Suite struct RowBaseTests {
  @Test func row_isReadAsItsStateHasIt() throws {
    let folder = try TemporaryFolder()
    let environment = try Environment(at: folder.path)
    let table = try RowBase.table(of: Parcel.all, in: environment)
    let reader = KeptReader(environment)
    let rows = RowBase(reader, table, of: Parcel.all)
    try put(1, weight: 7, in: table, of: environment)
    try put(2, weight: 8, in: table, of: environment)
    #expect(try rows.read(0) { $0 == nil }, "there is none before any was read")
    #expect(try weight(of: 1, in: rows) == 7)
    try put(1, weight: 9, in: table, of: environment)
    #expect(try weight(of: 1, in: rows) == 7, "the state is the one that was read before")
    try reader.renew()
    #expect(try weight(of: 1, in: rows) == 9)
    #expect(try weight(of: 3, in: rows) == nil)
    let both = try rows.read(1) { first in
      let second = try? weight(of: 2, in: rows)
      return [first?.value(0, Parcel.all.shape, as: Int.self), second]
    }
    #expect(both == [9, 8], "a row is read while another is")
    #expect(try weight(of: 1, in: rows) == 9)
    reader.end()
  }

  private func weight(of id: UInt32, in rows: RowBase) throws -> Int? {
    try rows.read(id) { $0?.value(0, Parcel.all.shape, as: Int.self) }
  }

  private func put(
    _ id: UInt32, weight: Int, in table: Table<UInt64, [UInt8]>, of environment: Environment
  ) throws {
    let row = try Row("p-\(id)", in: Parcel.all) { $0[Parcel.weight] = weight }
    var packed: [UInt8] = []
    PackedRow.pack(row.view, Parcel.all.shape, into: &packed)
    packed.store(
      integer: PackedRow.checksum(packed.raw, id), at: RowFormat.Offset.checksum)
    let bytes = packed
    try environment.write(.none) { transaction throws(LMDBError) in
      try transaction.put(bytes, for: UInt64(id), in: table)
    }
  }
}
