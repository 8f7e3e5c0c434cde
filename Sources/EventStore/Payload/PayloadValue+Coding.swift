import LMDB

extension PayloadFields {
  /// Decodes a whole payload, and checks all of it.
  ///
  /// - Complexity: O(n) in time and memory for n bytes.
  public init(decoding bytes: RawSpan) throws(PayloadError) {
    var reader = PayloadReader(bytes)
    self = try PayloadFields(reading: &reader)
  }

  init(reading reader: inout PayloadReader) throws(PayloadError) {
    self.init()
    while let field = try reader.next() {
      append(field.number, try PayloadValue(reading: field))
    }
  }

  /// The encoding of these fields as a whole payload.
  public var encoded: [UInt8] {
    PayloadWriter.bytes { $0.put(self) }
  }
}

extension PayloadValue {
  /// Decodes the value of a field or an item, and checks all of it.
  public init(reading field: borrowing PayloadReader.Field) throws(PayloadError) {
    switch field.type {
    case .null: self = .null
    case .boolean: self = .boolean(try field.boolean)
    case .integer: self = .integer(try field.integer)
    case .double: self = .double(try field.double)
    case .text: self = .text(try field.text)
    case .bytes: self = .bytes(try field.byteArray)
    case .fields:
      var reader = try field.fields
      self = .fields(try PayloadFields(reading: &reader))
    case .list:
      var items = try field.items
      self = .list(try Self.values(reading: &items))
    }
  }

  private static func values(
    reading items: inout PayloadReader.Items
  ) throws(PayloadError) -> [PayloadValue] {
    var values: [PayloadValue] = []
    while let item = try items.next() { values.append(try PayloadValue(reading: item)) }
    return values
  }
}

extension PayloadWriter {
  /// Writes all of `fields`.
  public mutating func put(_ fields: PayloadFields) {
    for field in fields { put(field.number, field.value) }
  }

  /// Writes a value of any type.
  public mutating func put(_ number: Int, _ value: PayloadValue) {
    switch value {
    case .null: putNull(number)
    case .boolean(let value): put(number, value)
    case .integer(let value): put(number, value)
    case .double(let value): put(number, value)
    case .text(let value): put(number, value)
    case .bytes(let value): put(number, value)
    case .fields(let value): putFields(number) { $0.put(value) }
    case .list(let value): putList(number) { $0.append(contentsOf: value) }
    }
  }
}

extension PayloadWriter.Items {
  /// Appends all of `values`.
  public mutating func append(contentsOf values: [PayloadValue]) {
    for value in values { append(value) }
  }

  /// Appends a value of any type.
  public mutating func append(_ value: PayloadValue) {
    switch value {
    case .null: appendNull()
    case .boolean(let value): append(value)
    case .integer(let value): append(value)
    case .double(let value): append(value)
    case .text(let value): append(value)
    case .bytes(let value): append(value)
    case .fields(let value): appendFields { $0.put(value) }
    case .list(let value): appendList { $0.append(contentsOf: value) }
    }
  }
}
