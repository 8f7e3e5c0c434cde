import EventStore
import Foundation
import Tideline
import TidelineServer
import TidelineSync

/// The final comparison.
extension DemoStage {
  /// Compares the views with the log, and the inboxes with the servers.
  func verify(_ store: InboxStore, _ cast: DemoCast) async throws -> ExitStatus {
    try title("At the end")
    try await cast.catchUp()
    let verification = try await store.verify()
    let here = try InboxState(cast).lines
    let there = Set(server.withRouter { router, _ in router.state }.split(separator: "\n"))
    let differing = here.symmetricDifference(there.map(String.init))
    try tell(
      verification.line,
      differing.isEmpty
        ? "client equals server in \(here.count) objects"
        : "client differs from server: \(differing.sorted().prefix(5))")
    return verification.isSound && differing.isEmpty ? .done : .failed
  }
}

/// The content of inboxes, in the same form as the servers' state.
struct InboxState {
  private(set) var lines: Set<String> = []

  init(_ cast: DemoCast) throws {
    let mail = cast.mail.inbox
    try add(MailThread.self, of: mail) { thread in
      let tags = thread.tagIDs.sorted().joined(separator: ",")
      return "thread \(thread.id) \(thread.version ?? 0)\(tags.isEmpty ? "" : " \(tags)")"
    }
    try add(Message.self, of: mail) { "message \($0.id) \($0.isUnread ? "unread" : "read")" }
    try add(Draft.self, of: mail) { "draft \($0.id) \($0.version ?? 0)" }
    try add(Tag.self, of: mail) { "tag \($0.id) \($0.name)" }
    try add(Contact.self, of: mail) { "contact \($0.id)" }
    try add(Attachment.self, of: mail) { "file \($0.id)" }
    try add(RichMessage.self, of: cast.rich.inbox) {
      $0.isDeleted || !$0.isActive ? nil : "rich \($0.id) \($0.isRead ? "read" : "unread")"
    }
  }

  private mutating func add<Object: Model>(
    _ type: Object.Type, of inbox: Inbox, _ line: (Object) -> String?
  ) throws {
    let provider = try inbox.provider(type, window: 0..<Int.max, counts: false)
    defer { provider.end() }
    lines.formUnion(provider.start.list.compactMap(line))
  }
}
