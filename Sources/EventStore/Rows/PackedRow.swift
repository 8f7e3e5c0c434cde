package import LMDB

/// A row as the views' file holds it: without the slots of fields that have no value, and without
/// the bytes of the others that say nothing.
///
///     0   4  checksum of the row's number, in eight bytes, and of all that follows
///     4   4  as in memory: count of the external id's bytes, count of the fields, flags
///     8      which slots are kept: a bit for each field, in as many bytes as that takes
///            how many bytes each of these takes: four bits, of two slots the first in the lower;
///            0 to 8, or 9 to 15 for 0 to 6 bytes below ones
///            the slots that are kept, without the zeros or ones above; of texts the count alone
///            the external id and all behind it, as in memory, but for the texts that are echoes
///
/// Kept are the slots of the fields that are present; of a row that is not, all that it has. A text
/// is an echo where it is the one before in the lower case of ASCII, as what is folded to be sorted
/// by mostly is: its width is 9, and it has no bytes.
package enum PackedRow {
  /// Replaces `bytes` by the packed ones of a row, with a checksum of 0.
  package static func pack(_ row: RowView, _ shape: RowShape, into bytes: inout [UInt8]) {
    let parts = PackedParts(row.fieldCount, row.flags, row.presence, shape)
    var (end, echoes) = (parts.slotsStart, Echoes())
    bytes.removeAll(keepingCapacity: true)
    bytes.extend(by: end + 8 * parts.kept.nonzeroBitCount + 8)
    bytes.withMutableBytes { room in
      room.store(integer: head(row.bytes), at: 0)
      room.store(integer: parts.kept, at: RowFormat.Offset.presence)
      var pair: UInt8 = 0
      parts.forEachSlot { field, index, isText in
        let slot = isText ? row.slot(field) >> 32 : row.slot(field)
        let isEcho = isText && echoes.isEcho(field, of: row)
        let width = isEcho ? .ofEcho : SlotWidth(of: slot)
        pair = index & 1 == 0 ? width.code : pair | width.code << 4
        room.store(integer: pair, at: parts.widthsStart + index / 2)
        room.store(integer: slot, at: end)
        end += width.byteCount
        return true
      }
    }
    bytes.removeLast(bytes.count - end)
    echoes.appendOthers(of: row, to: &bytes)
  }

  /// Replaces `bytes` by the packed ones of a row that lies under a number, with their checksum.
  package static func pack(
    _ row: RowView, _ shape: RowShape, _ id: UInt32, into bytes: inout [UInt8]
  ) {
    pack(row, shape, into: &bytes)
    bytes.store(integer: checksum(bytes.raw, id), at: RowFormat.Offset.checksum)
  }

  /// Replaces `row` by the bytes that packed ones stand for which lie under a number in a table.
  ///
  /// - Throws: `corrupted` where they are not those that were written.
  @inline(__always)
  package static func unpack(
    _ bytes: RawSpan, _ id: UInt32, of table: Table<UInt64, [UInt8]>, _ shape: RowShape,
    into row: inout [UInt8]
  ) throws(LMDBError) {
    guard bytes.byteCount >= RowFormat.Offset.presence,
      bytes.integer(UInt32.self, at: RowFormat.Offset.checksum) == checksum(bytes, id),
      unpack(bytes, shape, into: &row)
    else { throw LMDBError(.corrupted, "read row \(id) of \(table.name ?? "the unnamed table")") }
  }

  /// Replaces `row` by the bytes that packed ones stand for, with a checksum of 0; says whether
  /// they stand for any.
  package static func unpack(
    _ bytes: RawSpan, _ shape: RowShape, into row: inout [UInt8]
  ) -> Bool {
    row.removeAll(keepingCapacity: true)
    guard let parts = PackedParts(bytes, shape) else { return false }
    row.extend(by: RowFormat.Offset.slots + 8 * RowView(bytes).fieldCount)
    let idCount = Int(bytes.integer(UInt16.self, at: RowFormat.Offset.idCount))
    var (end, text, echoes) = (parts.slotsStart, row.count + idCount, Echoes())
    let isWhole = row.withMutableBytes { room in
      room.store(integer: head(bytes), at: 0)
      let presence = RowView(bytes).isPresent ? parts.kept : 0
      room.store(integer: presence, at: RowFormat.Offset.presence)
      return parts.forEachSlot { field, index, isText in
        let pair = bytes.byte(at: parts.widthsStart + index / 2)
        let width = SlotWidth(code: pair >> UInt8(index & 1 * 4) & 15)
        end += width.byteCount
        guard end <= bytes.byteCount else { return false }
        var slot = PackedParts.number(bytes, endingAt: end, width.byteCount) | width.ones
        if isText {
          let count = Int(truncatingIfNeeded: slot & 0xFFFF_FFFF)
          let range = echoes.place(field, count: count, isEcho: width.isOfEcho, at: text)
          slot = UInt64(text) | UInt64(range.count) << 32
          text = range.upperBound
          // Echoes take room that the bytes have not.
          guard text <= RowFormat.byteCountMax else { return false }
        }
        room.store(integer: slot, at: RowFormat.Offset.slots + 8 * field)
        return true
      }
    }
    guard isWhole, echoes.appendAll(bytes.extracting(droppingFirst: end), to: &row) else {
      return false
    }
    return text <= row.count
  }

  /// The checksum of a packed row that lies under a number.
  @inline(__always)
  package static func checksum(_ bytes: RawSpan, _ id: UInt32) -> UInt32 {
    Checksum.of(UInt64(id), bytes.extracting(droppingFirst: RowFormat.Offset.idCount))
  }

  /// The first eight bytes without the checksum.
  @inline(__always)
  private static func head(_ bytes: RawSpan) -> UInt64 {
    bytes.integer(UInt64.self, at: 0) & ~0xFFFF_FFFF
  }
}

