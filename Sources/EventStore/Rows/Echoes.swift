import LMDB

/// The texts of a row that are not stored, since each is the text before in the lower case of
/// ASCII: found when a row is packed, and put back when it is unpacked.
///
/// Texts are taken in the order of their fields, in which each begins where the one before ends.
struct Echoes {
  /// Bit n: the text of field n is one.
  private var fields: UInt64 = 0
  private var last = 0..<0

  /// Takes the next text of a row; says whether it is an echo.
  @inline(__always)
  mutating func isEcho(_ field: Int, of row: RowView) -> Bool {
    let (range, before) = (row.variableRange(field), last)
    last = range
    guard !range.isEmpty, range.count == before.count else { return false }
    for offset in 0..<range.count {
      let letter = row.bytes.byte(at: before.lowerBound + offset).small
      guard row.bytes.byte(at: range.lowerBound + offset) == letter else { return false }
    }
    fields |= 1 << UInt64(field)
    return true
  }

  /// Appends what is behind a row's slots, without the echoes.
  @inline(__always)
  func appendOthers(of row: RowView, to packed: inout [UInt8]) {
    var (rest, start) = (fields, row.idRange.lowerBound)
    while rest != 0 {
      let range = row.variableRange(rest.trailingZeroBitCount)
      packed.append(copying: row.bytes.extracting(start..<range.lowerBound))
      start = range.upperBound
      rest &= rest - 1
    }
    packed.append(copying: row.bytes.extracting(droppingFirst: start))
  }

  /// Takes the next text, which begins at an offset; returns where it is to stand.
  ///
  /// An echo has as many bytes as the text before, whatever its count.
  @inline(__always)
  mutating func place(_ field: Int, count: Int, isEcho: Bool, at start: Int) -> Range<Int> {
    last = start..<start + (isEcho ? last.count : count)
    if isEcho { fields |= 1 << UInt64(field) }
    return last
  }

  /// Appends to a row up to its last slot what is behind that, with the echoes; says whether the
  /// bytes are enough for it.
  ///
  /// - Precondition: The places of all texts are below 2³².
  @inline(__always)
  func appendAll(_ others: RawSpan, to row: inout [UInt8]) -> Bool {
    var (rest, start) = (fields, 0)
    while rest != 0 {
      let range = RowView(row.raw).variableRange(rest.trailingZeroBitCount)
      let end = start + range.lowerBound - row.count
      guard end <= others.byteCount else { return false }
      row.append(copying: others.extracting(start..<end))
      row.appendSmall(range.count)
      start = end
      rest &= rest - 1
    }
    row.append(copying: others.extracting(droppingFirst: start))
    return true
  }
}

extension [UInt8] {
  /// Appends the last bytes once more, in the lower case of ASCII.
  fileprivate mutating func appendSmall(_ byteCount: Int) {
    let start = count
    appendCopy(of: start - byteCount..<start)
    withMutableBytes { bytes in
      for index in start..<start + byteCount {
        bytes.store(integer: bytes.bytes.byte(at: index).small, at: index)
      }
    }
  }
}
