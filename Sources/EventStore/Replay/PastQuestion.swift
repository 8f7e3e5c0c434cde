/// A question about any moment of a log's past, as a person writes it.
///
///     count(unread inbox:1) > 5          the number of rows in a list
///     listed(1/t1, unread inbox:1)       whether a row is in a list
///     threads(1/t1).tagIDs has unread    a row's field: has, ==, !=, <=, >=, <, >
///     messages(1/m1).date < 2026-11-20T09:30:00Z    a moment, however it is written
///     messages(1/m1)                     whether a row exists and is not hidden
///     refused                            whether an event was refused or its record lost
///     broken                             whether rows and lists contradict each other
///
/// A leading `!` negates the question. `again` before everything else asks of a stretch of the past
/// whether the answer was yes, then no, and is yes again at its end.
public struct PastQuestion: Sendable, Hashable {
  fileprivate let term: Term
  private let isNegated: Bool
  /// Whether the question is about a stretch of the past rather than a single moment.
  public let isAgain: Bool
  /// The question as written.
  public let text: String

  fileprivate enum Term: Sendable, Hashable {
    case count(ListName, Comparison, Int)
    case listed(String, ListName)
    case field(RowCollection, String, FieldDeclaration, Comparison, Operand)
    case row(RowCollection, String)
    case refused
    case broken
  }

  /// What a field is compared with.
  fileprivate enum Operand: Sendable, Hashable {
    case text(String)
    case moment(Timestamp)
  }

  fileprivate enum Comparison: String, CaseIterable, Sendable {
    case equal = "=="
    case unequal = "!="
    case atMost = "<="
    case atLeast = ">="
    case less = "<"
    case greater = ">"
    case has
  }

  /// A clause about what is wrong with a question and how to fix it.
  public struct Mistake: Error, Hashable, Sendable, CustomStringConvertible {
    /// The clause.
    public let description: String
  }

  /// Parses a question about a replay's views, using `moment` to parse moments.
  ///
  /// - Throws: ``Mistake``.
  public init(
    _ text: String, of replay: Replay, moment: (String) -> Timestamp? = { _ in nil }
  ) throws(Mistake) {
    self.text = text
    var rest = text.trimmed
    isAgain = rest.hasPrefix("again ")
    if isAgain { rest = String(rest.dropFirst("again ".count)).trimmed }
    isNegated = rest.hasPrefix("!")
    if isNegated { rest = String(rest.dropFirst()).trimmed }
    switch rest {
    case "refused": term = .refused
    case "broken": term = .broken
    default: term = try Self.term(rest, replay, moment)
    }
  }

  private static func term(
    _ text: String, _ replay: Replay, _ moment: (String) -> Timestamp?
  ) throws(Mistake) -> Term {
    // By scalars, as a mark at the start of an id is one character with the parenthesis.
    let scalars = text.unicodeScalars
    guard let open = scalars.firstIndex(of: "("), let close = scalars.lastIndex(of: ")"),
      open < close
    else {
      throw Mistake(
        description: "'\(text)' is not a question; write count(LIST) > N or COLLECTION(ID)")
    }
    let name = String(text[..<open]).trimmed
    let subject = String(text[scalars.index(after: open)..<close]).trimmed
    let rest = String(text[scalars.index(after: close)...]).trimmed
    switch name {
    case "count": return try count(subject, rest, replay)
    case "listed": return try listed(subject, rest, replay)
    default: return try row(name, text, after: open, replay, moment)
    }
  }

  private static func list(_ text: String, _ replay: Replay) throws(Mistake) -> ListName {
    guard let list = ListName(text, among: replay.viewDefinitions) else {
      throw Mistake(
        description: "'\(text)' is not a list; name a view, or a group of one as VIEW:GROUP")
    }
    return list
  }

  private static func count(
    _ subject: String, _ rest: String, _ replay: Replay
  ) throws(Mistake) -> Term {
    guard let (comparison, value) = comparison(rest), comparison != .has, let count = Int(value)
    else { throw Mistake(description: "'\(rest)' is not a comparison with a number; write > 5") }
    return .count(try list(subject, replay), comparison, count)
  }

