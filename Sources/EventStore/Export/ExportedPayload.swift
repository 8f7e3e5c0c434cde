import LMDB

/// Encoding payloads as the JSON of an exported log, in which each value's type can be recognized,
/// so that decoding restores the same bytes.
extension [UInt8] {
  private static let doubleStart = Array("{\"double\":\"".utf8)
  private static let base64Start = Array("{\"base64\":\"".utf8)
  private static let quotedEnd = Array("\"}".utf8)

  /// Appends a payload as an object of its fields, or as raw bytes if it is not entirely in payload
  /// encoding.
  ///
  /// - Complexity: O(n)
  mutating func append(exported payload: RawSpan) {
    let start = count
    do throws(ExportObstacle) {
      try append(exportedFields: PayloadReader(payload))
    } catch {
      removeLast(count - start)
      append(exportedBytes: payload)
    }
  }

  private mutating func append(exportedBytes bytes: RawSpan) {
    append(contentsOf: Self.base64Start)
    Base64.append(bytes, to: &self)
    append(contentsOf: Self.quotedEnd)
  }

  private mutating func append(
    exportedFields fields: consuming PayloadReader
  ) throws(ExportObstacle) {
    var reader = fields
    var isFirst = true
    append(UInt8(ascii: "{"))
    do {
      while let field = try reader.next() {
        if !isFirst { append(UInt8(ascii: ",")) }
        isFirst = false
        append(UInt8(ascii: "\""))
        append(decimal: UInt64(field.number))
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ":"))
        try append(exported: field)
      }
    } catch {
      throw ExportObstacle()
    }
    append(UInt8(ascii: "}"))
  }

  private mutating func append(
    exportedItems list: consuming PayloadReader.Items
  ) throws(ExportObstacle) {
    var items = list
    var isFirst = true
    append(UInt8(ascii: "["))
    do {
      while let item = try items.next() {
        if !isFirst { append(UInt8(ascii: ",")) }
        isFirst = false
        try append(exported: item)
      }
    } catch {
      throw ExportObstacle()
    }
    append(UInt8(ascii: "]"))
  }

  private mutating func append(
    exported field: borrowing PayloadReader.Field
  ) throws(ExportObstacle) {
    switch field.code {
    case .null: append(contentsOf: "null".utf8)
    case .no: append(contentsOf: "false".utf8)
    case .yes: append(contentsOf: "true".utf8)
    case .integer: append(decimal: Int64(zigzag: field.bits))
    case .double:
      append(contentsOf: Self.doubleStart)
      append(hex: field.bits, digits: 16)
      append(contentsOf: Self.quotedEnd)
    case .text: guard append(quoted: field.content) else { throw ExportObstacle() }
    case .bytes: append(exportedBytes: field.content)
    case .fields:
      do { try append(exportedFields: field.fields) } catch { throw ExportObstacle() }
    case .list:
      do { try append(exportedItems: field.items) } catch { throw ExportObstacle() }
    }
  }
}

/// The error for a payload that is not in payload encoding.
private struct ExportObstacle: Error {}
