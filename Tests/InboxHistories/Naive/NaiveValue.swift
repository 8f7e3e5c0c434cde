import EventStore
import Tideline

/// The value of an object's field, as a plain value.
enum NaiveValue: Hashable {
  case text(String)
  case integer(Int64)
  case boolean(Bool)
  case time(Timestamp)
  case people([Participant])
  case ids([String])
  /// A text or bytes that rows refer to.
  case content([UInt8])

  /// The value of a payload's field; `nil` if it is null.
  init?(_ field: ObjectField, of fields: ObjectFields) {
    guard fields.has(field), !fields.isNull(field) else { return nil }
    let value: NaiveValue? =
      switch field.content {
      case .text where field == .body: fields.text(field).map { .content(Array($0.utf8)) }
      case .text: fields.text(field).map(NaiveValue.text)
      case .json: fields.json(field).map(NaiveValue.content)
      case .integer: fields.integer(field).map(NaiveValue.integer)
      case .time: fields.time(field).map(NaiveValue.time)
      case .boolean: fields.boolean(field).map(NaiveValue.boolean)
      case .change: nil
      case .people: fields.people(field).map { .people($0.map(\.participant)) }
      case .labels: fields.labels(field).map { .ids($0.map(\.id)) }
      case .texts: fields.texts(field).map(NaiveValue.ids)
      case .files: fields.files(field).map { .ids($0.compactMap(\.id)) }
      }
    guard let value else { return nil }
    self = value
  }
}

extension ObjectPerson {
  fileprivate var participant: Participant { Participant(name: name, email: email ?? "") }
}

extension NaiveValue {
  var list: [String] { if case .ids(let ids) = self { ids } else { [] } }

  /// Whether this is the shown value of an empty field.
  var isEmpty: Bool { [.ids([]), .people([]), .boolean(false)].contains(self) }
}

/// The values of an object's fields; empty fields are missing.
struct NaiveFields: Hashable {
  var values: [ObjectField: NaiveValue] = [:]

  subscript(field: ObjectField) -> NaiveValue? {
    get { values[field] }
    set { values[field] = newValue }
  }

  func text(_ field: ObjectField) -> String? {
    if case .text(let text) = values[field] { text } else { nil }
  }

  func integer(_ field: ObjectField) -> Int? {
    if case .integer(let number) = values[field] { Int(number) } else { nil }
  }

  func flag(_ field: ObjectField) -> Bool { values[field] == .boolean(true) }

  func time(_ field: ObjectField) -> Timestamp? {
    if case .time(let time) = values[field] { time } else { nil }
  }

  func people(_ field: ObjectField) -> [Participant] {
    if case .people(let people) = values[field] { people } else { [] }
  }

  func ids(_ field: ObjectField) -> [String] {
    if case .ids(let ids) = values[field] { ids } else { [] }
  }

  func content(_ field: ObjectField) -> [UInt8]? {
    if case .content(let bytes) = values[field] { bytes } else { nil }
  }
}

extension NaiveFields {
  /// The tags that lists of labels don't remove (18).
  static let states: Set = ["unread", "starred", "unseen"]

  /// Removes tags, then adds others; a message has the tag `starred` while it has its star (18).
  mutating func changeTags(
    _ objectClass: ObjectClass, removing removed: [String], adding added: [String]
  ) {
    var tags = ids(.tags).filter { !removed.contains($0) }
    for tag in added where !tags.contains(tag) { tags.append(tag) }
    values[.tags] = .ids(tags)
    if objectClass != .thread { values[.isStarred] = .boolean(tags.contains("starred")) }
  }
}
