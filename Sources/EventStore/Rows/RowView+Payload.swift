import LMDB

extension RowView {
  /// Returns the values of some fields, including those only reducers see, as payload fields with
  /// the same numbers.
  ///
  /// - Complexity: O(bytes)
  package func values(_ fields: UInt64, _ shape: RowShape) -> PayloadFields {
    var values = PayloadFields()
    for index in 0..<fieldCount where fields >> UInt64(index) & 1 == 1 && has(index) {
      guard let kind = shape.kind(of: index) else { continue }
      withStored(index, kind, shape) { stored in
        values.append(index + 1, PayloadValue(stored, kind))
      }
    }
    return values
  }
}

extension RowView {
  /// The external id.
  package var name: String { id.text ?? "" }

  /// Calls `body` with each of the row's references to a text.
  package func forEachReference(_ shape: RowShape, _ body: (TextReference) -> Void) {
    for field in FieldNumbers(shape.references & presence) {
      if let text = value(field, shape, as: TextReference.self) { body(text) }
    }
  }
}

extension MutableRow {
  /// Sets some fields to the given values, and clears those without one.
  ///
  /// A value of another type than the field is left out.
  package mutating func set(_ fields: UInt64, to values: PayloadFields) {
    for index in 0..<shape.fieldCount where fields >> UInt64(index) & 1 == 1 {
      guard let kind = shape.kind(of: index) else { continue }
      clear(index, kind)
      if let value = values[index + 1] { set(index, kind, value) }
    }
  }

  private mutating func set(_ field: Int, _ kind: FieldKind, _ value: PayloadValue) {
    switch (kind, value) {
    case (.integer, .integer(let word)), (.timestamp, .integer(let word)),
      (.link, .integer(let word)):
      set(field, kind, StoredValue(word: UInt64(bitPattern: word)))
    case (.boolean, .boolean(let flag)): flag.withStored { set(field, kind, $0) }
    case (.double, .double(let double)): double.withStored { set(field, kind, $0) }
    case (.text, .text(let text)): text.withStored { set(field, kind, $0) }
    case (.texts, .list(let items)):
      let texts = items.compactMap { if case .text(let text) = $0 { text } else { nil } }
      texts.withStored { set(field, kind, $0) }
    case (.reference, .fields(let fields)):
      guard let digest = fields.number(1), let place = fields.number(2) else { return }
      set(field, kind, StoredValue(word: digest, place: place))
    default: break
    }
  }
}

extension PayloadValue {
  /// Creates the payload value of a stored field.
  init(_ stored: StoredValue, _ kind: FieldKind) {
    switch kind {
    case .integer, .timestamp, .link: self = .integer(Int64(bitPattern: stored.word))
    case .boolean: self = .boolean(stored.word != 0)
    case .double: self = .double(Double(bitPattern: stored.word))
    case .text: self = .text(String(stored: stored) ?? "")
    case .texts: self = .list(([String](stored: stored) ?? []).map { .text($0) })
    case .reference:
      self = .fields([
        1: .integer(Int64(bitPattern: stored.word)), 2: .integer(Int64(bitPattern: stored.place)),
      ])
    }
  }
}
