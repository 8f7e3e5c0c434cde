import LMDB

/// The texts of a row that are not stored because each is the ASCII lowercase of the preceding
/// text; packing a row omits them, and unpacking restores them.
///
/// Texts are processed in field order, in which each begins where the one before ends.
struct Echoes {
  /// Bit n: the text of field n is an echo.
  private var fields: UInt64 = 0
  private var last = 0..<0

  /// Adds the next text of a row; returns whether it is an echo.
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

  /// Appends the bytes after a row's slots, without the echoes.
  @inline(__always)
  func appendOthers(of row: RowView, to packed: inout [UInt8]) {
    var start = row.idRange.lowerBound
    for field in FieldNumbers(fields) {
      let range = row.variableRange(field)
      packed.append(copying: row.bytes.extracting(start..<range.lowerBound))
      start = range.upperBound
    }
    packed.append(copying: row.bytes.extracting(droppingFirst: start))
  }

  /// Adds the next text, which begins at an offset, and returns its range.
  ///
  /// An echo has as many bytes as the preceding text, whatever `count` is.
  @inline(__always)
  mutating func place(_ field: Int, count: Int, isEcho: Bool, at start: Int) -> Range<Int> {
    last = start..<start + (isEcho ? last.count : count)
    if isEcho { fields |= 1 << UInt64(field) }
    return last
  }

  /// Appends the bytes after the slots, with the echoes, to a row that ends with its slots; returns
  /// whether there are enough bytes.
  ///
  /// - Precondition: The places of all texts are below 2³².
  @inline(__always)
  func appendAll(_ others: RawSpan, to row: inout [UInt8]) -> Bool {
    var start = 0
    for field in FieldNumbers(fields) {
      let range = RowView(row.raw).variableRange(field)
      let end = start + range.lowerBound - row.count
      guard end <= others.byteCount else { return false }
      row.append(copying: others.extracting(start..<end))
      row.appendSmall(range.count)
      start = end
    }
    row.append(copying: others.extracting(droppingFirst: start))
    return true
  }
}

extension [UInt8] {
  /// Appends the last bytes again, in ASCII lowercase.
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
