import EventStore
import Tideline

/// List values.
extension FactWriter {
  /// Whether the list has another item, as ``JSONScanner/nextItem()``; throws once the object
  /// exceeds the payload limit.
  @inline(__always)
  private func nextItem(_ scanner: inout JSONScanner) throws(JSONFault) -> Bool {
    guard writer.count <= Log.payloadBytesMax else {
      throw JSONFault(.tooLong("the object", limit: Log.payloadBytesMax), at: scanner.place)
    }
    return try scanner.nextItem()
  }

  /// Puts the next list into the field of a row of the table.
  mutating func putList(
    _ row: Int, _ table: FieldTable, _ scanner: inout JSONScanner
  ) throws(JSONFault) {
    let (field, name) = (table.rows[row].field, table.rows[row].name)
    switch table.rows[row].reading {
    case .people: try putPeople(field, &scanner, name)
    case .labels: try putLabels(field, &scanner, name)
    case .files: try putFiles(field, &scanner, name)
    default: try putTexts(field, &scanner, name)
    }
  }

  private mutating func putPeople(
    _ field: ObjectField, _ scanner: inout JSONScanner, _ name: StaticString
  ) throws(JSONFault) {
    try scanner.openList(of: "people", name)
    let list = writer.beginList(field)
    while try nextItem(&scanner) {
      let item = writer.beginItem()
      if try scanner.kindHere() == .object {
        let parts = try people.take(&scanner)
        try putPart(ObjectWriter.PersonPart.name, parts.first, name, scanner.bytes)
        try putPart(ObjectWriter.PersonPart.email, parts.second, name, scanner.bytes)
        putPart(ObjectWriter.PersonPart.unknown, people.unknown)
      } else {
        let address = try scanner.value()
        try putPart(ObjectWriter.PersonPart.email, address, name, scanner.bytes)
      }
      writer.end(item)
    }
    writer.end(list)
  }

  /// Puts a list of labels; a single label may stand without a list.
  private mutating func putLabels(
    _ field: ObjectField, _ scanner: inout JSONScanner, _ name: StaticString
  ) throws(JSONFault) {
    let list = writer.beginList(field)
    if try scanner.kindHere() == .array {
      try scanner.open(.array)
      while try nextItem(&scanner) { try putLabel(&scanner, name) }
    } else {
      try putLabel(&scanner, name)
    }
    writer.end(list)
  }

  private mutating func putLabel(
    _ scanner: inout JSONScanner, _ name: StaticString
  ) throws(JSONFault) {
    let item = writer.beginItem()
    if try scanner.nextKind() == .object {
      let start = scanner.place
      let parts = try labels.take(&scanner)
      guard let id = parts.first ?? parts.second, id.kind != .null else {
        throw JSONFault(.missing("the id in \(name)"), at: start)
      }
      try putPart(ObjectWriter.LabelPart.id, id, name, scanner.bytes)
      try putPart(ObjectWriter.LabelPart.name, parts.second, name, scanner.bytes)
      try putPart(ObjectWriter.LabelPart.displayName, parts.third, name, scanner.bytes)
      putPart(ObjectWriter.LabelPart.unknown, labels.unknown)
    } else {
      let id = try scanner.value()
      guard id.kind != .null else { throw id.isNot("a label", name) }
      try putPart(ObjectWriter.LabelPart.id, id, name, scanner.bytes)
    }
    writer.end(item)
  }

  /// Puts a list of texts; an object counts as its id or number.
  mutating func putTexts(
    _ field: ObjectField, _ scanner: inout JSONScanner, _ name: StaticString
  ) throws(JSONFault) {
    try scanner.openList(of: "texts", name)
    let list = writer.beginList(field)
    while try nextItem(&scanner) {
      guard try scanner.nextKind() == .object else {
        try putItem(try scanner.value(), name, scanner.bytes)
        continue
      }
      let start = scanner.place
      let parts = try texts.take(&scanner)
      guard let text = parts.first ?? parts.second else {
        throw JSONFault(.missing("the text in \(name)"), at: start)
      }
      try putItem(text, name, scanner.bytes)
    }
    writer.end(list)
  }