/// How many bytes of a slot are kept, and what those above are.
private struct SlotWidth {
  /// It as four bits.
  let code: UInt8

  @inline(__always)
  init(code: UInt8) { self.code = code }

  /// The least that a slot takes.
  @inline(__always)
  init(of slot: UInt64) {
    let (zeros, ones) = (slot.leadingZeroBitCount / 8, (~slot).leadingZeroBitCount / 8)
    code = UInt8(ones < 2 ? 8 - zeros : 9 + 8 - ones)
  }

  /// What a text has that is an echo: no bytes.
  static var ofEcho: SlotWidth { SlotWidth(code: 9) }

  @inline(__always)
  var isOfEcho: Bool { code == 9 }

  @inline(__always)
  var byteCount: Int { code <= 8 ? Int(code) : Int(code) - 9 }

  /// The ones above.
  @inline(__always)
  var ones: UInt64 { code <= 8 ? 0 : UInt64.max << UInt64(8 * byteCount) }
}

/// What a packed row keeps, and where.
private struct PackedParts {
  /// The slots that are kept.
  let kept: UInt64
  /// Those of them that are of texts.
  let texts: UInt64
  /// Where the slots' widths begin.
  let widthsStart: Int

  @inline(__always)
  init(_ fieldCount: Int, _ flags: UInt8, _ presence: UInt64, _ shape: RowShape) {
    let all = UInt64.max >> UInt64(RowFormat.fieldCountMax - fieldCount)
    kept = flags == 0 ? presence & all : all
    texts = flags == 0 ? kept & shape.variables : 0
    widthsStart = RowFormat.Offset.presence + (fieldCount + 7) / 8
  }

  /// The parts of bytes that may be anything, or `nil` where they are too few.
  @inline(__always)
  init?(_ bytes: RawSpan, _ shape: RowShape) {
    guard bytes.byteCount >= RowFormat.Offset.presence else { return nil }
    let (fieldCount, flags) = (RowView(bytes).fieldCount, RowView(bytes).flags)
    let width = (fieldCount + 7) / 8
    let end = RowFormat.Offset.presence + width
    guard fieldCount <= RowFormat.fieldCountMax, end <= bytes.byteCount else { return nil }
    let stored = Self.number(bytes, endingAt: end, width)
    self.init(fieldCount, flags, stored, shape)
    guard stored == kept, slotsStart <= bytes.byteCount else { return nil }
  }

  /// Where the slots begin.
  @inline(__always)
  var slotsStart: Int { widthsStart + (kept.nonzeroBitCount + 1) / 2 }

  /// Calls `body` with the field of each slot, its index among them, and whether it is of texts,
  /// until that says that it can't go on; says whether it could.
  @inline(__always)
  @discardableResult
  func forEachSlot(_ body: (_ field: Int, _ index: Int, _ isText: Bool) -> Bool) -> Bool {
    var (rest, index) = (kept, 0)
    while rest != 0 {
      let field = rest.trailingZeroBitCount
      rest &= rest - 1
      guard body(field, index, texts >> UInt64(field) & 1 == 1) else { return false }
      index += 1
    }
    return true
  }

  /// The number in so many bytes up to an offset, in front of which there are eight at least.
  @inline(__always)
  static func number(_ bytes: RawSpan, endingAt end: Int, _ width: Int) -> UInt64 {
    bytes.integer(UInt64.self, at: end - 8) >> UInt64(64 - 8 * width)
  }
}
