import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// The code on the first page, and on the pages about pushes and retention.
@Suite(.timeLimit(.minutes(5))) struct PagesTests {
  /// Passes on the ids of each list that it is given.
  private struct Table: Sendable {
    let continuation: AsyncStream<[String]>.Continuation
    func apply(_ change: ProviderChange<MailThread>) {
      continuation.yield(change.list.map(\.id))
    }
  }

  @Test func firstPage_showsAList() async throws {
    let parent = try TemporaryFolder()
    let folder = parent.path
    let (lists, continuation) = AsyncStream<[String]>.makeStream()
    let showing = Task { try await show(folder, in: Table(continuation: continuation)) }
    for await list in lists {
      #expect(list == ["t1"])
      break
    }
    showing.cancel()
    try await showing.value
  }

  private func show(_ folder: String, in table: Table) async throws {
    // Tideline.md begins
    let store = try await InboxStore.open(at: folder)
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    let unread = try inbox.provider(
      MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") && $0.isUnread },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)], window: 0..<50)
    // Tideline.md ends
    var thread = MailThread(id: "t1", account: inbox.account)
    thread.tagIDs = ["inbox", "unread"]
    let told = thread
    try await inbox.apply(Delivery { $0.add(told) })
    // Tideline.md begins
    for await change in unread.changes { table.apply(change) }
    // Tideline.md ends
    await store.close()
  }

  @Test func plan_explainsItself() throws {
    // Tideline.md begins
    let plan = try QueryPlan<MailThread>(
      where: #Predicate { $0.tagIDs.contains("inbox") && $0.isUnread },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)])
    print(plan.explanation)
    // Tideline.md ends
    #expect(plan.explanation.contains("tagIDs intersects [\"inbox\"]"))
  }

  @Test func retention_isSet() async throws {
    let parent = try TemporaryFolder()
    let folder = parent.path
    // Keeping.md begins
    var options = InboxStore.Options()
    options.retention?.age = .seconds(7 * 86_400)  // a week
    options.retention?.bytes = 16 << 20  // 16 MB
    let store = try await InboxStore.open(at: folder, options: options)
    // Keeping.md ends
    #expect(options.retention?.bytes == 16 << 20)
    await store.close()
  }

  private struct Content { let userInfo: [AnyHashable: Any] }

  @Test func pushes_comeThreeWays() async throws {
    try await SampleStore.withInbox(.marketingCloud) { inbox in
      let store = inbox.store
      let (folder, logs) = (try TemporaryFolder(), try TemporaryFolder())
      let spoolPath = folder.path(of: "spool")
      let log = try await Log.open(at: logs.path)
      let userInfo: [AnyHashable: Any] = ["_sid": "SFMC", "_mt": "8", "_m": "r1"]
      let content = Content(userInfo: userInfo)
      // Pushes.md begins
      // In an extension: without a lock, and without the log.
      let spool = try Spool(at: spoolPath)
      let left = try spool.receive(PushPayload(content.userInfo), by: .marketingCloud)

      // In the application: what it brings is shown at once.
      let shown = try await store.receive(PushPayload(userInfo), by: .marketingCloud)

      // In any other process that has the log.
      let kept = try await log.receive(PushPayload(userInfo), by: .marketingCloud)
      // Pushes.md ends
      #expect([left, shown, kept].allSatisfy { $0.isRecorded })
      #expect(try inbox.rich.contents().messages.map(\.id) == ["r1"])
      await log.close()
    }
  }
}
