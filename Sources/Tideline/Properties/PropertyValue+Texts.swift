package import EventStore

extension String: PropertyValue {
  /// Matches rows whose text has the relation to `value`.
  ///
  /// Rows are ordered by the scalars of their texts' NFC forms. Swift's `<` differs if one form is
  /// a prefix of the other and a text is not in that form. The row condition therefore matches
  /// slightly more than Swift would, and the model decides about the rest.
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

  /// Matches rows with one of these texts.
  package static func bounds(_ field: Field<String>, isOneOf values: [String]) -> Bounds? {
    Bounds(field.isOne(of: values))
  }

  /// Returns a condition met at least by texts that are less than a text or start with it.
  private static func lesser(_ field: Field<String>, than text: String) -> Condition {
    var start = certainStart(of: text)
    guard let last = start.popLast(), last < 0x7F else { return field != nil }
    return field < String(decoding: start + [last + 1], as: UTF8.self)
  }

  /// Returns a condition met at least by texts that are greater than a text or are a prefix of it.
  ///
  /// The empty text is never greater.
  private static func greater(_ field: Field<String>, than text: String) -> Condition {
    guard let first = certainStart(of: text).first else { return field != nil }
    return field >= String(decoding: [first], as: UTF8.self)
  }

  /// Returns the leading ASCII characters of a text that no following character can change.
  private static func certainStart(of text: String) -> [UInt8] {
    let start = text.utf8.prefix { $0 < 0x80 }
    return Array(start.count == text.utf8.count ? start : start.dropLast())
  }
}

/// Folded texts are in NFC, where Swift's order equals the row order.
extension FoldedText: PropertyValue {
  /// A stored text is already folded.
  package init?(kept: String) { self.init(folded: kept) }
  /// The text.
  package var kept: String { text }

  /// Matches rows whose text has the relation to `value`.
  package static func bounds(
    _ field: Field<String>, _ relation: Relation, _ value: FoldedText
  ) -> Bounds? { Bounds(relation.condition(field, value.text)) }

  /// Matches rows with one of these texts.
  package static func bounds(_ field: Field<String>, isOneOf values: [FoldedText]) -> Bounds? {
    Bounds(field.isOne(of: values.map(\.text)))
  }
}
