import BenchmarkPeers
import EventStore
import Testing

struct MailboxTests {
  /// An item as all peers see it.
  private struct Line: Hashable {
    let id, group: MailID
    let date: Int64
    let isUnread: Bool
    let tags: [UInt8]

    init(_ item: MailItem) {
      (id, group) = (item.id, item.groupID)
      (date, isUnread, tags) = (item.date, item.isUnread, [item.tags.0, item.tags.1])
    }
  }

  private func items(_ mailbox: Mailbox) -> [MailItem] { (0..<mailbox.count).map { mailbox[$0] } }

  @Test(arguments: [Mailbox.Order.random, .newestFirst])
  func items_haveTheShapeOfMail(order: Mailbox.Order) {
    let count = 30_000
    let items = items(Mailbox(count: count, order: order))
    #expect(Set(items.map(\.id)).count == count)
    #expect(items.filter(\.isUnread).count * 100 / count == 30)
    let groups = Set(items.map(\.group))
    #expect(groups.count * 100 / (count / 3) >= 90 && groups.allSatisfy { $0 < count / 3 })
    #expect(Set(items.map(\.groupID)).isDisjoint(with: items.map(\.id)))
    #expect(items.allSatisfy { $0.tags.0 != $0.tags.1 && max($0.tags.0, $0.tags.1) < 50 })
    // The dates span nearly three years.
    let days = Set(items.map { $0.date / 86_400_000 })
    #expect(days.count > 1000)
    #expect(items.map(Line.init) == self.items(Mailbox(count: count, order: order)).map(Line.init))
  }

  @Test func random_followsNoOrder() {
    let items = items(Mailbox(count: 30_000))
    let falls = zip(items, items.dropFirst()).filter { $0.date > $1.date }.count
    #expect((14_000...16_000).contains(falls))
    let near = zip(items, items.dropFirst()).filter { abs($0.group - $1.group) < 100 }.count
    #expect(near < 1000)
  }

  @Test func newestFirst_isMailsOrder() {
    let items = items(Mailbox(count: 30_000, order: .newestFirst))
    #expect(zip(items, items.dropFirst()).allSatisfy { $0.date >= $1.date })
    let groups = Dictionary(grouping: items, by: \.group).values
    let farthest = groups.map { $0[$0.count - 1].number - $0[0].number }.max() ?? 0
    #expect((10..<60).contains(farthest))
  }

  @Test func allUnread_isUnreadOnly() {
    let all = items(Mailbox(count: 1000, isAllUnread: true))
    #expect(all.count(where: { $0.isUnread }) == 1000)
    #expect(all.map(\.key) == items(Mailbox(count: 1000)).map(\.key))
  }

  @Test func payload_isInTheStoresCoding() throws {
    let mailbox = Mailbox(count: 1000)
    for item in items(mailbox) {
      let bytes = MailPayload().bytes(of: item)
      #expect(bytes.count == 250)
      let fields = try PayloadFields(decoding: bytes.span.bytes)
      #expect(fields[1] == .text(text(item.id)) && fields[2] == .text(text(item.groupID)))
      #expect(fields[3] == .integer(item.date) && fields[4] == .boolean(item.isUnread))
      let tags: PayloadValue = .bytes([item.tags.0, item.tags.1])
      #expect(fields[5] == tags)
      guard case .text(let subject)? = fields[6], case .text(let text)? = fields[7] else {
        Issue.record("no text")
        return
      }
      #expect(subject.utf8.count == 40 && text.utf8.count == 149 && text.hasPrefix(subject))
    }
  }

  @Test func ids_compareAsTheirTexts() {
    let ids = items(Mailbox(count: 1000)).map(\.id)
    #expect(
      ids.sorted().map(text) == ids.map(text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(ids.allSatisfy { text($0).utf8.count == 20 })
  }

  private func text(_ id: MailID) -> String { String(decoding: id.text, as: UTF8.self) }
}
