import EventStore
import Tideline

// Visible = base ⊕ open operations, in the order of their intents.
extension NaiveAccount {
  /// What the fields of an object visibly hold.
  func fields(of object: NaiveObject) -> NaiveFields {
    var fields = object.base ?? NaiveFields()
    for operation in operations {
      if operation.name == object.name {
        operation.wish.apply(to: &fields, object.objectClass)
      } else if reads(operation, object) {
        fields[.isUnread] = .boolean(false)
      } else if object.objectClass == .thread, reads(operation, messageOf: object) {
        fields.changeTags(.thread, removing: tagsLost(by: object), adding: [])
      }
    }
    return fields
  }

  /// How far the sending of a draft has visibly come (33).
  func state(of draft: NaiveObject) -> Draft.State {
    let isFailed = operations(on: draft.name).contains { $0.state == .rejected }
    if isFailed { return .failed }
    return switch fields(of: draft).text(.state) {
    case "sending": .sending
    case "sending_failed": .failed
    case "sent": .sent
    default: .unsent
    }
  }
}
