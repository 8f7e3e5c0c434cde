import EventStore

/// The fields of a row with a reported value: bit n is for the field numbered n + 1.
typealias FieldBits = UInt64

extension FieldDeclaration {
  var bit: FieldBits { 1 << FieldBits(index) }
}

extension Field {
  var bit: FieldBits { 1 << FieldBits(number - 1) }
}

extension FieldBits {
  /// The bit for the states in a thread's tags, such as unread, which labels don't report.
  static let marks: FieldBits = 1 << 63
}

/// The fields that a fact reports.
struct Said {
  /// The fields reported completely.
  var fields: FieldBits
  /// Those, and the fields reported in part.
  var known: FieldBits
}

extension ObjectKind {
  /// Writes a fact into a base row; returns the fields that it reports.
  ///
  /// - Parameters:
  ///   - ignored: The fields on which the fact has no influence.
  ///   - isFilling: Whether to write only values that the row lacks.
  ///   - isWhole: Whether omitted fields have no value.
  func write(
    _ payload: RawSpan, of record: RecordNumber, into row: inout MutableRow,
    ignoring ignored: FieldBits = 0, isFilling: Bool = false, isWhole: Bool = false
  ) throws(EventError) -> Said {
    var reader = PayloadReader(payload)
    var (said, written, heard): (FieldBits, FieldBits, FieldBits) = (0, 0, 0)
    // A thread's flags are tags and override its list of tags.
    var flags: [(tag: FactColumn, isSet: Bool)] = []
    var marks: FieldBits = 0
    while let field = try reader.nextField(), field.number < columns.count {
      let bit = bits[field.number]
      guard bit & ignored == 0 else {
        if !isFilling { heard |= bit }
        continue
      }
      guard let column = columns[field.number] else { continue }
      if case .tag = column {
        let isSet = field.isNull ? false : try Bool(reading: field)
        flags.append((column, isSet))
        continue
      }
      said |= bit
      if case .tags = column { marks = .marks }
      if isFilling, field.isNull || row.has(bit) && written & bit == 0 { continue }
      do throws(EventError) {
        try column.write(field, of: record, into: &row, isMore: written & bit != 0)
      } catch {
        throw error.within(ObjectField(rawValue: field.number)?.name ?? "")
      }
      written |= bit
    }
    // Many answers omit long texts; that does not clear them.
    if isWhole { clear(allBut: said | ignored | references, in: &row) }
    for flag in flags { flag.tag.set(flag.isSet, in: &row) }
    let known = flags.reduce(said | heard) { $0 | $1.tag.field.bit }
    return Said(fields: said | marks, known: known)
  }

  /// Clears the fields that a complete object omitted.
  func clear(allBut said: FieldBits, in row: inout MutableRow) {
    for case .some(let column) in columns where said & column.field.bit == 0 { column.clear(&row) }
  }
}

extension MutableRow {
  /// Returns whether a field has a value.
  func has(_ field: FieldDeclaration) -> Bool { view.has(field.index) }

  /// Returns whether the field with a bit has a value.
  fileprivate func has(_ bit: FieldBits) -> Bool { view.has(bit.trailingZeroBitCount) }

  /// Stores the folded form of a text that was written, for ordering.
  mutating func fold(_ text: Field<String>, into folded: Field<String>, _ said: FieldBits) {
    guard said & text.bit != 0 || !has(folded.declaration) else { return }
    if set(folded, toSmallLettersOf: text) { return }
    self[folded] = FoldedText(self[text] ?? "").text
  }

  /// Stores the addresses of the people in some fields.
  mutating func setAddresses(_ target: Field<Set<String>>, _ fields: [Field<String>]) {
    var kept = spares.take()
    for field in fields { kept.append(payload: view.variable(field.number - 1)) }
    let isPlain = set(target) { $0.insert(addressesIn: &kept) }
    spares.keep(&kept)
    if isPlain { return }
    let people = fields.flatMap { field in self[field].flatMap([Participant].init(kept:)) ?? [] }
    set(target, Set(people.map(\.address)))
  }
}
