import EventStore
import Testing
import Tideline
import TidelineSimulator

/// A mailbox filled with mail that people could have written.
@Suite struct FillingTests {
  private static let start = Timestamp(rawValue: 1_600_000_000_000)
  private static let end = Timestamp(rawValue: 1_700_000_000_000)

  private func mailbox(_ count: Int, seed: UInt64) -> MailServer {
    let server = MailServer(at: Self.start, seed: seed)
    var dice = Dice(seed: seed)
    server.fill(threads: count, from: Self.start, to: Self.end, using: &dice)
    return server
  }

  /// All objects, in the order in which the server reports them.
  private func content(_ server: MailServer) throws -> [ObjectFact] {
    try server.changes(since: "c0", limit: .max).facts
  }

  @Test func sameSeed_sameMailbox() throws {
    let first = try content(mailbox(200, seed: 1)).map(\.fields)
    #expect(try content(mailbox(200, seed: 1)).map(\.fields) == first)
    #expect(try content(mailbox(200, seed: 2)).map(\.fields) != first)
  }

  @Test(arguments: [0, 1, 400]) func mailbox_isFull(count: Int) throws {
    let server = mailbox(count, seed: 3)
    #expect(server.order(of: .draft).count == count / 200)
    #expect(server.order(of: .thread).count == count + count / 200)
    let messages = server.order(of: .message).compactMap { server.message($0.id) }
    #expect(messages.count >= count && messages.allSatisfy { $0.date < Self.end })
    #expect(server.now == Self.end)
  }

  @Test func mailbox_isLikeAPersons() throws {
    let server = mailbox(1000, seed: 4)
    let messages = server.order(of: .message).compactMap { server.message($0.id) }
    let unread = messages.filter(\.isUnread)
    #expect((20...200).contains(unread.count * 1000 / messages.count))
    #expect(
      unread.filter { $0.date > Timestamp(rawValue: 1_690_000_000_000) }.count > unread.count / 2)
    let latest = try #require(server.order(of: .thread).dropFirst(10).first?.id)
    #expect(server.thread(latest)?.tags.contains("inbox") == true)
    let tags = server.order(of: .thread).compactMap { server.thread($0.id)?.tags }
    for tag in ["inbox", "archive", "unread", "starred", "sent"] {
      #expect((1..<1000).contains(tags.filter { $0.contains(tag) }.count), "\(tag)")
    }
    #expect(Set(messages.map(\.subject)).count > 100 && messages.contains { !$0.files.isEmpty })
    #expect(messages.allSatisfy { $0.snippet?.isEmpty == false && $0.date.rawValue % 1000 == 0 })
    for thread in server.order(of: .thread).compactMap({ server.thread($0.id) }) {
      let isUnread = thread.items.contains { server.message($0)?.isUnread == true }
      #expect(thread.tags.contains("unread") == isUnread)
    }
  }

  @Test func laterMail_hasIDsOfItsOwn() {
    let server = mailbox(5, seed: 5)
    server.skipIDs(to: 1_000_000)
    #expect(server.receive("a", from: "a@x.com", in: nil) == "mlflu")
  }

  @Test func richInbox_isFull() throws {
    func inbox(_ seed: UInt64) -> RichServer {
      let server = RichServer(.engage, at: Self.start, seed: seed)
      var dice = Dice(seed: seed)
      server.fill(300, from: Self.start, to: Self.end, using: &dice)
      return server
    }
    let server = inbox(1)
    #expect((200..<300).contains(server.active.count))
    let subjects = server.active.compactMap { server.message($0)?.subject }
    #expect(inbox(1).active.compactMap { server.message($0)?.subject } == subjects)
    #expect(Set(subjects).count > 20 && inbox(2).active != server.active)
  }

  @Test func lifelikeWorld_hasLettersCome() throws {
    let server = mailbox(5, seed: 6)
    let world = World(mail: server, isLifelike: true)
    var dice = Dice(seed: 6)
    for _ in 0..<50 { _ = world.step(using: &dice) }
    let latest = server.order(of: .message).compactMap { server.message($0.id) }
      .filter { $0.date == Self.end }
    #expect(!latest.isEmpty && latest.contains { $0.snippet != nil })
  }
}
