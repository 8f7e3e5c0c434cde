import EventStore
import Tideline

// Visible = base ⊕ open operations, in the order of their intents.
extension NaiveAccount {
  /// Returns the visible fields of an object.
  func fields(of object: NaiveObject) -> NaiveFields {
    var fields = object.base ?? NaiveFields()
    for operation in operations {
      if operation.name == object.name, isRead(object, before: operation) {
        continue
      } else if operation.name == object.name {
        operation.wish.apply(to: &fields, object.objectClass)
      } else if reads(operation, object) {
        fields[.isUnread] = .boolean(false)
      } else if object.objectClass == .thread, marks(operation, messageOf: object) {
        fields.changeTags(
          .thread, removing: tagsLost(by: object), adding: tagsGained(by: object))
      }
    }
    return fields
  }

  /// Returns whether a thread is unread through messages made after the intent to read it (22).
  private func isRead(_ object: NaiveObject, before operation: NaiveOperation) -> Bool {
    object.objectClass == .thread && operation.wish == .read(true)
      && object.raised > operation.intent
  }

  /// Returns a wish by the ids that its tags have in a list, where they are looked up (26).
  func named(_ wish: NaiveWish, among tags: [String]) -> NaiveWish {
    guard case .tags(let removed, let added) = wish else { return wish }
    let names = Set(added.map(own(tag:)))
    let others = removed.filter { !names.contains(own(tag: $0)) }
    let gone = others.flatMap { tag in [tag] + tags.filter { own(tag: $0) == own(tag: tag) } }
    let left = tags.filter { !gone.contains($0) }
    let new = added.map { tag in left.first { own(tag: $0) == own(tag: tag) } ?? own(tag: tag) }
    return .tags(removed: gone, added: new)
  }

  /// Returns the row's id of a tag, whichever of its ids is given.
  func own(tag id: String) -> String {
    let name = canonical(.tag, id)
    return objects[name] == nil ? id : name.id
  }

  /// Returns the visible progress of sending a draft (33).
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
