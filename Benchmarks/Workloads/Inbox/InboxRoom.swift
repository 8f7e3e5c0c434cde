import BenchmarkHarness
import BenchmarkPeers
import EventStore
import Foundation
import Processes
import Tideline

/// The space that a large inbox takes on disk and in memory.
enum InboxRoom {
  private enum Goal {
    /// The maximum ratio of the bytes on disk to those of the JSON text.
    static let timesText = 2.2
    /// The maximum memory in KiB, without file pages.
    static let memory = 64.0 * 1024
  }

  private static let text = "JSON of a message's delta"
  private static let bytes = Metric.amount(unit: "B/message")

  static func cases(_ setting: Workload.Setting) -> [Case] {
    let mailbox = Mailbox(count: InboxSizes.largest(setting))
    let mail = InboxMail(mailbox: mailbox)
    let filled = Later { try await MailDesk.filled(mail, in: setting.folder, "room") }
    return [
      Case(text, [Claim(bytes)], isSlow: true) { _ in
        let sum = (0..<mailbox.count).reduce(0) { $0 + mail.json($1).utf8.count }
        return Sample(amount: Double(sum) / Double(mailbox.count))
      },
      part("log alone", "log", filled, mailbox, Claim(bytes)),
      part(
        "log and views", "", filled, mailbox,
        Claim(bytes, against: text, .ratioAtMost(Goal.timesText))),
      Case(
        "memory of a process with ten providers of \(grouped(mailbox.count)) messages",
        [Claim(.amount(unit: "KiB"), atMost: Goal.memory)], isSlow: true
      ) { _ in
        let printed = try Role.holdInbox.spawn(try await filled.value(), "\(mailbox.count)")
        return Sample(amount: Double(printed))
      },
    ]
  }

  private static func part(
    _ what: String, _ folder: String, _ filled: Later<String>, _ mailbox: Mailbox, _ claim: Claim
  ) -> Case {
    Case("disk, \(what), \(grouped(mailbox.count)) messages", [claim], isSlow: true) { _ in
      let bytes = MailDesk.bytes(of: "\(try await filled.value())/\(folder)")
      return Sample(amount: Double(bytes) / Double(mailbox.count))
    }
  }
}

extension Role {
  /// Opens ten providers, and prints the private memory of the process.
  static func holdInbox(_ folder: String, _ count: Int) async throws {
    let store = try await MailDesk.open(folder)
    let inbox = MailDesk.inbox(of: store)
    let providers = try mailProviders(of: inbox, count)
    let threads = try inbox.provider(
      MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)])
    let contacts = try inbox.provider(Contact.self, sort: [SortDescriptor(\.foldedName)])
    let files = try inbox.provider(Attachment.self, sort: [SortDescriptor(\.foldedFilename)])
    guard providers.contains(where: { !$0.start.list.isEmpty }) else {
      throw Failure(role: .holdInbox, end: .status(1))
    }
    withExtendedLifetime((providers, threads, contacts, files)) {
      print(ProcessFile("/proc/self/status").number(after: "RssAnon:").map(String.init) ?? "absent")
    }
    await store.close()
  }

  /// Returns providers of messages: unread, under five tags, and of a thread.
  private static func mailProviders(of inbox: Inbox, _ count: Int) throws -> [Provider<Message>] {
    let newestFirst = SortDescriptor(\Message.effectiveDate, order: .reverse)
    let unread = try inbox.provider(
      Message.self, where: #Predicate { $0.isUnread }, sort: [newestFirst])
    let tagged = try (0..<5).map { number in
      let tag = "tag-\(number)"
      return try inbox.provider(
        Message.self, where: #Predicate { $0.tagIDs.contains(tag) }, sort: [newestFirst])
    }
    let id: String? = InboxMail.text(Mailbox(count: count)[0].groupID)
    let thread = try inbox.provider(
      Message.self, where: #Predicate { $0.threadID == id },
      sort: [SortDescriptor(\Message.effectiveDate)])
    return [unread] + tagged + [thread]
  }
}
