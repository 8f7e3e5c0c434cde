import EventStore

/// Fast path for lists of plain texts, which creates no strings.
extension FactColumn {
  /// Writes a list of plain ids, labels, files or people; returns whether it did.
  ///
  /// Otherwise the row may hold some of the items. The fallback reader then detects malformed data.
  func writePlainList(
    _ field: borrowing PayloadReader.Field, into row: inout MutableRow, isMore: Bool
  ) -> Bool {
    switch self {
    case .participants(let target), .people(let target):
      return Self.writePlain(field, into: &row, target)
    case .tags(let target):
      return row.set(target) { (try? Self.putLabels(field, into: &$0)) == true }
    case .labels(let target):
      var texts = isMore ? row.texts(target) : row.marks(target)
      guard (try? Self.putLabels(field, into: &texts)) == true else { return false }
      row.set(target, texts)
      return true
    case .ids(let target):
      return row.set(target) { (try? Self.putIDs(field, into: &$0)) == true }
    case .files(let target):
      return row.set(target) { (try? Self.putFiles(field, into: &$0)) == true }
    default: return false
    }
  }

  private static func putLabels(
    _ field: borrowing PayloadReader.Field, into texts: inout PlainTexts
  ) throws(PayloadError) -> Bool {
    var (items, count) = (try field.items, texts.count)
    while let item = try items.next() {
      count += 1
      var parts = try item.fields
      // Inserting takes time for each text before, so the fallback reads long lists.
      guard count <= idsMax, let id = try parts.next(), id.number == 1,
        texts.insert(try id.utf8)
      else { return false }
      // The internal name and the displayed name.
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
  /// Returns the tags of a field other than labels and folders.
  fileprivate func marks(_ field: Field<Set<String>>) -> PlainTexts {
    var texts = PlainTexts()
    for mark in FactColumn.marks where has(mark, in: field) { texts.insert(mark) }
    return texts
  }
}