  private static func listed(
    _ subject: String, _ rest: String, _ replay: Replay
  ) throws(Mistake) -> Term {
    guard rest.isEmpty else {
      throw Mistake(
        description: "'\(rest)' may not follow listed(…); write ! before the question to negate it")
    }
    guard let comma = subject.firstIndex(of: ",") else {
      throw Mistake(description: "listed takes an id and a list, separated by a comma")
    }
    let list = try list(String(subject[subject.index(after: comma)...]).trimmed, replay)
    return .listed(String(subject[..<comma]).trimmed, list)
  }

  private static func row(
    _ name: String, _ text: String, after open: String.Index, _ replay: Replay,
    _ moment: (String) -> Timestamp?
  ) throws(Mistake) -> Term {
    guard let collection = replay.collections.first(where: { $0.name == name }) else {
      let names = replay.collections.map(\.name).joined(separator: ", ")
      throw Mistake(description: "there is no collection '\(name)', only \(names)")
    }
    let (id, rest) = split(text, after: open)
    guard !rest.isEmpty else { return .row(collection, id) }
    let name = fieldName(rest)
    guard let field = collection.field(named: name), !field.isHidden else {
      let names = collection.fields.filter { !$0.isHidden }.map(\.name).joined(separator: ", ")
      throw Mistake(description: "\(collection.name) have no field '\(name)', only \(names)")
    }
    let question = String(rest.dropFirst(1 + name.count)).trimmed
    guard let (comparison, value) = comparison(question) else {
      throw Mistake(description: "'\(question)' is not a question; write == VALUE or has VALUE")
    }
    return .field(collection, id, field, comparison, try operand(value, field, moment))
  }

  /// Splits what follows an opening parenthesis into the id and what comes after it.
  ///
  /// The id and a value may contain parentheses. The first that a field and a comparison follow
  /// ends the id, or else the last.
  private static func split(
    _ text: String, after open: String.Index
  ) -> (id: String, rest: String) {
    let scalars = text.unicodeScalars[open...].dropFirst()
    let ends = scalars.indices.filter { scalars[$0] == ")" }
    let parts = ends.map { end in
      (String(scalars[..<end]).trimmed, String(scalars[end...].dropFirst()).trimmed)
    }
    let asking = parts.first { _, rest in
      let name = fieldName(rest)
      return !name.isEmpty && comparison(String(rest.dropFirst(1 + name.count)).trimmed) != nil
    }
    return asking ?? parts.last ?? ("", "")
  }

  /// Returns the name of the field that a text begins with, after a dot; empty if there is none.
  private static func fieldName(_ text: String) -> String {
    text.hasPrefix(".") ? String(text.dropFirst().prefix { $0.isLetter || $0.isNumber }) : ""
  }

  private static func operand(
    _ text: String, _ field: FieldDeclaration, _ moment: (String) -> Timestamp?
  ) throws(Mistake) -> Operand {
    guard field.kind == .timestamp, text != "none" else { return .text(text) }
    guard let moment = moment(text) else {
      throw Mistake(
        description: "'\(text)' is not a moment; write it like 2026-11-20T09:30:00Z, or none")
    }
    return .moment(moment)
  }

  private static func comparison(_ text: String) -> (Comparison, String)? {
    for comparison in Comparison.allCases where text.hasPrefix(comparison.rawValue) {
      let value = String(text.dropFirst(comparison.rawValue.count)).trimmed
      return (comparison, value)
    }
    return nil
  }

