import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import Tideline

/// A store trims its log by itself, and does nothing while idle.
@Suite(.timeLimit(.minutes(5))) struct InboxRetentionTests {
  private static func options(_ desk: TestDesk) -> InboxStore.Options {
    var options = desk.options
    var retention = Retention()
    (retention.age, retention.bytes) = (.seconds(10), 4096)
    options.retention = retention
    return options
  }

  /// Changes one thread often, and some others once.
  private static func fill(_ inbox: Inbox) async throws {
    try await PlantedInbox.plant(20, in: inbox, try TestDesk())
    for round in 0..<300 {
      try await inbox.tell(threads: ["a": ["inbox", round % 2 == 0 ? "unread" : "x"]])
    }
    try await inbox.perform(.markRead(Message.self, ["m7"]))
  }

  /// The visible state of an inbox.
  private struct Picture: Equatable {
    let messages: [Message]
    let threads: [MailThread]
    let drafts: [Draft]
    let texts: [String?]
    let operations: [OpenOperation]

    init(_ inbox: Inbox) throws {
      messages = try Array(inbox.provider(Message.self).start.list)
      threads = try Array(inbox.provider(MailThread.self).start.list)
      drafts = try Array(inbox.provider(Draft.self).start.list)
      let bodies = messages.map(\.body) + drafts.map(\.body)
      texts = try bodies.map { try $0.flatMap { try inbox.text($0) } }
      operations = try inbox.openOperations()
    }
  }

  @Test(.feature(97)) func old_isCompacted_andNothingSeenOfIt() async throws {
    let desk = try TestDesk()
    let store = try await InboxStore.open(at: desk.folder.path, options: Self.options(desk))
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    try await Self.fill(inbox)
    let before = try Picture(inbox)
    await store.close()
    desk.advance(by: 20)

    let again = try await InboxStore.open(at: desk.folder.path, options: Self.options(desk))
    let log = try again.core.log
    let list = try again.inbox(of: 1).provider(Message.self)
    while log.floor == .zero { try await Task.sleep(for: .milliseconds(5)) }
    #expect(try Picture(again.inbox(of: 1)) == before)
    #expect(list.start.list.map(\.id).count == 20)
    try await again.inbox(of: 1).tell(threads: ["b": ["inbox"]])
    let after = try Picture(again.inbox(of: 1))
    await again.close()
    #expect(try Log.check(at: desk.folder.path(of: "log")).isSound)

    try FileManager.default.removeItem(atPath: desk.folder.path(of: "views"))
    let rebuilt = try await InboxStore.open(at: desk.folder.path, options: Self.options(desk))
    #expect(try Picture(rebuilt.inbox(of: 1)) == after)
    #expect(try rebuilt.core.refused().isEmpty)
    await rebuilt.close()
  }

  @Test func nothing_isCompacted_whereNothingIsToBe() async throws {
    let desk = try TestDesk()
    var options = Self.options(desk)
    options.retention = nil
    for _ in 0..<2 {
      let store = try await InboxStore.open(at: desk.folder.path, options: options)
      try await Self.fill(try await store.logIn("alice@example.com", policy: .inbox))
      desk.advance(by: 20)
      #expect(try store.core.log.floor == .zero)
      await store.close()
    }
  }

  /// During a day of idle time the store neither reads the clock nor writes.
  ///
  /// Takes some seconds, because the last write comes a second after the last change.
  @Test func idleStore_doesNothing() async throws {
    let desk = try TestDesk()
    let looks = Mutex(0)
    let sleeps = Mutex(0)
    var options = desk.options
    options.now = {
      looks.withLock { $0 += 1 }
      return desk.now
    }
    options.sleep = { _ in
      sleeps.withLock { $0 += 1 }
      try await Task.sleep(for: .seconds(3600))
    }
    let store = try await InboxStore.open(at: desk.folder.path, options: options)
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    // The list is observed before it has content: the first screen holds what is observed when it
    // is written.
    let list = try inbox.provider(
      MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)])
    try await inbox.tell(threads: ["a": ["inbox", "unread"]])
    try await store.core.commitViews()
    // All work of opening and telling is over once the first screen shows everything: it is written
    // a second after the last change, and is the last write.
    let last = try store.core.log.last
    let name = ListName(InboxViews.threadsByTag, by: "inbox", of: 1)
    func shown() -> RecordNumber? {
      Store.firstScreen(at: desk.folder.path, reducer: InboxReducer(), of: name)?.number
    }
    while shown() != last { try await Task.sleep(for: .milliseconds(100)) }
    var files: [String] = []
    while try files != Self.files(desk) {
      files = try Self.files(desk)
      try await Task.sleep(for: .milliseconds(1200))
    }
    let before = looks.withLock { $0 }
    for _ in 0..<24 {
      desk.advance(by: 3600)
      try await Task.sleep(for: .milliseconds(10))
    }
    let left = try Self.files(desk)
    #expect(left == files, "\(Set(left).symmetricDifference(files))")
    #expect(looks.withLock { $0 } == before && sleeps.withLock { $0 } == 0)
    #expect(try inbox.provider(MailThread.self).start.list.map(\.id) == ["a"])
    list.end()
    await store.close()
  }

  /// Returns the time and size of each file.
  private static func files(_ desk: TestDesk) throws -> [String] {
    let names = FileManager.default.enumerator(atPath: desk.folder.path)?.allObjects ?? []
    return try names.compactMap { $0 as? String }.sorted().map { name in
      let attributes = try FileManager.default.attributesOfItem(
        atPath: desk.folder.path(of: name))
      return "\(name) \(attributes[.modificationDate] ?? "") \(attributes[.size] ?? "")"
    }
  }
}
