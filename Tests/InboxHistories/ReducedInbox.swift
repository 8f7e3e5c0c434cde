package import EventStore
import TestSupport
import Tideline

/// The engine's own reducer, at one record of a history after the other.
package struct ReducedInbox: FoldedInbox {
  private let history: InboxHistory
  private let folder: TemporaryFolder
  private let log: Log
  private let replay: Replay

  /// Views of all rows, visible or not.
  private static let views = [
    all(Account.collection), all(MailThread.collection), all(Message.collection),
    all(Tag.collection), all(Contact.collection), all(Attachment.collection),
    all(RichMessage.collection), all(Operations.collection),
  ]

  private static func all(_ collection: RowCollection) -> ViewDefinition {
    ViewDefinition(name(collection), of: collection)
  }

  private static func name(_ collection: RowCollection) -> String { "all \(collection.name)" }

  package init(_ history: InboxHistory) async throws {
    self.history = history
    folder = try TemporaryFolder()
    log = try await Log.open(at: folder.path)
    if !history.steps.isEmpty { try await log.append(history.batch, durability: .relaxed) }
    replay = try Replay(log, reducer: InboxReducer(views: Self.views), at: 0)
  }

  package mutating func picture(at number: RecordNumber) throws -> InboxPicture {
    try replay.advance(to: number)
    var picture = InboxPicture()
    picture.accounts = try objects(Account.self)
    picture.threads = try objects(MailThread.self)
    picture.messages = try objects(Message.self)
    picture.drafts = try objects(Draft.self)
    picture.tags = try objects(Tag.self)
    picture.contacts = try objects(Contact.self)
    picture.files = try objects(Attachment.self)
    picture.rich = try objects(RichMessage.self)
    picture.operations = Set(try rows(Operations.collection).map { .init($0) })
    return picture
  }

  package func lists(of picture: InboxPicture) throws -> InboxLists? {
    try replay.checkInvariants()
    return try NaiveView.all.reduce(into: [:]) { lists, view in
      lists.merge(try view.shown(replay, picture)) { first, _ in first }
    }
  }

  package func end() async { await log.close() }

  private func rows(_ collection: RowCollection) throws -> [Row] {
    try replay.views.rows(of: ListName(Self.name(collection)), in: 0...)
  }

  private func objects<Object: Model>(_ type: Object.Type) throws -> [String: Object] {
    let objects = try rows(type.collection).compactMap { Object($0) }
    return Dictionary(uniqueKeysWithValues: objects.map { ($0.rowID, history.resolved($0)) })
  }
}

extension InboxPicture.Operation {
  private static let account = Field<Int64>("account", 1)
  private static let intent = Field<Int>("intent", 3)
  private static let objectClass = Field<Int64>("objectClass", 5)
  private static let item = Field<String>("item", 6)
  private static let state = Field<Operations.State>("state", 7)
  private static let attempts = Field<Int>("attempts", 8)
  private static let lacksFile = Field<Bool>("lacksFile", 28)
  private static let status = Field<Int>("status", 29)
  private static let answer = Field<String>("answer", 30)

  fileprivate init(_ row: Row) {
    account = UInt32(truncatingIfNeeded: row[Self.account] ?? 0)
    intent = RecordNumber(rawValue: UInt64(row[Self.intent] ?? 0))
    id = row[Self.item] ?? ""
    objectClass = row[Self.objectClass].flatMap(ObjectClass.init(rawValue:)) ?? .other
    state = row[Self.state].map { "\($0)" } ?? "none"
    attempts = row[Self.attempts] ?? 0
    lacksFile = row[Self.lacksFile] ?? false
    answer = (row[Self.status].map { "\($0) " } ?? "") + (row[Self.answer] ?? "")
  }
}

extension InboxHistory {
  /// Returns the object with each reference resolved to the content that the history's records hold
  /// there.
  fileprivate func resolved<Object: Model>(_ object: Object) -> Object {
    switch object {
    case var account as Account:
      account.unknownFields = resolved(account.unknownFields)
      return account as? Object ?? object
    case var thread as MailThread:
      thread.unknownFields = resolved(thread.unknownFields)
      return thread as? Object ?? object
    case var message as Message:
      message.unknownFields = resolved(message.unknownFields)
      message.body = resolved(message.body)
      return message as? Object ?? object
    case var draft as Draft:
      draft.unknownFields = resolved(draft.unknownFields)
      draft.body = resolved(draft.body)
      return draft as? Object ?? object
    default: return resolvedOther(object)
    }
  }

  private func resolvedOther<Object: Model>(_ object: Object) -> Object {
    switch object {
    case var tag as Tag:
      tag.unknownFields = resolved(tag.unknownFields)
      return tag as? Object ?? object
    case var contact as Contact:
      contact.unknownFields = resolved(contact.unknownFields)
      return contact as? Object ?? object
    case var file as Attachment:
      file.unknownFields = resolved(file.unknownFields)
      return file as? Object ?? object
    case var rich as RichMessage:
      rich.unknownFields = resolved(rich.unknownFields)
      rich.content = resolved(rich.content)
      rich.custom = resolved(rich.custom)
      rich.customKeys = resolved(rich.customKeys)
      rich.keys = resolved(rich.keys)
      return rich as? Object ?? object
    default: return object
    }
  }

  private func resolved(_ reference: TextReference?) -> TextReference? {
    guard let reference else { return nil }
    let content = content(of: reference) ?? Array("nothing is there".utf8)
    let resolved = TextReference(record: 0, field: 0, content: content.payloadBytes)
    guard resolved.digest == reference.digest else {
      return TextReference(record: 0, field: 1, digest: reference.digest)
    }
    return resolved
  }

  /// Returns the bytes of a field of a record.
  private func content(of reference: TextReference) -> [UInt8]? {
    let index = Int(reference.record.rawValue) - 1
    guard steps.indices.contains(index), let payload = steps[index].event?.payload else {
      return nil
    }
    var reader = PayloadReader(payload.payloadBytes)
    while let field = try? reader.next() {
      guard field.number == Int(reference.field) else { continue }
      return (try? field.byteArray) ?? (try? field.text).map { Array($0.utf8) }
    }
    return nil
  }
}