  private mutating func putItem(
    _ value: JSONToken, _ name: StaticString, _ bytes: RawSpan
  ) throws(JSONFault) {
    switch value.kind {
    case .string where !value.isEscaped: writer.item(utf8: bytes.extracting(value.content))
    case .string:
      let text = unescaped(value, bytes)
      writer.item(utf8: text.payloadBytes)
    case .number: writer.item(utf8: bytes.extracting(value.range))
    default: throw value.isNot("a list of texts", name)
    }
  }
}

// Files.
extension FactWriter {
  private mutating func putFiles(
    _ field: ObjectField, _ scanner: inout JSONScanner, _ name: StaticString
  ) throws(JSONFault) {
    try scanner.openList(of: "files", name)
    let list = writer.beginList(field)
    while try nextItem(&scanner) {
      guard try scanner.nextKind() == .object else {
        throw JSONFault(.wrongType("\(name)", expected: "a list of files"), at: scanner.place)
      }
      let item = writer.beginItem()
      try putFile(&scanner)
      writer.end(item)
    }
    writer.end(list)
  }

  private mutating func putFile(_ scanner: inout JSONScanner) throws(JSONFault) {
    var members = spare.take() ?? MemberSet()
    do throws(JSONFault) { try putFile(&scanner, &members) } catch {
      spare = consume members
      throw error
    }
    spare = consume members
  }

  private mutating func putFile(
    _ scanner: inout JSONScanner, _ members: inout MemberSet
  ) throws(JSONFault) {
    var nobody = NoLists()
    let bytes = scanner.bytes
    try members.take(&scanner, by: FieldTable.file, &nobody)
    if let id = members[FieldTable.idRow], id.kind != .null, !id.isEmptyText {
      try putID(.id, id, "id", bytes)
    }
    if let version = members[FieldTable.versionRow] {
      try putInteger(.version, version, "version", bytes)
    }
    try putFields(members, FieldTable.file, bytes.extracting(0..<0), bytes)
  }
}

// Lists that are read before the fields that precede them are known.
extension FactWriter: ListTaking {
  mutating func forget() { writer.discard() }

  mutating func take(
    _ row: Int, of table: FieldTable, _ scanner: inout JSONScanner
  ) -> Range<Int>? {
    let (start, count, deepest) = (scanner.place, writer.count, scanner.deepest)
    do throws(JSONFault) {
      // Whether texts here are file ids depends on whether the object also has a list of file ids.
      if table.rows[row].reading == .files, try scanner.isListOfTexts() { return nil }
      scanner.deepest = 0
      writer.beginPiece()
      try putList(row, table, &scanner)
      // The scanner has also stepped into the list itself and its objects.
      scanner.deepest = max(deepest, scanner.deepest + 2)
      return count..<writer.count
    } catch {
      scanner.deepest = deepest
      // The later, separate read finds the error again; nothing uses the partial output.
      scanner.goBack(to: start)
      return nil
    }
  }
}

extension JSONScanner {
  /// Steps into a list, and throws if the member is not one.
  fileprivate mutating func openList(
    of what: StaticString, _ name: StaticString
  ) throws(JSONFault) {
    guard try kindHere() == .array else {
      throw JSONFault(.wrongType("\(name)", expected: "a list of \(what)"), at: place)
    }
    try open(.array)
  }

  /// Whether the next value is a list whose first item is a text.
  func isListOfTexts() throws(JSONFault) -> Bool {
    var ahead = JSONScanner(bytes, at: place)
    guard try ahead.nextKind() == .array else { return false }
    try ahead.open(.array)
    return try ahead.nextKind() == .string
  }
}

// Parts.
extension FactWriter {
  /// Puts members that have no part of their own, if any.
  private mutating func putPart(_ number: Int, _ unknown: [UInt8]) {
    if !unknown.isEmpty { writer.put(part: number, json: unknown.payloadBytes) }
  }

  /// Puts the text of a part, if it has one.
  private mutating func putPart(
    _ number: Int, _ value: JSONToken?, _ name: StaticString, _ bytes: RawSpan
  ) throws(JSONFault) {
    guard let value, value.kind != .null else { return }
    switch value.kind {
    case .string where !value.isEscaped:
      writer.put(part: number, utf8: bytes.extracting(value.content))
    case .string:
      let text = unescaped(value, bytes)
      writer.put(part: number, utf8: text.payloadBytes)
    case .number: writer.put(part: number, utf8: bytes.extracting(value.range))
    default: throw value.isNot("a text", name)
    }
  }
}
