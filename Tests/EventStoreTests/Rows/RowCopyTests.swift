import EventStore
import LMDB
import TestSupport
import Testing

/// Copying values from one row to another.
@Suite struct RowCopyTests {
  @Test(arguments: 0..<UInt64(Campaign.size(500, long: 50_000)))
  func copy_takesTheFields_andLeavesTheOthers(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let source = ParcelModel.sample(id: "p", using: &random)
    var target = ParcelModel.sample(
      id: ["p", "another"].randomElement(using: &random) ?? "", using: &random)
    let fields = Self.fields(using: &random)
    // The row may be the last of its arena, and may have got values just before.
    let (isLast, isChanged) = (Bool.random(using: &random), Bool.random(using: &random))
    let change = target.change(using: &random)
    let bytes = try Self.bytes(of: source)
    let copied = try Self.bytes(of: target, isLast: isLast) { row in
      if isChanged { change(&row) }
      row.copy(fields, from: RowView(bytes.raw))
    }
    target.take(fields, from: source)
    #expect(copied == (try Self.bytes(of: target)), "seed \(seed)")
  }

  /// Returns random fields: most often all, or all but one.
  private static func fields(using random: inout SeededGenerator) -> UInt64 {
    let all = (1 << UInt64(RowFormat.fieldCountMax - 1)) - 1 as UInt64
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return all
    case 1, 2: return all & ~(1 << UInt64.random(in: 0..<14, using: &random))
    default: return .random(in: 0...all, using: &random)
    }
  }

  /// Returns the bytes of a row with some values, which is then changed.
  private static func bytes(
    of model: ParcelModel, isLast: Bool = true,
    changedBy change: (inout MutableRow) -> Void = { _ in }
  ) throws -> [UInt8] {
    var table = RowTable(Parcel.all)
    table.beginBatch()
    table.beginEvent()
    let row = try table.create(Array(model.id.utf8).raw) { model.write(into: &$0) }
    if !isLast { try table.create(Array("behind".utf8).raw) }
    try table.edit(row, change)
    return try table.withRow(row) { row in
      guard let row else { return [] }
      return row.bytes.array
    }
  }
}

extension ParcelModel {
  /// Takes over the values of some fields, by their numbers counted from 0.
  fileprivate mutating func take(_ fields: UInt64, from other: ParcelModel) {
    let has = { (number: Int) in fields & 1 << UInt64(number - 1) != 0 }
    if has(Parcel.weight.number) { weight = other.weight }
    if has(Parcel.isFragile.number) { isFragile = other.isFragile }
    if has(Parcel.sentAt.number) { sentAt = other.sentAt }
    if has(Parcel.price.number) { price = other.price }
    if has(Parcel.name.number) { name = other.name }
    if has(Parcel.note.number) { note = other.note }
    if has(Parcel.tags.number) { tags = other.tags }
    if has(Parcel.sender.number) { sender = other.sender }
    if has(Parcel.size.number) { size = other.size }
    if has(Parcel.street.number) { street = other.street }
    if has(Parcel.photo.number) { photo = other.photo }
  }
}
