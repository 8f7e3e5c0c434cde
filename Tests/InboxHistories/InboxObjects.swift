import EventStore
import TestSupport
import Tideline

/// Draws what a server, a push or a person says about an object.
struct InboxObjects {
  /// The time around which the times of objects lie.
  var now: Timestamp
  /// Whether fields may be null, as they never are in pushes.
  var hasNulls = true

  /// Returns some fields of an object of a class, each with one of a few values, or null.
  func fields(
    _ objectClass: ObjectClass, _ id: String, share: Int, _ dice: inout SeededGenerator
  ) -> ObjectFields {
    var fields = ObjectFields()
    let all = NaiveNews.fields(of: objectClass).filter {
      isSaid($0, objectClass) && !([.createdAt, .updatedAt, .unknown].contains($0))
    }
    let ofOthers = others(objectClass, &dice)
    for field in all where !ofOthers.contains(field) && dice.percent(share) {
      put(field, objectClass, &fields, &dice)
    }
    for field in [ObjectField.createdAt, .updatedAt, .unknown] where dice.percent(8) {
      put(field, objectClass, &fields, &dice)
    }
    fields.put(.id, id)
    return fields
  }

  /// The fields of drafts that persons don't set.
  static let serversOwn: [ObjectField] = [
    .state, .createdAt, .updatedAt, .unknown, .files, .labels, .isStarred, .isUnread,
  ]

  /// Returns the fields that a server omits because it has another form of them: threads have tags,
  /// or labels and flags; messages have files, or the ids of files.
  private func others(
    _ objectClass: ObjectClass, _ dice: inout SeededGenerator
  ) -> [ObjectField] {
    switch objectClass {
    case .thread: dice.percent(70) ? [.labels, .isUnread, .isStarred] : [.tags]
    case .message, .draft: [dice.percent(70) ? .files : .fileIDs]
    default: []
    }
  }

  /// Returns whether a server says a field: it names labels, and not folders as well.
  private func isSaid(_ field: ObjectField, _ objectClass: ObjectClass) -> Bool {
    switch field {
    case .folders: false
    default: true
    }
  }

  private func put(
    _ field: ObjectField, _ objectClass: ObjectClass, _ fields: inout ObjectFields,
    _ dice: inout SeededGenerator
  ) {
    if dice.percent(6), hasNulls {
      return fields.putNull(field)
    }
    switch field.content {
    case .text: fields.put(field, text(field, &dice))
    case .json: fields.put(field, json: Array(dice.one(of: ["{}", #"{"a":1}"#]).utf8))
    case .integer: fields.put(field, dice.one(of: [0, 1, 2, 7] as [Int64]))
    case .time: fields.put(field, time(field, &dice))
    case .boolean: fields.put(field, Bool.random(using: &dice))
    case .people: fields.put(field, people(&dice))
    case .labels: fields.put(field, labels(field, &dice))
    case .texts: fields.put(field, ids(field, objectClass, &dice))
    case .files: fields.put(field, files(&dice))
    case .change: break
    }
  }

  /// Returns files within a message, with few fields.
  private func files(_ dice: inout SeededGenerator) -> [ObjectFields] {
    dice.some(of: InboxNames.files.filter(isServers), 40).map { id in
      let name = dice.one(of: ["c.txt", "d.txt"])
      return ObjectFields {
        $0.put(.id, id)
        $0.put(.filename, name)
      }
    }
  }

  private func text(_ field: ObjectField, _ dice: inout SeededGenerator) -> String {
    switch field {
    case .thread: dice.one(of: InboxNames.threads)
    case .repliedMessage: dice.one(of: InboxNames.messages)
    case .state: dice.one(of: ["sending", "sending_failed", "sent", "other"])
    default: dice.one(of: ["", "A", "b", "Crème"])
    }
  }

  /// Returns a time; the limits of visibility lie around now.
  private func time(
    _ field: ObjectField, _ dice: inout SeededGenerator
  ) -> Timestamp {
    let range: ClosedRange<Int64> =
      switch field {
      case .startDate: -3_600_000...1_800_000
      case .endDate: -600_000...7_200_000
      default: -100_000_000...0
      }
    return Timestamp(rawValue: now.rawValue + Int64.random(in: range, using: &dice))
  }

  private func people(_ dice: inout SeededGenerator) -> [ObjectPerson] {
    let people = [ObjectPerson(name: "Ann", email: "A@x"), ObjectPerson(email: "b@x")]
    return dice.some(of: people)
  }

  private func labels(
    _ field: ObjectField, _ dice: inout SeededGenerator
  ) -> [ObjectLabel] {
    let tags = field == .tags ? InboxNames.threadTags : InboxNames.tags
    return dice.some(of: tags.filter(isServers), 40).map { ObjectLabel($0) }
  }

  private func isServers(_ id: String) -> Bool { !id.hasPrefix("local-") }

  private func ids(
    _ field: ObjectField, _ objectClass: ObjectClass, _ dice: inout SeededGenerator
  ) -> [String] {
    switch field {
    case .messageIDs: dice.some(of: InboxNames.messages + ["m9"], 40)
    case .draftIDs: dice.some(of: ["d1", "d2"], 40)
    case .fileIDs: dice.some(of: InboxNames.files.filter(isServers), 40)
    default: dice.some(of: ["1", "2"])
    }
  }
}
