import LMDB

extension RowView {
  /// Whether the bytes, which may be arbitrary, are the canonical bytes of a present row of this
  /// shape, without a checksum, that has only fields of a set.
  ///
  /// - Complexity: O(bytes)
  package func isRow(_ shape: RowShape, having fields: UInt64) -> Bool {
    guard bytes.byteCount <= RowFormat.byteCountMax, hasSoundHead(shape, fields) else {
      return false
    }
    var end = idRange.upperBound
    guard id.text != nil else { return false }
    for field in 0..<fieldCount {
      guard let next = soundEnd(of: field, shape.kind(of: field), end) else { return false }
      end = next
    }
    return end == comparedCount(shape)
  }

  private func hasSoundHead(_ shape: RowShape, _ fields: UInt64) -> Bool {
    let slotsEnd = RowFormat.Offset.slots + 8 * shape.fieldCount
    guard bytes.byteCount >= slotsEnd, fieldCount == shape.fieldCount, isPresent,
      bytes.integer(UInt32.self, at: RowFormat.Offset.checksum) == 0,
      presence & ~fields == 0
    else { return false }
    return !idRange.isEmpty && idRange.count <= RowFormat.idBytesMax
      && idRange.upperBound <= comparedCount(shape)
  }

  /// Returns the end of the bytes of the fields so far, or `nil` if the field is invalid.
  private func soundEnd(of field: Int, _ kind: FieldKind?, _ end: Int) -> Int? {
    guard has(field) else { return slot(field) == 0 ? end : nil }
    switch kind {
    case .boolean: return slot(field) <= 1 ? end : nil
    case .double:
      return Double(bitPattern: slot(field)).word == slot(field) ? end : nil
    case .text, .texts:
      let range = variableRange(field)
      guard range.lowerBound == end, range.upperBound <= bytes.byteCount else { return nil }
      let isSound =
        kind == .text ? variable(field).text != nil : TextList.isCanonical(variable(field))
      return isSound ? range.upperBound : nil
    default: return end
    }
  }
}
