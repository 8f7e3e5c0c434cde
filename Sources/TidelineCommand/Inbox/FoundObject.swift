import EventStore
import Tideline

/// An object found by a word that a person gave, with its inbox.
struct FoundObject {
  let inbox: Inbox
  let object: any Model

  /// Returns the object, of any kind, that a word names: by an id that only it has, or in full, as
  /// in `threads/1/t1`.
  ///
  /// - Throws: ``InboxCommandError`` if nobody is logged in or the word names no object; a
  ///   ``Mistake`` in the command line if it names several.
  static func find(
    _ word: String, in store: InboxStore, for command: String
  ) throws -> FoundObject {
    let name = ObjectWord(word)
    var found: [FoundObject] = []
    for inbox in try store.inboxes {
      found += try all(word, in: inbox)
      guard let name, name.account == inbox.account else { continue }
      found += try all(name.id, in: inbox).filter { $0.collection == name.collection }
    }
    guard let first = found.first else { throw InboxCommandError.noObject(word) }
    guard found.count == 1 else {
      throw ObjectWord.ambiguity(of: word, among: found.map(\.name), in: command)
    }
    return first
  }

  /// Returns the objects of an inbox that have an id.
  private static func all(_ id: String, in inbox: Inbox) throws -> [FoundObject] {
    let objects: [(any Model)?] = [
      try inbox.object(MailThread.self, id), try inbox.object(Message.self, id),
      try inbox.object(Draft.self, id), try inbox.object(RichMessage.self, id),
    ]
    return objects.compactMap(\.self).map { FoundObject(inbox: inbox, object: $0) }
  }

  /// The object's full name, by which ``find(_:in:for:)`` finds it among several accounts.
  var name: String { "\(collection.name)/\(inbox.account)/\(object.id)" }

  private var collection: RowCollection { type(of: object).collection }

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
