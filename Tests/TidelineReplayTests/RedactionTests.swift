import EventStore
import InboxHistories
import TestSupport
import Testing
import Tideline
import TidelineReplay

/// A redacted log gives the same lists, and holds none of the original texts.
@Suite struct RedactionTests {
  private static let collections = [
    Account.collection, MailThread.collection, Message.collection, Tag.collection,
    Contact.collection, Attachment.collection, RichMessage.collection, Operations.collection,
  ]

  /// Views of all rows, and of all rows by name or subject.
  private static let views =
    collections.map { ViewDefinition("all \($0.name)", of: $0) } + [
      named("subjects", MailThread.collection, "foldedSubject"),
      named("messages' subjects", Message.collection, "foldedSubject"),
      named("names", Contact.collection, "foldedName"),
    ]

  private static func named(
    _ name: String, _ collection: RowCollection, _ field: String
  ) -> ViewDefinition {
    let number = collection.field(named: field)?.number ?? 0
    return ViewDefinition(
      name, of: collection, orderedBy: [Field<String>(field, number).ascending])
  }

  /// The built-in views with one group for each account.
  private static let byAccount = [
    InboxViews.unreadInbox, InboxViews.unreadMessages, InboxViews.drafts, InboxViews.contacts,
    InboxViews.tags, InboxViews.files, InboxViews.allRich, InboxViews.unreadRich,
    InboxViews.deletedRich,
  ]

