import EventStore
import Tideline
package import TidelineSimulator

/// The state of the servers, for comparison with a client.
extension Router {
  /// One line per object, sorted by bytes: its class, its id, and its changeable state.
  ///
  ///     draft m9 2
  ///     message m1 unread
  ///     message m2 read
  ///     rich r1 read
  ///     tag inbox inbox
  ///     thread t1 4 archive,starred
  ///
  /// Threads and drafts show their version, and threads the ids of their tags after it. Deleted and
  /// expired rich messages have no line.
  package var state: String {
    (mailLines + richLines).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .map { $0 + "\n" }.joined()
  }

  /// The number of messages in the mail server, without drafts.
  package var messageCount: Int { mail?.order(of: .message).count ?? 0 }

  /// The operations that the servers performed on request.
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

  /// The lines of active messages, for every visitor.
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
