import EventStore
import TestSupport
import Tideline

/// Draws what a server, a push or a person says of an object.
struct InboxObjects {
  /// Around when the moments of objects are.
  var now: Timestamp

  /// Some fields of an object of a class, each with one of a few values, or null.
  func fields(
    _ objectClass: ObjectClass, _ id: String, share: Int, _ dice: inout TestSupport.SeededGenerator
  ) -> ObjectFields {
    var fields = ObjectFields()
    let all = NaiveNews.fields(of: objectClass).filter {
      isSaid($0, objectClass) && !([.createdAt, .updatedAt, .unknown].contains($0))
    }
    for field in all where dice.percent(share) { put(field, objectClass, &fields, &dice) }
    for field in [ObjectField.createdAt, .updatedAt, .unknown] where dice.percent(8) {
      put(field, objectClass, &fields, &dice)
    }
    fields.put(.id, id)
    return fields
  }

  /// A server says what threads are under, and a message's files, in one way only.
  private func isSaid(_ field: ObjectField, _ objectClass: ObjectClass) -> Bool {
    switch field {
    case .labels: objectClass == .message
    case .folders, .files: false
    default: true
    }
  }

  private func put(
    _ field: ObjectField, _ objectClass: ObjectClass, _ fields: inout ObjectFields,
    _ dice: inout TestSupport.SeededGenerator
  ) {
    if dice.percent(6) { return fields.putNull(field) }
    switch field.content {
    case .text: fields.put(field, text(field, &dice))
    case .json: fields.put(field, json: Array(dice.one(of: ["{}", #"{"a":1}"#]).utf8))
    case .integer: fields.put(field, dice.one(of: [0, 1, 2, 7] as [Int64]))
    case .time: fields.put(field, time(field, &dice))
    case .boolean: fields.put(field, Bool.random(using: &dice))
    case .people: fields.put(field, people(&dice))
    case .labels: fields.put(field, labels(objectClass, &dice))
    case .texts: fields.put(field, ids(field, objectClass, &dice))
    case .files, .change: break
    }
  }

  private func text(_ field: ObjectField, _ dice: inout TestSupport.SeededGenerator) -> String {
    switch field {
    case .thread: dice.one(of: InboxNames.threads)
    case .repliedMessage: dice.one(of: InboxNames.messages)
    case .state: dice.one(of: ["sending", "sending_failed", "sent", "other"])
    default: dice.one(of: ["", "A", "b", "Crème"])
    }
  }

  /// Boundaries of what is shown lie around now.
  private func time(
    _ field: ObjectField, _ dice: inout TestSupport.SeededGenerator
  ) -> Timestamp {
    let range: ClosedRange<Int64> =
      switch field {
      case .startDate: -3_600_000...1_800_000
      case .endDate: -600_000...7_200_000
      default: -100_000_000...0
      }
    return Timestamp(rawValue: now.rawValue + Int64.random(in: range, using: &dice))
  }

  private func people(_ dice: inout TestSupport.SeededGenerator) -> [ObjectPerson] {
    let people = [ObjectPerson(name: "Ann", email: "A@x"), ObjectPerson(email: "b@x")]
    return dice.some(of: people)
  }

  private func labels(
    _ objectClass: ObjectClass, _ dice: inout TestSupport.SeededGenerator
  ) -> [ObjectLabel] {
    let tags = objectClass == .thread ? InboxNames.threadTags : InboxNames.tags
    return dice.some(of: tags, 40).map { ObjectLabel($0) }
  }

  private func ids(
    _ field: ObjectField, _ objectClass: ObjectClass, _ dice: inout TestSupport.SeededGenerator
  ) -> [String] {
    switch field {
    case .messageIDs: dice.some(of: InboxNames.messages + ["m9"], 40)
    case .draftIDs: dice.some(of: ["d1", "d2"], 40)
    case .fileIDs: dice.some(of: InboxNames.files, 40)
    default: dice.some(of: ["1", "2"])
    }
  }
}
