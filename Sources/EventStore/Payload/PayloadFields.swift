/// Numbered values in ascending order of their numbers: a whole payload, or fields within one.
///
///     let fields: PayloadFields = [1: .text("Lunch?"), 2: .list([.text("inbox")])]
///
/// Numbers start at 1 and end at ``PayloadFormat/fieldNumberLimit``; another one, or one that is
/// given twice, is a mistake of the program, and traps.
public struct PayloadFields: Sendable, Hashable {
  /// A value and its number.
  public struct Field: Sendable, Hashable {
    /// Which field it is.
    public let number: Int

    /// What it holds.
    public let value: PayloadValue
  }

  private var fields: [Field] = []

  /// No fields.
  public init() {}

  /// The value of the field of that number; absent where it is `nil`, which is not null.
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

  /// The integer of a field, where it is one and fits.
  package func integer<Number: FixedWidthInteger>(_ number: Int) -> Number? {
    if case .integer(let value)? = self[number] { Number(exactly: value) } else { nil }
  }

  /// The bits of an integer field.
  func word(_ number: Int) -> UInt64? {
    integer(number).map { (value: Int64) in UInt64(bitPattern: value) }
  }

  /// Adds a field whose number is above all others.
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
  /// How many fields there are.
  public var count: Int { fields.count }

  /// Whether there are none.
  public var isEmpty: Bool { fields.isEmpty }

  /// Goes through the fields in ascending order of their numbers.
  public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}

extension PayloadFields: ExpressibleByDictionaryLiteral {
  /// Fields by their numbers, in any order.
  public init(dictionaryLiteral elements: (Int, PayloadValue)...) {
    fields = elements.map { Self.field($0, $1) }.sorted { $0.number < $1.number }
    for (last, next) in zip(fields, fields.dropFirst()) {
      precondition(last.number < next.number, "field \(next.number) is given twice")
    }
  }
}
