/// Numbered values in ascending order of their numbers: a whole payload, or nested fields.
///
///     let fields: PayloadFields = [1: .text("Lunch?"), 2: .list([.text("inbox")])]
///
/// Numbers range from 1 to ``PayloadFormat/fieldNumberLimit``; using another one, or the same one
/// twice, is a programming error, and traps.
public struct PayloadFields: Sendable, Hashable {
  /// A value and its number.
  public struct Field: Sendable, Hashable {
    /// The number of the field.
    public let number: Int

    /// The value of the field.
    public let value: PayloadValue
  }

  private var fields: [Field] = []

  /// Creates no fields.
  public init() {}

  /// The value of the field with a number; `nil` if the field is absent, which is not null.
  ///
  /// - Complexity: O(log n) to get and to replace, O(n) to add and to remove.
  public subscript(number: Int) -> PayloadValue? {
    get {
      let index = firstIndex(notBelow: number)
      return holds(number, at: index) ? fields[index].value : nil
    }
    set {
      let index = firstIndex(notBelow: number)
      let found = index..<(index + (holds(number, at: index) ? 1 : 0))
      fields.replaceSubrange(found, with: newValue.map { [Self.field(number, $0)] } ?? [])
    }
  }

  /// Returns the integer of a field, if it is one and fits.
  package func integer<Number: FixedWidthInteger>(_ number: Int) -> Number? {
    if case .integer(let value)? = self[number] { Number(exactly: value) } else { nil }
  }

  /// Returns the bits of an integer field.
  func word(_ number: Int) -> UInt64? {
    integer(number).map { (value: Int64) in UInt64(bitPattern: value) }
  }

  /// Appends a field whose number exceeds all others.
  mutating func append(_ number: Int, _ value: PayloadValue) {
    fields.append(Field(number: number, value: value))
  }

  private static func field(_ number: Int, _ value: PayloadValue) -> Field {
    precondition(
      1...PayloadFormat.fieldNumberLimit ~= number,
      "the field number \(number) is not within 1...\(PayloadFormat.fieldNumberLimit)")
    return Field(number: number, value: value)
  }

  private func holds(_ number: Int, at index: Int) -> Bool {
    index < fields.endIndex && fields[index].number == number
  }

  private func firstIndex(notBelow number: Int) -> Int {
    fields.lowerBound { $0.number < number }
  }
}

extension PayloadFields: Sequence {
  /// The number of fields.
  public var count: Int { fields.count }

  /// Whether no fields exist.
  public var isEmpty: Bool { fields.isEmpty }

  /// Iterates over the fields in ascending order of their numbers.
  public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}

extension PayloadFields: ExpressibleByDictionaryLiteral {
  /// Creates fields from numbers and values in any order.
  public init(dictionaryLiteral elements: (Int, PayloadValue)...) {
    fields = elements.map { Self.field($0, $1) }.sorted { $0.number < $1.number }
    for (last, next) in zip(fields, fields.dropFirst()) {
      precondition(last.number < next.number, "field \(next.number) is given twice")
    }
  }
}