  /// Takes a second or two: both logs of each history are folded and compared at many records.
  @Test func redacted_comesToTheSameLists() async throws {
    for seed in Campaign.seeds(12, long: 400) {
      let pair = try await RedactedHistory(seed: seed, count: 250)
      let reducer = InboxReducer(views: Self.views)
      let (here, there) = (
        try Replay(pair.log, reducer: reducer, at: 0),
        try Replay(pair.redacted, reducer: reducer, at: 0)
      )
      for number in stride(from: 10, through: pair.history.last.rawValue, by: 10) {
        try here.advance(to: RecordNumber(rawValue: number))
        try there.advance(to: RecordNumber(rawValue: number))
        try Self.compare(here, there, pair, "seed \(seed), #\(number)")
      }
      #expect(
        try here.refused().map(\.number) == there.refused().map(\.number), "seed \(seed)")
      await pair.end()
    }
  }

  private static func compare(
    _ here: Replay, _ there: Replay, _ pair: RedactedHistory, _ comment: Comment
  ) throws {
    for view in views {
      let rows = try here.views.rows(of: ListName(view.name), in: 0...)
      let others = try there.views.rows(of: ListName(view.name), in: 0...)
      let isOperations = view.name.hasSuffix("operations")
      let expected = rows.map { isOperations ? $0.id : pair.row($0.id) }
      let found = others.map(\.id)
      #expect(
        isOperations ? expected.count == found.count : expected == found,
        "\(comment): \(view.name)")
    }
    for account in UInt32(1)...3 {
      for view in byAccount {
        let list = ListName(view, of: account)
        let expected = try here.views.rows(of: list, in: 0...).map { pair.row($0.id) }
        let found = try there.views.rows(of: list, in: 0...).map(\.id)
        #expect(expected == found, "\(comment): \(view) of \(account)")
      }
      try compareTags(here, there, pair, account, comment)
    }
  }

  private static func compareTags(
    _ here: Replay, _ there: Replay, _ pair: RedactedHistory, _ account: UInt32,
    _ comment: Comment
  ) throws {
    let groups =
      InboxNames.threadTags.map { (InboxViews.threadsByTag, $0) }
      + InboxNames.tags.map { (InboxViews.messagesByTag, $0) }
      + InboxNames.threads.map { (InboxViews.messagesOfThread, $0) }
    for (view, group) in groups {
      let other = pair.pseudonyms.pseudonym(of: group, .ordered)
      let expected = try here.views.rows(of: ListName(view, by: group, of: account), in: 0...)
        .map { pair.row($0.id) }
      let found = try there.views.rows(of: ListName(view, by: other, of: account), in: 0...)
        .map(\.id)
      #expect(expected == found, "\(comment): \(view) of \(group)")
    }
  }

  /// A condition on the beginnings of ids and folded names, and how many of the messages below meet
  /// it.
  struct Selection: Sendable {
    let condition: Condition
    let count: Int

    static let all: [Selection] = {
      let subject = RedactionTests.begins("foldedSubject", "minutes")
      let thread = RedactionTests.begins("threadID", "t1")
      let counts: [(Condition, Int)] = [
        (subject, 3), (thread, 2), (subject && thread, 1), (subject || thread, 4),
        (subject && !thread, 2), (thread || !subject, 4),
      ]
      return counts.map { Selection(condition: $0, count: $1) }
    }()
  }

  private static let subjects = [
    "Minutes of May", "Lunch", "minutes", "Mint", "Minuter", "Minutes",
  ]

  private static func begins(_ field: String, _ text: String) -> Condition {
    Field<String>(field, Message.collection.field(named: field)?.number ?? 0).hasPrefix(text)
  }

  /// Returns a history in which the messages that meet a condition are marked as read.
  private static func marking(_ condition: Condition) -> InboxHistory {
    var history = InboxHistory()
    let now = Timestamp(rawValue: 1_700_000_000_000)
    let login = Login(account: 1, epoch: 1)
    let loggedIn = LoggedIn { ($0.person, $0.policy) = ("alice", InboxPolicies.mail) }
    history.append(InboxHistory.Step(loggedIn, at: now, login))
    for (index, subject) in subjects.enumerated() {
      let fields = ObjectFields {
        $0.put(.id, "m\(index)")
        $0.put(.thread, "t\(index * 5)")
        $0.put(.subject, subject)
        $0.put(.isUnread, true)
      }
      history.append(InboxHistory.Step(ObjectFact(.message, fields), at: now, login))
    }
    let mark = MarkAll {
      ($0.objectClass, $0.action) = (.message, .read)
      $0.condition = EventBytes(NormalCondition(condition).bytes)
    }
    history.append(InboxHistory.Step(mark, at: now, login))
    return history
  }

  /// Conditions on the beginnings of ids and of folded names select the same rows, and so do their
  /// opposites.
  @Test(arguments: Selection.all, [true, false])
  func beginnings_selectTheSame(_ selection: Selection, isSo: Bool) async throws {
    let history = Self.marking(isSo ? selection.condition : !selection.condition)
    let pair = try await RedactedHistory(history)
    let reducer = InboxReducer(views: Self.views)
    let here = try Replay(pair.log, reducer: reducer, at: history.last)
    let there = try Replay(pair.redacted, reducer: reducer, at: history.last)
    let operations = try there.views.rows(of: ListName("all operations"), in: 0...)
    let count = isSo ? selection.count : Self.subjects.count - selection.count
    #expect(operations.count == count, "\(operations)")
    try Self.compare(here, there, pair, "\(selection.count) rows, \(isSo)")
    await pair.end()
  }

  /// A condition with so many prefixes that their bounds would be too many can still be read.
  @Test func manyBeginnings_areUnderstood() async throws {
    let many = (0..<600).reduce(Self.begins("threadID", "t1")) { condition, number in
      condition || Self.begins("threadID", "x\(number)")
    }
    let history = Self.marking(many)
    let pair = try await RedactedHistory(history)
    let there = try Replay(pair.redacted, reducer: InboxReducer(), at: history.last)
    #expect(try there.refused().isEmpty)
    await pair.end()
  }

  /// Looks for every text of the history that is too long to appear by chance.
  @Test func redacted_holdsNoTextOfTheOriginal() async throws {
    for seed in Campaign.seeds(6, long: 200) {
      let pair = try await RedactedHistory(seed: seed, count: 250)
      let file = String(decoding: pair.lines, as: UTF8.self)
      var texts: Set<String> = []
      for record in try Self.records(of: pair.log) {
        if let fields = try? PayloadFields(decoding: record.payload.payloadBytes) {
          Self.collect(.fields(fields), into: &texts)
        }
      }
      let secrets = texts.subtracting(Redaction.wellKnown).filter {
        $0.utf8.count >= 4 && !Redaction.wellKnown.contains(FoldedText($0).text)
      }
      #expect(secrets.count > 8, "seed \(seed)")
      for text in secrets {
        let quoted = "\"\(text)\""
        #expect(!file.contains(text.utf8.count < 6 ? quoted : text), "seed \(seed): \(text)")
      }
      await pair.end()
    }
  }

  private static func records(of log: Log) throws -> [Record] {
    try log.read { snapshot throws(LogError) in
      var records: [Record] = []
      var cursor = try snapshot.records()
      while try cursor.next() { records.append(cursor.record.record) }
      return records
    }
  }

  private static func collect(_ value: PayloadValue, into texts: inout Set<String>) {
    switch value {
    case .text(let text): texts.insert(text)
    case .fields(let fields): for field in fields { collect(field.value, into: &texts) }
    case .list(let values): for value in values { collect(value, into: &texts) }
    case .bytes(let bytes):
      if let text = String(validating: bytes, as: UTF8.self), bytes.count > 8 { texts.insert(text) }
    default: break
    }
  }

  @Test func entities_areThoseOfThePseudonyms() async throws {
    let pair = try await RedactedHistory(seed: 3, count: 200)
    let (records, others) = (try Self.records(of: pair.log), try Self.records(of: pair.redacted))
    var count = 0
    for (record, other) in zip(records, others) {
      guard let event = try? EventCatalog.event(of: other), let name = event.entity,
        let account = other.header.login?.account
      else { continue }
      #expect(other.header.entity == pair.redacted.fingerprint(of: name.text(in: account)))
      #expect(record.header.entity != other.header.entity)
      count += 1
    }
    #expect(count > 50)
    await pair.end()
  }

  @Test func compacted_comesToTheSameLists() async throws {
    for seed in Campaign.seeds(4, long: 100) {
      let history = InboxAuthor.history(seed: seed, count: 250)
      let pair = try await RedactedHistory(history, compactedThrough: 150)
      guard pair.log.floor > 0 else { continue }
      let reducer = InboxReducer(views: Self.views)
      let here = try Replay(pair.log, reducer: reducer, at: history.last)
      let there = try Replay(pair.redacted, reducer: reducer, at: history.last)
      try Self.compare(here, there, pair, "seed \(seed)")
      await pair.end()
    }
  }
}
