import Foundation
import Testing
import Tideline

// ComingFromInboxKit.md begins
/// Shows the newest thread of the inbox with its messages, to be archived, thrown away or starred.
struct Triage {
  enum Swipe { case left, right, up }
  let inbox: Inbox

  func card() throws -> (thread: MailThread, bodies: [String])? {
    let threads = try inbox.provider(
      MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") && !$0.isStarred },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)], window: 0..<1)
    guard let thread = threads.start.list.first else { return nil }
    let id: String? = thread.id
    let messages = try inbox.provider(
      Message.self, where: #Predicate { $0.threadID == id }, sort: [SortDescriptor(\.effectiveDate)]
    )
    return (thread, try messages.start.list.compactMap(\.body).compactMap(inbox.text))
  }

  func swipe(_ swipe: Swipe, _ thread: MailThread) async throws -> IntentReceipt {
    switch swipe {
    case .left: try await inbox.perform(.trash(thread), heldFor: .seconds(5))
    case .right: try await inbox.perform(.archive(thread), heldFor: .seconds(5))
    case .up: try await inbox.perform(.star(thread), heldFor: .seconds(5))
    }
  }
}
// ComingFromInboxKit.md ends

@Suite(.timeLimit(.minutes(5))) struct TriageTests {
  @Test func cards_areSwipedAway_andOneComesBack() async throws {
    try await SampleStore.withInbox { inbox in
      var told = Delivery()
      for number in 0..<3 {
        var thread = MailThread(id: "t\(number)", account: inbox.account)
        thread.lastMessageDate = Date(timeIntervalSince1970: Double(number))
        thread.tagIDs = ["inbox"]
        var message = Message(id: "m\(number)", account: inbox.account)
        message.threadID = thread.id
        told.add(thread)
        told.add(message, body: "<p>\(number)</p>")
      }
      try await inbox.apply(told)
      let triage = Triage(inbox: inbox)
      for (swipe, body) in [(Triage.Swipe.left, "<p>2</p>"), (.right, "<p>1</p>")] {
        let card = try #require(try triage.card())
        #expect(card.bodies == [body])
        _ = try await triage.swipe(swipe, card.thread)
      }
      let last = try #require(try triage.card())
      let receipt = try await triage.swipe(.up, last.thread)
      #expect(try triage.card() == nil)
      try await receipt.withdraw()
      #expect(try triage.card()?.bodies == ["<p>0</p>"])
    }
  }
}
