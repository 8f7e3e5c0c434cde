package import LMDB

/// A row as stored in the views' file, without the slots of absent fields and without redundant
/// bytes of the other slots.
///
///     0   4  checksum of the row's number, in eight bytes, and of everything that follows
///     4   4  as in memory: byte count of the external id, field count, flags
///     8      the stored slots: one bit per field, in as many bytes as needed
///            the width of each stored slot: four bits, the first of two slots in the lower four;
///            0 to 8 bytes, or 9 to 15 for 0 to 6 bytes below ones
///            the stored slots without the zeros or ones above; for texts only the count
///            the external id and everything after it, as in memory, but without echoes
///
/// A present row stores the slots of its present fields; any other row stores all its slots. An
/// echo is a text that equals the preceding text in ASCII lowercase, as sort keys usually do: its
/// width is 9, and it has no bytes.
package enum PackedRow {
  /// Replaces `bytes` with the packed form of a row, with a checksum of 0.
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

  /// Replaces `bytes` with the packed form of the row with a number, with its checksum.
  package static func pack(
    _ row: RowView, _ shape: RowShape, _ id: UInt32, into bytes: inout [UInt8]
  ) {
    pack(row, shape, into: &bytes)
    bytes.store(integer: checksum(bytes.raw, id), at: RowFormat.Offset.checksum)
  }

  /// Replaces `row` with the unpacked form of the row stored under a number in a table.
  ///
  /// - Throws: `corrupted` if the bytes differ from what was written.
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

  /// Replaces `row` with the unpacked form of a row, with a checksum of 0; returns whether the
  /// bytes are valid.
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
          // Echoes take up bytes only in the unpacked row.
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

  /// Returns the checksum of a packed row with a number.
  @inline(__always)
  package static func checksum(_ bytes: RawSpan, _ id: UInt32) -> UInt32 {
    Checksum.of(UInt64(id), bytes.extracting(droppingFirst: RowFormat.Offset.idCount))
  }

  /// Returns the first eight bytes with a checksum of 0.
  @inline(__always)
  private static func head(_ bytes: RawSpan) -> UInt64 {
    bytes.integer(UInt64.self, at: 0) & ~0xFFFF_FFFF
  }
}

/// The number of stored bytes of a slot, and whether those above are zeros or ones.
private struct SlotWidth {
  /// The width as four bits.
  let code: UInt8

  @inline(__always)
  init(code: UInt8) { self.code = code }

  /// Creates the smallest width for a slot.
  @inline(__always)
  init(of slot: UInt64) {
    let (zeros, ones) = (slot.leadingZeroBitCount / 8, (~slot).leadingZeroBitCount / 8)
    code = UInt8(ones < 2 ? 8 - zeros : 9 + 8 - ones)
  }

  /// The width of a text that is an echo: no bytes.
  static var ofEcho: SlotWidth { SlotWidth(code: 9) }

  @inline(__always)
  var isOfEcho: Bool { code == 9 }

  @inline(__always)
  var byteCount: Int { code <= 8 ? Int(code) : Int(code) - 9 }

  /// The upper ones.
  @inline(__always)
  var ones: UInt64 { code <= 8 ? 0 : UInt64.max << UInt64(8 * byteCount) }
}

/// The stored parts of a row and their offsets.
private struct PackedParts {
  /// The slots that are stored.
  let kept: UInt64
  /// The stored slots of texts.
  let texts: UInt64
  /// The offset of the slots' widths.
  let widthsStart: Int

  @inline(__always)
  init(_ fieldCount: Int, _ flags: UInt8, _ presence: UInt64, _ shape: RowShape) {
    let all = UInt64.max >> UInt64(RowFormat.fieldCountMax - fieldCount)
    kept = flags == 0 ? presence & all : all
    texts = flags == 0 ? kept & shape.variables : 0
    widthsStart = RowFormat.Offset.presence + (fieldCount + 7) / 8
  }

  /// Creates the parts of arbitrary bytes, or returns `nil` if there are too few.
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

  /// The offset of the slots.
  @inline(__always)
  var slotsStart: Int { widthsStart + (kept.nonzeroBitCount + 1) / 2 }

  /// Calls `body` with the field of each slot, its index, and whether it holds texts, until `body`
  /// returns `false`; returns whether all slots were visited.
  @inline(__always)
  @discardableResult
  func forEachSlot(_ body: (_ field: Int, _ index: Int, _ isText: Bool) -> Bool) -> Bool {
    var index = 0
    for field in FieldNumbers(kept) {
      guard body(field, index, texts >> UInt64(field) & 1 == 1) else { return false }
      index += 1
    }
    return true
  }

  /// Returns the number in the given count of bytes before an offset, which is at least 8.
  @inline(__always)
  static func number(_ bytes: RawSpan, endingAt end: Int, _ width: Int) -> UInt64 {
    bytes.integer(UInt64.self, at: end - 8) >> UInt64(64 - 8 * width)
  }
}
