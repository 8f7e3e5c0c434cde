import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// One history under the three policies, and their differences: the table in the documents.
@Suite(.timeLimit(.minutes(5))) struct PolicyTests {
  private static let presets: [PolicySwitches] = [.inbox, .marketingCloud, .engage]

  @Test(.feature(81, 82, 89), .rule(20)) func policies_sideBySide() async throws {
    var answers: [[String]] = []
    for policy in Self.presets {
      try await TestDesk.withInbox(policy) { inbox, desk in
        answers.append(try await Self.history(inbox, desk, policy))
      }
    }
    let lines = Self.questions.indices.map { index in
      let cells = answers.map { $0[index] }
      return "| \(Self.questions[index]) | \(cells.joined(separator: " | ")) |"
    }
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let table = page.split(separator: "\n").filter { line in
      Self.questions.contains { line.hasPrefix("| \($0) |") }
    }
    #expect(table.map(String.init) == lines, "\(lines.joined(separator: "\n"))")
  }

  private static let page = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/Tideline/Tideline.docc/Features.md")

  private static let questions = [
    "A message that starts tomorrow is shown", "Its subject, once edited at the server",
    "Opened by a tap, a message is", "Marked as unread, it is",
    "Read here, and unread in a later answer", "The same, eleven minutes later",
    "Deleted here, and not so in a later answer", "The same, eleven minutes later still",
    "A thread whose messages were all read", "Left out of a whole answer, a message is",
    "Logged in again, what was read is", "Refreshed by hand again, at the soonest after",
  ]

  private static func history(
    _ inbox: Inbox, _ desk: TestDesk, _ policy: PolicySwitches
  ) async throws -> [String] {
    var answers: [String] = []
    try await tell(inbox, "m") { $0.startDateUtc = desk.now.addingTimeInterval(86_400) }
    answers.append(try inbox.rich.contents().messages.isEmpty ? "no" : "yes")
    for subject in ["as it was", "as it is"] {
      try await tell(inbox, "e") { $0.subject = subject }
    }
    answers.append(try inbox.object(RichMessage.self, "e")?.subject ?? "")
    answers.append(try await opening(inbox))
    answers.append(try await unreading(inbox))
    answers += try await contradicting(inbox, desk, isDeletion: false)
    answers += try await contradicting(inbox, desk, isDeletion: true)
    answers.append(try await coupling(inbox))
    answers.append(try await leavingOut(inbox))
    answers.append(try await loggingIn(inbox, policy))
    let interval = policy.refreshInterval
    answers.append(interval == .zero ? "no time" : "\(interval.components.seconds) s")
    return answers
  }
}

extension PolicyTests {
  private static func tell(
    _ inbox: Inbox, _ id: String, _ fill: (inout RichMessage) -> Void = { _ in }
  ) async throws {
    var message = RichMessage(id: id, account: inbox.account)
    fill(&message)
    let told = message
    try await inbox.apply(Delivery { $0.add(told) })
  }

  /// Returns whether a message is read.
  private static func state(_ id: String, in inbox: Inbox) throws -> String {
    try inbox.object(RichMessage.self, id)?.isRead == true ? "read" : "unread"
  }

  private static func opening(_ inbox: Inbox) async throws -> String {
    try await tell(inbox, "o")
    try await inbox.record(AlertOpened { $0.id = "o" })
    return try state("o", in: inbox)
  }

  private static func unreading(_ inbox: Inbox) async throws -> String {
    try await tell(inbox, "u") { $0.isRead = true }
    do {
      try await inbox.perform(.markUnread(RichMessage.self, ["u"]))
      return try state("u", in: inbox)
    } catch IntentError.unsupported {
      return "refused"
    }
  }

  /// Returns the states after the server contradicts its own acknowledgement, at once and later.
  private static func contradicting(
    _ inbox: Inbox, _ desk: TestDesk, isDeletion: Bool
  ) async throws -> [String] {
    let id = isDeletion ? "d" : "c"
    try await tell(inbox, id)
    let receipt =
      isDeletion ? try await inbox.rich.delete([id]) : try await inbox.rich.markRead([id])
    try await inbox.record(
      OperationAcknowledged { $0.intent = receipt.number }, at: desk.now)
    var answers: [String] = []
    for seconds in [0, 660] {
      desk.advance(by: Double(seconds))
      try await inbox.store.clockWasSet()
      try await tell(inbox, id) { $0.title = "at \(seconds)" }
      let message = try inbox.object(RichMessage.self, id)
      let isDeleted = message?.isDeleted == true ? "deleted" : "there"
      answers.append(isDeletion ? isDeleted : try state(id, in: inbox))
    }
    return answers
  }

  private static func coupling(_ inbox: Inbox) async throws -> String {
    try await inbox.tell(threads: ["t": ["inbox", "unread"]])
    var message = Message(id: "tm", account: inbox.account)
    (message.threadID, message.isUnread) = ("t", true)
    let told = message
    try await inbox.apply(Delivery { $0.add(told) })
    try await inbox.perform(.markRead(Message.self, ["tm"]))
    return try inbox.object(MailThread.self, "t")?.isUnread == true ? "unread" : "read"
  }

  private static func leavingOut(_ inbox: Inbox) async throws -> String {
    try await tell(inbox, "g")
    var whole = Delivery { $0.add(RichMessage(id: "w", account: inbox.account)) }
    whole.extent = .whole
    try await inbox.apply(whole)
    return try inbox.object(RichMessage.self, "g") == nil ? "gone" : "there"
  }

  private static func loggingIn(
    _ inbox: Inbox, _ policy: PolicySwitches
  ) async throws -> String {
    try await tell(inbox, "l") { $0.isRead = true }
    try await inbox.logOut(pending: .drop)
    try await inbox.store.logIn("alice@example.com", policy: policy)
    return try state("l", in: inbox)
  }
}
