import Foundation
import Testing
import Tideline

// ComingFromInboxKit.md begins
/// Shows one unread thread; shaken, it marks it as read and shows another.
struct EightBall {
  let inbox: Inbox

  func thread() throws -> MailThread? {
    try inbox.provider(
      MailThread.self, where: #Predicate { $0.isUnread },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)], window: 0..<1
    ).start.list.first
  }

  func shake() async throws -> String {
    if let thread = try thread() { try await inbox.perform(.markRead(thread)) }
    return try thread()?.subject ?? "All is read."
  }
}
// ComingFromInboxKit.md ends

@Suite(.timeLimit(.minutes(5))) struct EightBallTests {
  @Test func ball_saysOneThreadAfterAnother() async throws {
    try await SampleStore.withInbox { inbox in
      try await inbox.apply(
        Delivery { delivery in
          for (index, subject) in ["Lunch?", "Minutes", "Invoice"].enumerated() {
            var thread = MailThread(id: "t\(index)", account: inbox.account)
            thread.subject = subject
            thread.lastMessageDate = Date(timeIntervalSince1970: Double(index))
            thread.tagIDs = ["inbox", "unread"]
            delivery.add(thread)
          }
        })
      let ball = EightBall(inbox: inbox)
      var said = [try ball.thread()?.subject]
      for _ in 0..<3 { said.append(try await ball.shake()) }
      #expect(said == ["Invoice", "Minutes", "Lunch?", "All is read."])
    }
  }
}
