import EventStore
import TestSupport
import Tideline

/// Records of all kinds about one object, with planted texts.
struct PlantedRecords {
  let name: ObjectName
  let inbox: Inbox
  /// Whether headers name the objects that their records are about.
  var isNamed = true

  private static let text = PlantedInbox.mark + "text"

  /// Records all events, and outcomes of the intents among them.
  func plant() async throws {
    for event in facts + own { try await plantOutcomes(of: try await record(event), item: nil) }
    for event in shared { try await plantOutcomes(of: try await record(event), item: name.id) }
    let refused: [(ObjectClass?, String?)] = [
      (name.objectClass, name.id), (name.objectClass, nil), (nil, name.id),
    ]
    for (objectClass, id) in refused {
      try await record(
        ItemRefused {
          ($0.objectClass, $0.id, $0.reason) = (objectClass, id, Self.text)
          $0.content = EventBytes(Array(Self.text.utf8))
        })
    }
  }

  /// Records outcomes of an intent: the server's answers, and the requests sent.
  func plantOutcomes(of intent: RecordNumber, item: String?) async throws {
    try await record(
      OperationStarted {
        ($0.intent, $0.item, $0.task) = (intent, item, Self.text)
        $0.body = EventBytes(Array(Self.text.utf8))
      })
    try await record(
      OperationDeferred { ($0.intent, $0.item, $0.error) = (intent, item, Self.text) })
    try await record(
      OperationUncertain { ($0.intent, $0.item, $0.error) = (intent, item, Self.text) })
    try await record(
      OperationRejected { ($0.intent, $0.item, $0.error) = (intent, item, Self.text) })
  }

  /// Records an event of the account.
  @discardableResult
  func record(_ event: any InboxEvent) async throws -> RecordNumber {
    guard isNamed else { return try await inbox.record(event) }
    let login = Login(account: inbox.account, epoch: 1)
    let receipt = try inbox.record([event], for: login, durability: .relaxed)
    return try await receipt.durable().lowerBound
  }

  /// A server's facts about the object, by its id and by the new one it gets.
  private var facts: [any InboxEvent] {
    let new = "\(name.id)-again"
    return [
      fact(name.id),
      IDReplaced { ($0.objectClass, $0.old, $0.new) = (name.objectClass, name.id, new) },
      fact(new),
    ]
  }

  private func fact(_ id: String) -> ObjectFact {
    var fields = fields(id)
    fields.put(.change, ObjectChange.whole)
    return ObjectFact(name.objectClass, fields)
  }

  private func fields(_ id: String) -> ObjectFields {
    ObjectFields {
      $0.put(.id, id)
      switch name.objectClass {
      case .file: $0.put(.filename, Self.text)
      case .tag, .contact: $0.put(.name, Self.text)
      default:
        $0.put(.subject, Self.text)
        $0.put(.body, Self.text)
      }
    }
  }

  /// Events about this object alone.
  private var own: [any InboxEvent] {
    let (objectClass, id) = (name.objectClass, name.id)
    let all: [any InboxEvent] = [
      MarkRead { ($0.objectClass, $0.ids) = (objectClass, [id]) },
      ChangeTags { ($0.objectClass, $0.ids) = (objectClass, [id, id]) },
      DeleteObjects { ($0.objectClass, $0.ids) = (objectClass, [id]) },
      MessageOpened { ($0.objectClass, $0.id, $0.requestID) = (objectClass, id, Self.text) },
      MessageDownloaded { ($0.objectClass, $0.id, $0.requestID) = (objectClass, id, Self.text) },
    ]
    return all + special
  }

  /// Events that only objects of this class have.
  private var special: [any InboxEvent] {
    let id = name.id
    return switch name.objectClass {
    case .rich:
      [
        AlertArrived { $0.message = fields(id) },
        AlertOpened { ($0.id, $0.action) = (id, Self.text) },
      ]
    case .draft:
      [
        SaveDraft { $0.draft = fields(id) },
        SendDraft { ($0.id, $0.messageID) = (id, Self.text) },
        DeleteDraft { $0.id = id },
      ]
    case .tag: [SaveTag { $0.tag = fields(id) }]
    case .file:
      [
        AddFile { ($0.file, $0.content, $0.draft) = (fields(id), Self.text, "d9") },
        ContentStored { ($0.id, $0.content) = (id, Self.text) },
      ]
    default: []
    }
  }

  /// Events about this object and others.
  private var shared: [any InboxEvent] {
    let (objectClass, ids) = (name.objectClass, ["other", name.id])
    let all: [any InboxEvent] = [
      MarkRead { ($0.objectClass, $0.ids) = (objectClass, ids) },
      ChangeTags { ($0.objectClass, $0.ids) = (objectClass, ids) },
      DeleteObjects { ($0.objectClass, $0.ids) = (objectClass, ids) },
      MarkAll { $0.objectClass = objectClass },
    ]
    guard objectClass == .draft else { return all }
    let file = ObjectFields { $0.put(.id, "f9") }
    return all + [AddFile { ($0.file, $0.draft) = (file, name.id) }]
  }
}
