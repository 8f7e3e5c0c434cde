import EventStore
package import Tideline
package import TidelineSync

/// List filters.
extension MailServer {
  /// Whether an object passes all filters.
  package func passes(_ filters: [ServerFilter], _ name: ObjectName) -> Bool {
    filters.allSatisfy { filter in
      switch name.objectClass {
      case .thread: thread(name.id).map { passes(filter, $0) } ?? false
      case .message: message(name.id).map { passes(filter, $0) } ?? false
      default: false
      }
    }
  }

  private func passes(_ filter: ServerFilter, _ thread: ServedThread) -> Bool {
    switch filter {
    case .tag(let tag): thread.tags.contains(tagID(tag) ?? tag)
    case .unread(let flag): thread.tags.contains("unread") == flag
    case .starred(let flag): thread.tags.contains("starred") == flag
    case .thread(let id): thread.id == id
    case .address(let addresses):
      thread.items.contains { message($0)?.isWith(addresses) ?? false }
    case .since(let date): lastDate(of: thread) >= date.kept
    case .until(let date): lastDate(of: thread) <= date.kept
    }
  }

  private func passes(_ filter: ServerFilter, _ message: ServedMessage) -> Bool {
    switch filter {
    case .tag(let tag): message.tags.contains(tagID(tag) ?? tag)
    case .unread(let flag): message.isUnread == flag
    case .starred(let flag): message.tags.contains("starred") == flag
    case .thread(let id): message.thread == id
    case .address(let addresses): message.isWith(addresses)
    case .since(let date): message.date >= date.kept
    case .until(let date): message.date <= date.kept
    }
  }
}

extension ServedMessage {
  /// Whether any of the addresses is the sender's, a recipient's, or another person's.
  fileprivate func isWith(_ addresses: [String]) -> Bool {
    let people = people.values.joined().compactMap(\.email) + recipients + [sender]
    let own = Set(people.map { $0.lowercased() })
    return addresses.contains { own.contains($0.lowercased()) }
  }
}
