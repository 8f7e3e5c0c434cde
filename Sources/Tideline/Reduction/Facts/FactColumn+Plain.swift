import EventStore

/// Lists of which every text is plain, as nearly all are: no text is made of any of them.
extension FactColumn {
  /// Writes a list, if it is of ids, labels, files or people that are plain; says whether it did.
  ///
  /// Otherwise the row may have some of them; what is malformed is found by who reads it then.
  func writePlainList(
    _ field: borrowing PayloadReader.Field, into row: inout MutableRow, isMore: Bool
  ) -> Bool {
    switch self {
    case .people(let target): return Self.writePlain(field, into: &row, target)
    case .tags(let target): return Self.write(field, PlainTexts(), into: &row, target)
    case .labels(let target):
      let kept = isMore ? row.texts(target) : row.marks(target)
      return Self.write(field, kept, into: &row, target)
    case .ids(let target):
      var texts = PlainTexts()
      guard (try? Self.putIDs(field, into: &texts)) == true else { return false }
      row.set(target, texts)
      return true
    case .files(let target):
      var texts = PlainTexts()
      guard (try? Self.putFiles(field, into: &texts)) == true else { return false }
      row.set(target, texts)
      return true
    default: return false
    }
  }

  private static func write(
    _ field: borrowing PayloadReader.Field, _ kept: PlainTexts, into row: inout MutableRow,
    _ target: Field<Set<String>>
  ) -> Bool {
    var texts = kept
    guard (try? putLabels(field, into: &texts)) == true else { return false }
    row.set(target, texts)
    return true
  }

  private static func putLabels(
    _ field: borrowing PayloadReader.Field, into texts: inout PlainTexts
  ) throws(PayloadError) -> Bool {
    var items = try field.items
    while let item = try items.next() {
      var parts = try item.fields
      guard let id = try parts.next(), id.number == 1, texts.insert(try id.utf8) else {
        return false
      }
      // Its name and the name that people see.
      while let part = try parts.next() {
        guard part.number <= 3, try part.utf8.isASCII else { return false }
      }
    }
    return true
  }

  private static func putIDs(
    _ field: borrowing PayloadReader.Field, into texts: inout PlainTexts
  ) throws(PayloadError) -> Bool {
    var (items, count) = (try field.items, 0)
    while let item = try items.next() {
      count += 1
      guard count <= idsMax, texts.insert(try item.utf8) else { return false }
    }
    return true
  }

  private static func putFiles(
    _ field: borrowing PayloadReader.Field, into texts: inout PlainTexts
  ) throws(PayloadError) -> Bool {
    var (items, count) = (try field.items, 0)
    while let item = try items.next() {
      var reader = ObjectReader(try item.payload)
      guard let id = try reader.field(.id), !id.isNull else { continue }
      count += 1
      guard count <= idsMax, texts.insert(try id.utf8) else { return false }
    }
    return true
  }
}

extension MutableRow {
  /// The tags of a field that are no labels or folders.
  fileprivate func marks(_ field: Field<Set<String>>) -> PlainTexts {
    var texts = PlainTexts()
    for mark in FactColumn.marks where has(mark, in: field) { texts.insert(mark) }
    return texts
  }
}
