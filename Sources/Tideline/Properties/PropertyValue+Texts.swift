package import EventStore

extension String: PropertyValue {
  /// Rows whose text stands so to this.
  ///
  /// Rows are in the order of the scalars of their texts' NFC forms. Swift's `<` departs from it
  /// where one form begins with the whole other and a text is not in it. So what is asked of the
  /// rows is a little more than Swift would say, and the rest is asked of the model.
  package static func bounds(
    _ field: Field<String>, _ relation: Relation, _ value: String
  ) -> Bounds? {
    let reason = "order of \(field.name), which is a text: ask its folded key"
    switch relation {
    case .equal: return Bounds(field == value)
    case .less, .lessOrEqual:
      return Bounds(upper: lesser(field, than: value), lower: .never, [reason])
    case .greater, .greaterOrEqual:
      return Bounds(upper: greater(field, than: value), lower: .never, [reason])
    }
  }

  /// Rows with one of these texts.
  package static func bounds(_ field: Field<String>, isOneOf values: [String]) -> Bounds? {
    Bounds(field.isOne(of: values))
  }

  /// Rows with texts that are less than a text or begin with it, and maybe some more.
  private static func lesser(_ field: Field<String>, than text: String) -> Condition {
    var start = certainStart(of: text)
    guard let last = start.popLast(), last < 0x7F else { return field != nil }
    return field < String(decoding: start + [last + 1], as: UTF8.self)
  }

  /// Rows with texts that are greater than a text or that it begins with, and maybe some more; the
  /// empty text is never greater.
  private static func greater(_ field: Field<String>, than text: String) -> Condition {
    guard let first = certainStart(of: text).first else { return field != nil }
    return field >= String(decoding: [first], as: UTF8.self)
  }

  /// The characters at a text's beginning that are ASCII and that nothing after them changes.
  private static func certainStart(of text: String) -> [UInt8] {
    let start = text.utf8.prefix { $0 < 0x80 }
    return Array(start.count == text.utf8.count ? start : start.dropLast())
  }
}

/// Folded texts are in NFC, where Swift's order and that of rows are one.
extension FoldedText: PropertyValue {
  /// The text.
  package init?(kept: String) { self.init(folded: kept) }
  /// The text.
  package var kept: String { text }

  /// Rows whose text stands so to this.
  package static func bounds(
    _ field: Field<String>, _ relation: Relation, _ value: FoldedText
  ) -> Bounds? { Bounds(relation.condition(field, value.text)) }

  /// Rows with one of these texts.
  package static func bounds(_ field: Field<String>, isOneOf values: [FoldedText]) -> Bounds? {
    Bounds(field.isOne(of: values.map(\.text)))
  }
}
