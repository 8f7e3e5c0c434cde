import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// The steps of the page, one after another in one store.
@Suite(.timeLimit(.minutes(5))) struct GettingStartedTests {
  @Test func steps_doWhatThePageSays() async throws {
    let folder = try TemporaryFolder()
    let (store, inbox) = try await open(folder.path(of: "inbox"))
    let thread = try await apply(to: inbox)
    try await show(inbox)
    try await perform(in: inbox, thread)
    #expect(try inbox.object(MailThread.self, "t1")?.isUnread == false)
    try await follow(inbox, thread)
    #expect(try inbox.object(MailThread.self, "t1")?.tagIDs == ["inbox"])
    try await receive(into: store, inbox)
    #expect(try inbox.rich.contents().messages.map(\.isRead) == [true])
    try await spool(folder.path(of: "inbox/spool"))
    try await suspend(store)
    #expect(try inbox.rich.contents().allCount == 2)
    try await leave(store, inbox)
  }

  private func open(_ folder: String) async throws -> (InboxStore, Inbox) {
    // GettingStarted.md begins
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let store = try await InboxStore.open(at: folder)
    // GettingStarted.md ends
    // GettingStarted.md begins
    let present = try store.accounts.first { $0.isLoggedIn }
    let inbox =
      if let present { store.inbox(of: present.account) } else {
        try await store.logIn("alice@example.com", policy: .inbox)
      }
    // GettingStarted.md ends
    return (store, inbox)
  }

  private func apply(to inbox: Inbox) async throws -> MailThread {
    // GettingStarted.md begins
    var thread = MailThread(id: "t1", account: inbox.account)
    thread.subject = "Lunch?"
    thread.lastMessageDate = Date()
    thread.tagIDs = ["inbox", "unread"]

    var message = Message(id: "m1", account: inbox.account)
    message.threadID = "t1"
    message.subject = "Lunch?"
    message.from = [Participant(name: "Bob", email: "bob@example.com")]
    message.isUnread = true

    try await inbox.apply(
      Delivery { delivery in
        delivery.add(thread)
        delivery.add(message, body: "<p>At one?</p>")
        delivery.delete(MailThread.self, "t0")
        delivery.setCursor("a9", of: "deltas")
      })
    // GettingStarted.md ends
    return thread
  }

  private func show(_ inbox: Inbox) async throws {
    // GettingStarted.md begins
    let unread = try inbox.provider(
      MailThread.self,
      where: #Predicate { $0.tagIDs.contains("inbox") && $0.isUnread },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)], window: 0..<50)

    print(unread.start.list.map { $0.subject ?? "" }, unread.start.count ?? 0)
    let changes = unread.changes
    Task {
      for await change in changes {
        if change.set.isReset { print("replaced by", change.list.count, "rows") }
        for removal in change.set.edits.removals { print("gone: row", removal.index) }
        for insertion in change.set.edits.insertions {
          print("new: row", insertion.index, change.list[insertion.index].subject ?? "")
        }
      }
    }
    // GettingStarted.md ends
    #expect(unread.start.list.map(\.subject) == ["Lunch?"])
    // GettingStarted.md begins
    let found = try inbox.object(Message.self, "m1")
    if let body = found?.body { print(try inbox.text(body) ?? "") }
    Task {
      for await message in try inbox.watch(Message.self, "m1") { print(message?.isUnread ?? false) }
    }
    // GettingStarted.md ends
    #expect(try found?.body.flatMap(inbox.text) == "<p>At one?</p>")
  }

  private func perform(in inbox: Inbox, _ thread: MailThread) async throws {
    // GettingStarted.md begins
    try await inbox.perform(.markRead(thread))
    try await inbox.perform(.markAllRead(MailThread.self, tag: "inbox"))

    var draft = Draft(id: inbox.newID(), account: inbox.account)
    draft.to = [Participant(email: "bob@example.com")]
    draft.subject = "Lunch?"
    try await inbox.perform(.save(draft, body: "<p>At one.</p>"))
    try await inbox.perform(.send(draft))
    // GettingStarted.md ends
    #expect(try inbox.object(Draft.self, draft.id)?.state == .sending)
  }

  private func follow(_ inbox: Inbox, _ thread: MailThread) async throws {
    // GettingStarted.md begins
    let receipt = try await inbox.perform(.archive(thread), heldFor: .seconds(5))
    try await receipt.withdraw()
    print(try receipt.isSettled, try inbox.openOperations().map(\.kind))
    // GettingStarted.md ends
    #expect(try receipt.isSettled)
  }

  private func receive(into store: InboxStore, _ inbox: Inbox) async throws {
    let userInfo: [AnyHashable: Any] = [
      "_sid": "SFMC", "_mt": "8", "_m": "r1", "aps": ["alert": "Hi"],
    ]
    let response = (actionIdentifier: "com.apple.UNNotificationDefaultActionIdentifier", ())
    // GettingStarted.md begins
    // In the app.
    let push = try await store.receive(PushPayload(userInfo), by: .marketingCloud)

    // In the app, for what the person did with it.
    let opened = try PushResponse(PushPayload(userInfo), action: response.actionIdentifier)
    try await store.receive(opened, by: .marketingCloud)
    // GettingStarted.md ends
    #expect(push.kind == .message)
    try await inbox.rich.markRead(["r1"])
    let (numbers, continuation) = AsyncStream<Int>.makeStream()
    let setBadge: @Sendable (Int) -> Void = { continuation.yield($0) }
    // GettingStarted.md begins
    Task {
      for await number in try inbox.badge() { setBadge(number) }
    }
    Task {
      for await notice in inbox.notices {
        if case .newRichMessages(let ids) = notice { print(ids.count, "new") }
      }
    }
    // GettingStarted.md ends
    for await number in numbers {
      #expect(number == 0)
      break
    }
  }

  /// The content given to a notification service.
  private struct Content { let userInfo: [AnyHashable: Any] }

  private func spool(_ spoolPath: String) async throws {
    let content = Content(userInfo: ["_sid": "SFMC", "_mt": "8", "_m": "r2"])
    // GettingStarted.md begins
    // In an extension of it, which holds no lock. Blocks for the disk.
    let spool = try Spool(at: spoolPath)
    let push = try spool.receive(PushPayload(content.userInfo), by: .marketingCloud)
    // GettingStarted.md ends
    #expect(push.isRecorded)
  }

  private func suspend(_ store: InboxStore) async throws {
    // GettingStarted.md begins
    await store.suspend()  // Before the system suspends the app: it may hold no lock then.
    try await store.resume()  // By a push too. Providers are told what happened meanwhile.
    try await store.clockWasSet()  // Where the system says so; it is noticed later anyway.
    // GettingStarted.md ends
  }

  private func leave(_ store: InboxStore, _ inbox: Inbox) async throws {
    // GettingStarted.md begins
    try await inbox.logOut(pending: .hold)
    await store.close()
    // GettingStarted.md ends
    #expect(throws: StoreError.self) { try inbox.profile }
  }
}
