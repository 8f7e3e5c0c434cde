import EventStore
import Tideline

/// An object found by an id that a person gave, with its inbox.
struct FoundObject {
  let inbox: Inbox
  let object: any Model

  /// Returns the object with an id, of any kind.
  static func find(_ id: String, in store: InboxStore) throws -> FoundObject {
    for inbox in try store.inboxes {
      let object: (any Model)? =
        try inbox.object(MailThread.self, id) ?? inbox.object(Message.self, id)
        ?? inbox.object(Draft.self, id) ?? inbox.object(RichMessage.self, id)
      if let object { return FoundObject(inbox: inbox, object: object) }
    }
    throw InboxCommandError.noObject(id)
  }

  /// Returns the text of the object, if it is stored here.
  func text() throws -> String? {
    let reference =
      switch object {
      case let message as Message: message.body
      case let draft as Draft: draft.body
      case let rich as RichMessage: rich.content
      default: nil as TextReference?
      }
    return try reference.flatMap(inbox.text)
  }
}
