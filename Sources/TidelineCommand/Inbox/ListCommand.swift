import EventStore
import Foundation
import Tideline

/// `tideline list`: shows the objects of an inbox.
struct ListCommand: InboxCommand {
  static let usage = Usage(
    name: "list", folders: ["FOLDER"], numbers: ["--limit": 1...100_000], texts: ["--of": "KIND"])
  static let help = """
    Lists the objects of each inbox in FOLDER, one per line with the id at the end: newest first,
    tags and contacts by name. If several accounts are logged in, the account and the id are shown,
    as in threads/2/t1, by which other commands find the object. It opens the store as an app does,
    and records what an extension left for it: to look without changing anything, use `tideline at`.

      --of KIND   threads (default), unread, messages, rich, drafts, tags or contacts
      --limit N   list at most N objects of each inbox (default 20)

    Examples:
      tideline list inbox
      tideline list inbox --of rich --limit 5
    """

  let folder: String
  private let kind: String
  private let limit: Int

  init(_ arguments: Arguments) {
    folder = arguments.folders[0]
    kind = arguments.text("--of") ?? "threads"
    limit = Int(arguments.number("--limit") ?? 20)
  }

  func check() throws(Mistake) {
    guard Self.kinds.contains(kind) else {
      throw Mistake(
        "tideline list: unknown kind '\(kind)'. --of takes \(Self.kinds.joined(separator: ", ")).")
    }
  }

  func run(in store: InboxStore) async throws -> ExitStatus {
    var output = Output()
    let inboxes = try store.inboxes
    for inbox in inboxes {
      for object in try objects(of: inbox) {
        let found = FoundObject(inbox: inbox, object: object)
        let name = inboxes.count > 1 ? found.name : nil
        try output.line(ObjectLine(object, named: name).line)
      }
    }
    try output.flush()
    return .done
  }

  private static let kinds = [
    "threads", "unread", "messages", "rich", "drafts", "tags", "contacts",
  ]

  private func objects(of inbox: Inbox) throws -> [any Model] {
    switch kind {
    case "threads": try list(inbox, MailThread.self, by: \.effectiveDate, nil)
    case "unread":
      try list(inbox, MailThread.self, by: \.effectiveDate, #Predicate { $0.isUnread })
    case "messages": try list(inbox, Message.self, by: \.effectiveDate, nil)
    case "drafts": try list(inbox, Draft.self, by: \.effectiveDate, nil)
    case "rich": try inbox.rich.contents(window: 0..<limit).messages.map { $0 }
    case "tags": try list(inbox, Tag.self, by: \.foldedName, order: .forward, nil)
    case "contacts": try list(inbox, Contact.self, by: \.foldedName, order: .forward, nil)
    default: []
    }
  }

  private func list<Object: Model, Key: Comparable & Sendable>(
    _ inbox: Inbox, _ type: Object.Type, by key: any KeyPath<Object, Key> & Sendable,
    order: SortOrder = .reverse, _ predicate: Predicate<Object>?
  ) throws -> [any Model] {
    let provider = try inbox.provider(
      type, where: predicate, sort: [SortDescriptor(key, order: order)], window: 0..<limit,
      counts: false)
    defer { provider.end() }
    return provider.start.list.map { $0 }
  }
}
