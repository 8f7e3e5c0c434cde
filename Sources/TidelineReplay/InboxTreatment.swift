import EventStore
import Tideline

/// The treatment of each field of an inbox's events under redaction.
enum InboxTreatment {
  private typealias Treatment = Redaction.Treatment

  /// Returns the treatment of the text at a place.
  static func rule(_ place: Redaction.Place) -> Redaction.Treatment {
    guard let first = place.path.first else { return .ordered }
    if first <= ObjectField.numberMax, hasObject(place.kind) {
      return rule(ofObject: place.path[...])
    }
    switch place.kind {
    case MarkAll.kind where place.path == [conditionField]: return condition(place)
    case StateKept.kind where first == rowsField: return rule(ofRow: place)
    case SilentPushArrived.kind where first == 3: return .json
    default: return .ordered
    }
  }

  /// Whether an integer is the digest of a text, as in some rows kept from removed records.
  static func isHash(_ place: Redaction.Place) -> Bool {
    guard place.kind == StateKept.kind, place.path.starts(with: [rowsField, valuesField]),
      place.path.count > 2, let field = field(of: place)
    else { return false }
    if place.path.count == 4 { return field.kind == .reference && place.path[3] == 1 }
    return field.kind == .link && field.name == "digest"
  }

  /// The numbers of event fields.
  private static let (conditionField, rowsField, valuesField) = (4, 512, 3)

  private static let withObjects: Set<EventKind> = [
    AlertArrived.kind, SaveDraft.kind, AddFile.kind, SaveTag.kind, StateKept.kind,
  ]

  private static func hasObject(_ kind: EventKind) -> Bool {
    ObjectClass(kind) != nil || withObjects.contains(kind)
  }
}

extension InboxTreatment {
  private static let names: Set<ObjectField> = [
    .subject, .name, .email, .displayName, .filename, .title, .inboxMessage,
  ]
  private static let prose: Set<ObjectField> = [
    .snippet, .body, .alert, .subtitle, .inboxSubtitle, .notificationMessage, .summary, .mediaText,
  ]

  private static func rule(ofObject path: ArraySlice<Int>) -> Redaction.Treatment {
    guard let field = path.first.flatMap(ObjectField.init(rawValue:)) else { return .ordered }
    let part = path.dropFirst()
    switch field.content {
    case .json: return .json
    case .people: return part.first == 3 ? .json : .folded
    case .labels: return part.first == 4 ? .json : part.first == 1 ? .ordered : .folded
    case .files: return part.isEmpty ? .ordered : rule(ofObject: part)
    default: break
    }
    return names.contains(field) ? .folded : prose.contains(field) ? .prose : .ordered
  }
}

/// Rows kept from removed records, and conditions on rows.
extension InboxTreatment {
  private static let people: Set = ["from", "to", "cc", "bcc", "replyTo", "participants"]
  private static let rowNames: Set = [
    "subject", "name", "email", "emailAddress", "providedName", "providerName", "filename",
    "addresses", "title", "inboxMessage",
  ]
  private static let rowProse: Set = [
    "snippet", "alert", "subtitle", "inboxSubtitle", "notificationMessage", "summary",
    "mediaAlternativeText",
  ]

  private static let collections = Dictionary(
    uniqueKeysWithValues: InboxReducer().collections.map { (Int64($0.number), $0) })

  /// Returns the field of a row that a value belongs to.
  private static func field(of place: Redaction.Place) -> FieldDeclaration? {
    guard place.heads.count > 1, let number = place.heads[1], let collection = collections[number]
    else { return nil }
    return collection.fields.first { $0.number == place.path[2] }
  }

  private static func rule(ofRow place: Redaction.Place) -> Redaction.Treatment {
    guard place.path.count > 2 else { return rule(ofRowID: place) }
    guard let field = field(of: place) else { return .ordered }
    if people.contains(field.name) {
      return .replaced { text, pseudonyms in
        Array(redacted(people: String(decoding: text, as: UTF8.self), pseudonyms).utf8)
      }
    }
    return rule(ofField: field.name)
  }

  /// Returns the treatment of a row's id, in which the id of its object follows the account.
  ///
  /// In operations and tombstones it also follows an intent or a collection.
  private static func rule(ofRowID place: Redaction.Place) -> Redaction.Treatment {
    let collection = place.heads.count > 1 ? place.heads[1].flatMap { collections[$0] } : nil
    return switch collection?.name {
    case "answers": .kept
    case "operations", "savings", "uploads", "tombstones": .path(slashes: 2)
    default: .path(slashes: 1)
    }
  }

  private static func rule(ofField name: String) -> Redaction.Treatment {
    if name.hasPrefix("folded") || rowNames.contains(name) { return .folded }
    return rowProse.contains(name) ? .prose : .ordered
  }

  private static func redacted(people text: String, _ pseudonyms: Pseudonyms) -> String {
    guard let people = [Participant](kept: text) else { return "" }
    return people.map { person in
      Participant(
        name: person.name.map { pseudonyms.pseudonym(of: $0, .folded) },
        email: pseudonyms.pseudonym(of: person.email, .folded))
    }.kept
  }

  /// Returns the treatment of a condition, whose texts are replaced like those of the rows.
  private static func condition(_ place: Redaction.Place) -> Redaction.Treatment {
    guard let number = place.heads.first.flatMap(\.self),
      let objectClass = ObjectClass(rawValue: number), let collection = collection(objectClass)
    else { return .ordered }
    return .replaced { bytes, pseudonyms in
      guard let condition = NormalCondition(bytes, on: collection) else { return [] }
      let name = { (number: Int) -> String in
        collection.fields.first { $0.number == number }?.name ?? ""
      }
      let replace = { (text: String, number: Int) in
        pseudonyms.pseudonym(of: text, rule(ofField: name(number)))
      }
      let exact = condition.replacingTexts(replace) { keepsOrder(of: $0, name($1)) }.bytes
      // With bounds in place of prefixes, it may be larger or deeper than conditions can be.
      guard NormalCondition(exact, on: collection) == nil else { return exact }
      return condition.replacingTexts(replace) { _, _ in false }.bytes
    }
  }

  /// Whether the pseudonym of a text has its place among those of a field's texts.
  private static func keepsOrder(of text: String, _ field: String) -> Bool {
    switch rule(ofField: field) {
    case .ordered: true
    case .folded: field.hasPrefix("folded") && FoldedText(text).text == text
    default: false
    }
  }

  private static func collection(_ objectClass: ObjectClass) -> RowCollection? {
    switch objectClass {
    case .thread: MailThread.collection
    case .message, .draft: Message.collection
    case .rich: RichMessage.collection
    default: nil
    }
  }
}