  /// Whether the answer at a replay's position is yes; `again` is ignored.
  ///
  /// - Complexity: O(log n), except `broken`: O(everything).
  /// - Throws: ``StoreError``.
  public func isSo(_ replay: Replay) throws(StoreError) -> Bool {
    let isSo =
      switch term {
      case .count(let list, let comparison, let count):
        comparison.holds(try replay.count(of: list), count)
      case .listed(let id, let list): try replay.index(of: id, in: list) != nil
      case .row(let collection, let id):
        try replay.row(id, in: collection).map { replay.shows($0, in: collection) } ?? false
      case .field(let collection, let id, let field, let comparison, let operand):
        try comparison.holds(try replay.row(id, in: collection), field, operand, replay.log)
      case .refused: try replay.refused().isEmpty == false
      case .broken: try replay.isBroken()
      }
    return isSo != isNegated
  }
}

extension PastQuestion {
  /// The list asked about; `nil` if the question is about something else.
  package var list: ListName? {
    switch term {
    case .count(let list, _, _), .listed(_, let list): list
    case .field, .row, .refused, .broken: nil
    }
  }

  /// Returns the row asked about if the replay knows no row that has or had its id.
  ///
  /// - Complexity: O(log n)
  package func unknownRow(to replay: Replay) -> (collection: RowCollection, id: String)? {
    let row: (RowCollection, String)?
    switch term {
    case .row(let collection, let id), .field(let collection, let id, _, _, _):
      row = (collection, id)
    case .listed(let id, let list):
      let view = replay.viewDefinitions.first { $0.name == list.view }
      row = view.map { ($0.collection, id) }
    case .count, .refused, .broken: row = nil
    }
    guard let (collection, id) = row, !replay.knows(id, in: collection) else { return nil }
    return (collection, id)
  }
}

extension PastQuestion: CustomStringConvertible {
  /// The question as written.
  public var description: String { text }
}

extension PastQuestion.Comparison {
  fileprivate func holds<Value: Comparable>(_ value: Value, _ other: Value) -> Bool {
    switch self {
    case .equal, .has: value == other
    case .unequal: value != other
    case .atMost: value <= other
    case .atLeast: value >= other
    case .less: value < other
    case .greater: value > other
    }
  }

  /// Without a value, only `== none` and `!=` anything else hold; a Boolean without one is false.
  fileprivate func holds(
    _ row: Row?, _ field: FieldDeclaration, _ operand: PastQuestion.Operand, _ log: Log
  ) throws(StoreError) -> Bool {
    switch operand {
    case .moment(let moment):
      guard case .integer(let found)? = row?.values[field.number] else { return self == .unequal }
      return holds(found, moment.rawValue)
    case .text(let text):
      guard field.kind == .reference, let reference = row?.reference(of: field) else {
        return holds(row, field, text)
      }
      do throws(LogError) {
        let content = try log.content(of: reference).map { String(decoding: $0, as: UTF8.self) }
        return content.map { holds($0, text) } ?? (self == .unequal)
      } catch {
        throw .log(error)
      }
    }
  }

  private func holds(_ row: Row?, _ field: FieldDeclaration, _ value: String) -> Bool {
    let found = row?.values[field.number]
    if self == .has {
      guard case .list(let items)? = found else { return row?.text(of: field) == value }
      return items.contains(.text(value))
    }
    if row != nil, found == nil, field.kind == .boolean { return holds("false", value) }
    guard let found, let text = row?.text(of: field) else {
      return self == .equal && value == "none" || self == .unequal && value != "none"
    }
    if case .integer(let number) = found, field.kind == .integer, let other = Int64(value) {
      return holds(number, other)
    }
    return holds(text, value)
  }
}

extension Replay {
  fileprivate func shows(_ row: Row, in collection: RowCollection) -> Bool {
    definitions.reducer.shows(row, in: collection)
  }

  /// Returns whether rows and lists contradict each other.
  fileprivate func isBroken() throws(StoreError) -> Bool {
    try asking {
      try requireViews()
      var isBroken = false
      workspace.forEachFault { _ in isBroken = true }
      return isBroken
    }
  }
}

extension String {
  /// The string without surrounding spaces.
  fileprivate var trimmed: String {
    let rest = drop { $0 == " " }
    let count = rest.reversed().prefix { $0 == " " }.count
    return String(rest.dropLast(count))
  }
}
