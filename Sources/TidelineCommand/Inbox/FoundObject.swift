import EventStore
import Tideline

/// An object that a person named by its id, and the inbox that it is in.
struct FoundObject {
  let inbox: Inbox
  let object: any Model

  /// The object of an id, whatever it is.
  static func find(_ id: String, in store: InboxStore) throws -> FoundObject {
    for inbox in try store.inboxes {
      let object: (any Model)? =
        try inbox.object(MailThread.self, id) ?? inbox.object(Message.self, id)
        ?? inbox.object(Draft.self, id) ?? inbox.object(RichMessage.self, id)
      if let object { return FoundObject(inbox: inbox, object: object) }
    }
    throw InboxCommandError.noObject(id)
  }

  /// The text that belongs to it, where there is one here.
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
