import EventStore

/// The fields of a row that something was said of: bit n for the field numbered n + 1.
typealias FieldBits = UInt64

extension FieldDeclaration {
  var bit: FieldBits { 1 << FieldBits(index) }
}

extension Field {
  var bit: FieldBits { 1 << FieldBits(number - 1) }
}

extension FieldBits {
  /// That a thread's list of tags says of states as well, such as unread, which labels don't.
  static let marks: FieldBits = 1 << 63
}

/// What a fact says something of.
struct Said {
  /// The fields that it says all of.
  var fields: FieldBits
  /// Those, and those that it says a part of.
  var known: FieldBits
}

extension ObjectKind {
  /// Writes what a fact says into the row of a base; returns the fields that it says something of.
  ///
  /// - Parameters:
  ///   - ignored: The fields that the fact has no say in.
  ///   - isFilling: Whether it only says what the row has no value of.
  ///   - isWhole: Whether it says that what it leaves out is not set.
  func write(
    _ payload: RawSpan, of record: RecordNumber, into row: inout MutableRow,
    ignoring ignored: FieldBits = 0, isFilling: Bool = false, isWhole: Bool = false
  ) throws(EventError) -> Said {
    var reader = PayloadReader(payload)
    var (said, written, heard): (FieldBits, FieldBits, FieldBits) = (0, 0, 0)
    // A thread's flags are tags, whatever its list of tags says.
    var flags: [(tag: FactColumn, isSet: Bool)] = []
    var marks: FieldBits = 0
    while let field = try reader.nextField(), field.number < columns.count {
      guard let column = columns[field.number] else { continue }
      let bit = column.field.bit
      guard bit & ignored == 0 else {
        if !isFilling { heard |= bit }
        continue
      }
      if case .tag = column {
        let isSet = field.isNull ? false : try Bool(reading: field)
        flags.append((column, isSet))
        continue
      }
      said |= bit
      if case .tags = column { marks = .marks }
      if isFilling, field.isNull || row.has(column.field) && written & bit == 0 { continue }
      do throws(EventError) {
        try column.write(field, of: record, into: &row, isMore: written & bit != 0)
      } catch {
        throw error.within(ObjectField(rawValue: field.number)?.name ?? "")
      }
      written |= bit
    }
    // Many answers leave out a text that is long: nothing is meant by that.
    if isWhole { clear(allBut: said | ignored | references, in: &row) }
    for flag in flags { flag.tag.set(flag.isSet, in: &row) }
    let known = flags.reduce(said | heard) { $0 | $1.tag.field.bit }
    return Said(fields: said | marks, known: known)
  }

  /// Has the row say nothing of the fields that a whole object left out.
  func clear(allBut said: FieldBits, in row: inout MutableRow) {
    for case .some(let column) in columns where said & column.field.bit == 0 { column.clear(&row) }
  }
}

extension MutableRow {
  /// Whether a field has a value.
  func has(_ field: FieldDeclaration) -> Bool { view.has(field.index) }

  /// Keeps what lists are ordered by beside a text that was written.
  mutating func fold(_ text: Field<String>, into folded: Field<String>, _ said: FieldBits) {
    guard said & text.bit != 0 || !has(folded.declaration) else { return }
    if set(folded, toSmallLettersOf: text) { return }
    self[folded] = FoldedText(self[text] ?? "").text
  }

  /// Keeps the addresses of the people in some fields.
  mutating func setAddresses(_ target: Field<Set<String>>, _ fields: [Field<String>]) {
    var (addresses, kept) = (PlainTexts(), [UInt8]())
    kept.reserveCapacity(FactColumn.keptRoom)
    let isPlain = fields.allSatisfy { field in
      kept.removeAll(keepingCapacity: true)
      kept.append(payload: view.variable(field.number - 1))
      return addresses.insert(addressesIn: &kept)
    }
    if isPlain { return set(target, addresses) }
    let people = fields.flatMap { field in self[field].flatMap([Participant].init(kept:)) ?? [] }
    set(target, Set(people.map(\.address)))
  }
}
