import EventStore
import Tideline

/// A change that a person wanted of an object, and that was not so before: something must come of
/// it.
struct Promise: Hashable {
  /// What is to become of the object.
  enum Wanted: Hashable {
    case reading(Bool)
    case tags(added: Set<String>, removed: Set<String>)
    case deletion
    case making
  }

  /// The record of the intent.
  let intent: RecordNumber
  let name: ObjectName
  let wanted: Wanted
}

/// An operation of an account on a device.
struct OperationName: Hashable {
  let sender: Simulation.Sender
  let intent: RecordNumber
  let item: String
}

extension SimulatedDevice {
  /// Returns what an intent would change of what is shown, object by object.
  ///
  /// Drafts are left out: an intent about a draft may end another one.
  func changes(by event: any InboxEvent) throws -> [(name: ObjectName, wanted: Promise.Wanted)] {
    let all: [(name: ObjectName, wanted: Promise.Wanted)] =
      switch event {
      case let intent as MarkRead:
        intent.ids.map { (ObjectName(intent.objectClass, $0), .reading(intent.isRead)) }
      case let intent as ChangeTags:
        intent.ids.map {
          let wanted = Promise.Wanted.tags(
            added: Set(intent.added), removed: Set(intent.removed))
          return (ObjectName(intent.objectClass, $0), wanted)
        }
      case let intent as DeleteObjects:
        intent.ids.map { (ObjectName(intent.objectClass, $0), .deletion) }
      case let intent as MarkAll: try changes(by: intent)
      case let intent as SaveTag:
        intent.tag.id.map { [(ObjectName(.tag, $0), .making)] } ?? []
      case let intent as AddFile:
        intent.file.id.map { [(ObjectName(.file, $0), .making)] } ?? []
      default: []
      }
    return try all.filter { try has($0.wanted, $0.name) == false }
  }

  private func changes(
    by intent: MarkAll
  ) throws -> [(name: ObjectName, wanted: Promise.Wanted)] {
    let list =
      switch (intent.objectClass, intent.action) {
      case (.thread, _): ListName(InboxViews.threadsByTag, by: "unread", of: account)
      case (_, .read): ListName(InboxViews.unreadRich, of: account)
      default: ListName(InboxViews.allRich, of: account)
      }
    let wanted = intent.action == .read ? Promise.Wanted.reading(true) : .deletion
    return try store.views.rows(of: list, in: 0...).compactMap { row in
      let name = RichMessage.name(of: row.id)
      return name.map { (ObjectName(intent.objectClass, $0.id), wanted) }
    }
  }

  /// Whether an object is shown as somebody wants it.
  func has(_ wanted: Promise.Wanted, _ name: ObjectName) throws -> Bool {
    switch (wanted, name.objectClass) {
    case (.reading(let isRead), .thread):
      let tags = try object(MailThread.self, name.id)?.tagIDs ?? []
      return isRead ? tags.isDisjoint(with: ["unread", "unseen"]) : tags.contains("unread")
    case (.reading(let isRead), .message):
      return try object(Message.self, name.id)?.isUnread == !isRead
    case (.reading(let isRead), _):
      return try object(RichMessage.self, name.id)?.isRead == isRead
    case (.tags(let added, let removed), _):
      let tags = try object(MailThread.self, name.id)?.tagIDs ?? []
      return tags.isSuperset(of: added) && tags.isDisjoint(with: removed)
    case (.deletion, _): return try shows(name) == false
    case (.making, .file): return try object(Attachment.self, name.id) != nil
    case (.making, _): return try object(Tag.self, name.id) != nil
    }
  }
}
