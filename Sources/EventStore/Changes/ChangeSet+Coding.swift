/// Empty parts are omitted, and an edit is an array of its parts: a move is `[3, 0]`, for example.
extension ChangeSet: Codable {
  private enum CodingKeys: String, CodingKey {
    case from, to, oldCount, newCount, oldTotal, newTotal
    case reset, removals, insertions, moves, updates
  }

  /// Decodes a change set.
  ///
  /// - Throws: `DecodingError` if no two lists can have these changes between them.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    from = try container.decode(Position.self, forKey: .from)
    to = try container.decode(Position.self, forKey: .to)
    newTotal = try container.decodeIfPresent(Int.self, forKey: .newTotal)
    if let rows = try container.decodeIfPresent(RowList.self, forKey: .reset) {
      content = .reset(rows)
      (oldCount, newCount, oldTotal) = (0, rows.count, nil)
    } else {
      content = .edits(try Self.edits(in: container))
      oldCount = try container.decode(Int.self, forKey: .oldCount)
      newCount = try container.decode(Int.self, forKey: .newCount)
      oldTotal = try container.decodeIfPresent(Int.self, forKey: .oldTotal)
    }
    guard isCanonical else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "no lists have these edits"))
    }
  }

  private static func edits(in container: KeyedDecodingContainer<CodingKeys>) throws -> Edits {
    var edits = Edits()
    edits.removals = try container.decodeIfPresent([Removal].self, forKey: .removals) ?? []
    edits.insertions = try container.decodeIfPresent([Insertion].self, forKey: .insertions) ?? []
    edits.moves = try container.decodeIfPresent([Move].self, forKey: .moves) ?? []
    edits.updates = try container.decodeIfPresent([Update].self, forKey: .updates) ?? []
    return edits
  }

  /// Encodes the change set; equal change sets encode equally.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(from, forKey: .from)
    try container.encode(to, forKey: .to)
    try container.encodeIfPresent(newTotal, forKey: .newTotal)
    switch content {
    case .reset(let rows): try container.encode(rows, forKey: .reset)
    case .edits(let edits):
      try container.encode(oldCount, forKey: .oldCount)
      try container.encode(newCount, forKey: .newCount)
      try container.encodeIfPresent(oldTotal, forKey: .oldTotal)
      try Self.encode(edits.removals, as: .removals, to: &container)
      try Self.encode(edits.insertions, as: .insertions, to: &container)
      try Self.encode(edits.moves, as: .moves, to: &container)
      try Self.encode(edits.updates, as: .updates, to: &container)
    }
  }

  private static func encode(
    _ edits: [some Encodable], as key: CodingKeys,
    to container: inout KeyedEncodingContainer<CodingKeys>
  ) throws {
    if !edits.isEmpty { try container.encode(edits, forKey: key) }
  }
}

extension ChangeSet.Removal: Codable {
  /// Decodes the index, the id and the digests.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    let (index, id) = (try container.decode(Int.self), try container.decode(String.self))
    self.init(index: index, trace: RowTrace(id: id, digests: try container.decodeDigests()))
  }

  /// Encodes the index, the id and the digests.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(index)
    try container.encode(trace.id)
    try container.encode(digests: trace.digests)
  }
}

extension ChangeSet.Insertion: Codable {
  /// Decodes the index and the row.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init(index: try container.decode(Int.self), row: try container.decode(Row.self))
  }

  /// Encodes the index and the row.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(index)
    try container.encode(row)
  }
}

extension ChangeSet.Move: Codable {
  /// Decodes both indices.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init(old: try container.decode(Int.self), new: try container.decode(Int.self))
  }

  /// Encodes both indices.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(old)
    try container.encode(new)
  }
}

extension ChangeSet.Update: Codable {
  /// Decodes the index, the changed fields, their old digests and the row.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    let index = try container.decode(Int.self)
    let fields = try container.decode(FieldSet.self)
    let digests = try container.decodeDigests()
    guard !fields.isEmpty, fields.count == digests.count else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "each changed field has an old digest")
    }
    self.init(
      index: index, row: try container.decode(Row.self),
      difference: RowDifference(fields: fields, digests: digests))
  }

  /// Encodes the index, the changed fields, their old digests and the row.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(index)
    try container.encode(fields)
    try container.encode(digests: difference.digests)
    try container.encode(row)
  }
}

/// Digests are encoded as text: eight bytes each, little-endian, in Base64.
extension UnkeyedEncodingContainer {
  fileprivate mutating func encode(digests: [UInt64]) throws {
    let bytes = digests.flatMap { digest in
      (0..<8).map { UInt8(truncatingIfNeeded: digest >> UInt64(8 * $0)) }
    }
    try encode(Base64.text(of: bytes))
  }
}

extension UnkeyedDecodingContainer {
  fileprivate mutating func decodeDigests() throws -> [UInt64] {
    guard let bytes = Base64.bytes(of: try decode(String.self)), bytes.count % 8 == 0,
      bytes.count / 8 <= RowFormat.fieldCountMax
    else {
      throw DecodingError.dataCorruptedError(
        in: self, debugDescription: "this is not the text of digests")
    }
    return stride(from: 0, to: bytes.count, by: 8).map { start in
      bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}
