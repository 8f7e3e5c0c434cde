import EventStore
import Tideline
package import TidelineSimulator

/// What the servers have, for who compares a client with it.
extension Router {
  /// A line for each object, all in the order of their bytes: what it is, its id, and what changes.
  ///
  ///     draft m9 2
  ///     message m1 unread
  ///     message m2 read
  ///     rich r1 read
  ///     tag inbox inbox
  ///     thread t1 4 archive,starred
  ///
  /// Of threads and drafts it is the version that stands there, behind that of threads the ids of
  /// their tags. Of a rich message that was deleted there is no line, nor of one that is over.
  package var state: String {
    (mailLines + richLines).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .map { $0 + "\n" }.joined()
  }

  /// How many messages the mail has that are no drafts.
  package var messageCount: Int { mail?.order(of: .message).count ?? 0 }

  /// What the servers did because they were asked to.
  package var deeds: [Deed] { (mail?.deeds ?? []) + (rich?.deeds ?? []) }

  private var mailLines: [String] {
    guard let mail else { return [] }
    return MailServer.classes.flatMap { objectClass in
      mail.order(of: objectClass).map { line(ObjectName(objectClass, $0.id), in: mail) }
    }
  }

  private func line(_ name: ObjectName, in mail: MailServer) -> String {
    let start = "\(name.objectClass) \(name.id)"
    return switch name.objectClass {
    case .thread: "\(start) \(mail.thread(name.id).map(\.stateText) ?? "")"
    case .message: "\(start) \(mail.message(name.id)?.isUnread == true ? "unread" : "read")"
    case .draft: "\(start) \(mail.message(name.id)?.version ?? 0)"
    case .tag: "\(start) \(mail.tagName(name.id) ?? "")"
    default: start
    }
  }

  /// The messages that are active, as every visitor has them.
  private var richLines: [String] {
    guard let rich else { return [] }
    let visitors = Set(rich.visitors.values.map(rich.keeper))
    return rich.active.flatMap { id in
      visitors.compactMap { visitor -> String? in
        let (isRead, isDeleted) = rich.isDone(id, by: visitor)
        let name = visitors.count > 1 ? " \(visitor.device)/\(visitor.login)" : ""
        return isDeleted ? nil : "rich \(id) \(isRead ? "read" : "unread")\(name)"
      }
    }
  }
}

extension ServedThread {
  fileprivate var stateText: String {
    ([String(version)] + (tags.isEmpty ? [] : [tags.sorted().joined(separator: ",")]))
      .joined(separator: " ")
  }
}
