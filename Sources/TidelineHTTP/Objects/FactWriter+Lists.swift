import EventStore
import Tideline

/// Values that are lists.
extension FactWriter {
  /// Members of a part by their names, in the order of these.
  struct Parts {
    var first: JSONToken?
    var second: JSONToken?
    var third: JSONToken?
  }

  private static let personNames = JSONNames(["name", "email"])
  private static let labelNames = JSONNames(["id", "name", "display_name"])
  private static let textNames = JSONNames(["id", "number"])
  static let mediaNames = JSONNames(["url", "altText"])

  mutating func putPeople(
    _ field: ObjectField, _ value: JSONToken, _ name: StaticString, _ bytes: RawSpan
  ) throws(JSONFault) {
    guard value.kind == .array else { throw value.isNot("a list of people", name) }
    var scanner = JSONScanner(bytes, at: value.start)
    try scanner.open(.array)
    let list = writer.beginList(field)
    while try scanner.nextItem() {
      let item = writer.beginItem()
      if try scanner.nextKind() == .object {
        let parts = try takeParts(of: &scanner, Self.personNames)
        try putPart(ObjectWriter.PersonPart.name.rawValue, parts.first, name, bytes)
        try putPart(ObjectWriter.PersonPart.email.rawValue, parts.second, name, bytes)
        putExtra(ObjectWriter.PersonPart.unknown.rawValue)
      } else {
        let address = try scanner.value()
        try putPart(ObjectWriter.PersonPart.email.rawValue, address, name, bytes)
      }
      writer.end(item)
    }
    writer.end(list)
  }

  /// Puts a list of labels; where there is but one, it may stand alone.
  mutating func putLabels(
    _ field: ObjectField, _ value: JSONToken, _ name: StaticString, _ bytes: RawSpan
  ) throws(JSONFault) {
    var scanner = JSONScanner(bytes, at: value.start)
    let list = writer.beginList(field)
    if value.kind == .array {
      try scanner.open(.array)
      while try scanner.nextItem() { try putLabel(&scanner, name) }
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
      let parts = try takeParts(of: &scanner, Self.labelNames)
      guard let id = parts.first ?? parts.second, id.kind != .null else {
        throw JSONFault(.missing("the id in \(name)"), at: start)
      }
      try putPart(ObjectWriter.LabelPart.id.rawValue, id, name, scanner.bytes)
      try putPart(ObjectWriter.LabelPart.name.rawValue, parts.second, name, scanner.bytes)
      try putPart(ObjectWriter.LabelPart.displayName.rawValue, parts.third, name, scanner.bytes)
      putExtra(ObjectWriter.LabelPart.unknown.rawValue)
    } else {
      let id = try scanner.value()
      guard id.kind != .null else { throw id.isNot("a label", name) }
      try putPart(ObjectWriter.LabelPart.id.rawValue, id, name, scanner.bytes)
    }
    writer.end(item)
  }

  /// Puts a list of texts; of objects their id or number.
  mutating func putTexts(
    _ field: ObjectField, _ value: JSONToken, _ name: StaticString, _ bytes: RawSpan
  ) throws(JSONFault) {
    guard value.kind == .array else { throw value.isNot("a list of texts", name) }
    var scanner = JSONScanner(bytes, at: value.start)
    try scanner.open(.array)
    let list = writer.beginList(field)
    while try scanner.nextItem() {
      guard try scanner.nextKind() == .object else {
        try putItem(try scanner.value(), name, bytes)
        continue
      }
      let start = scanner.place
      let parts = try takeParts(of: &scanner, Self.textNames)
      guard let text = parts.first ?? parts.second else {
        throw JSONFault(.missing("the text in \(name)"), at: start)
      }
      try putItem(text, name, bytes)
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
  /// Puts files; where they are but ids, these, unless there is a list of ids beside them.
  mutating func putFiles(
    _ field: ObjectField, _ value: JSONToken, _ name: StaticString, _ bytes: RawSpan, hasIDs: Bool
  ) throws(JSONFault) {
    guard value.kind == .array else { throw value.isNot("a list of files", name) }
    var scanner = JSONScanner(bytes, at: value.start)
    try scanner.open(.array)
    var ahead = JSONScanner(bytes, at: scanner.place)
    let first = try ahead.nextKind()
    guard first != .string || hasIDs else {
      return try putTexts(.fileIDs, value, name, bytes)
    }
    guard first != .string else { return }
    let list = writer.beginList(field)
    while try scanner.nextItem() {
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
    defer { spare = members }
    let (table, bytes) = (FieldTable.of(.file), scanner.bytes)
    try members.take(&scanner, by: table)
    if let id = members[FieldTable.idRow], id.kind != .null { try putID(.id, id, "id", bytes) }
    if let version = members[FieldTable.versionRow] {
      try putInteger(.version, version, "version", bytes)
    }
    try putFields(members, table, bytes)
  }
}

// Parts.
extension FactWriter {
  /// The members of the object that is next; those without a part are put aside.
  mutating func takeParts(
    of scanner: inout JSONScanner, _ names: borrowing JSONNames
  ) throws(JSONFault) -> Parts {
    var parts = Parts()
    if !extra.isEmpty { extra.removeAll(keepingCapacity: true) }
    order.begin()
    try scanner.open(.object)
    while let (name, index) = try scanner.nextName(of: names, &order) {
      let value = try scanner.value()
      switch index {
      case 0: parts.first = value
      case 1: parts.second = value
      case 2: parts.third = value
      default: keep(name, value, scanner.bytes)
      }
    }
    return parts
  }

  private mutating func keep(_ name: JSONToken, _ value: JSONToken, _ bytes: RawSpan) {
    extra.append(extra.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
    extra.append(payload: bytes.extracting(name.range))
    extra.append(UInt8(ascii: ":"))
    extra.append(payload: bytes.extracting(value.range))
  }

  /// Puts what was put aside.
  private mutating func putExtra(_ number: Int) {
    guard !extra.isEmpty else { return }
    extra.append(UInt8(ascii: "}"))
    let members = extra
    writer.put(part: number, json: members.payloadBytes)
  }

  /// Puts a text of a part, if there is one.
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
