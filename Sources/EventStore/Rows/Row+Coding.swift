import LMDB

extension Row: Codable {
  /// Decodes a row from an untrusted source.
  ///
  /// - Throws: `DecodingError` if the data isn't the bytes of a row.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let storage = Base64.bytes(of: try container.decode(String.self)),
      let row = Row(checking: storage)
    else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "this is not the text of a row")
    }
    self = row
  }

  /// Encodes the row as a single text, its bytes in Base64.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Base64.text(of: storage))
  }

  /// Creates a row from bytes, or returns `nil` if they are invalid.
  package init?(checking storage: [UInt8]) {
    guard storage.count > RowFormat.Offset.slots else { return nil }
    let slots = Int(storage[RowFormat.Offset.fieldCount])
    guard storage.count > RowFormat.Offset.slots + slots,
      let shape = RowShape(kinds: storage.raw.extracting(last: slots)),
      RowView(storage.raw.extracting(droppingLast: slots)).isRow(shape, having: shape.visible)
    else { return nil }
    self.init(unchecked: storage)
  }
}

extension Row: CustomStringConvertible {
  /// The id.
  public var description: String { "Row(\(id))" }
}
