package import EventStore

/// Makes records of what a server has told.
package struct Intake: Sendable {
  /// What an empty answer would have removed, had it come twice.
  private var doubts: Set<ObjectName> = []

  /// One that has seen no answer yet.
  package init() {}

  /// Looks into what is known, while nobody else does: asked for a part at a time, so that who
  /// shows something waits for one part at most, and what is known may change between two.
  package typealias Look = ((borrowing StoreSnapshot) throws -> Void) throws -> Void

  /// So many objects are looked for at a time.
  static let partMax = 128

  /// The records of a delivery, and the objects of which it leaves open whether they are there.
  ///
  /// That of the answer comes first, then what is news in it; in more than one batch where that is
  /// very much. The objects are named by their ids at the server, and to be asked for by
  /// themselves: it lacks them though something is open on them or they were told of since it was
  /// asked for, or has them though they were removed since. They are so many at most, and none is
  /// a rich message.
  ///
  /// What no record holds is refused, and the rest is taken.
  ///
  /// - Parameters:
  ///   - delivery: What the server has told.
  ///   - login: Under which it was asked.
  ///   - circumstances: When, and by what a record names what it is about.
  ///   - key: By what a server knows a report if it gets it twice, another each time.
  ///   - events: What came of it besides.
  ///   - look: How to see what is known.
  /// - Complexity: O(*n* log *m*), and O(m) for a whole answer.
  package mutating func batches(
    of delivery: Delivery, for login: Login, in circumstances: Circumstances,
    key: () -> OperationKey, with events: [any InboxEvent] = [], _ look: Look
  ) throws -> (batches: DeliveryBatches, doubtful: [ObjectName]) {
    var last = delivery.askedAfter ?? .zero
    if delivery.askedAfter == nil { try look { last = $0.position.number } }
    var news = News(
      of: login.account, askedAfter: last, isOneObject: delivery.exchange?.request == .object,
      wantsReceipts: delivery.wantsReceipts)
    for part in delivery.facts.parts(of: Self.partMax) { try look { news.add(part, from: $0) } }
    let (gone, doubtful, isSure) = try absent(
      from: delivery, of: login.account, askedAfter: last, look)
    var contents: [ContentStored] = []
    for part in delivery.contents.parts(of: Self.partMax) {
      try look { snapshot in
        contents += part.filter { !snapshot.isKnown($0, of: login.account) }
      }
    }
    let exchange = delivery.exchangeEvent(unchanged: news.unchanged, askedAfter: last)
    var tail: [any InboxEvent] = delivery.refused + contents + delivery.cursors
    if let mark = delivery.mark, isSure, news.doubtful.isEmpty { tail.append(mark) }
    let batches = DeliveryBatches(
      of: exchange, delivery.reset.map { [$0] } ?? [], news.facts + gone,
      receipts: news.receipts(key), tail + events, in: circumstances)
    // Rich messages are asked for as a whole. Of very many the others stay as they are until
    // something tells of them.
    let open = (news.doubtful + doubtful).lazy.filter { $0.objectClass != .rich }
    return (batches, Array(open.prefix(Self.doubtfulMax)))
  }

  /// How many objects are to be asked for by themselves at most because of one answer.
  private static let doubtfulMax = 64

  /// That objects are gone which a whole answer has not, those of which that is open, and whether
  /// it is of none.
  private mutating func absent(
    from delivery: Delivery, of account: UInt32, askedAfter asked: RecordNumber, _ look: Look
  ) throws -> (gone: [ObjectFact], doubtful: [ObjectName], isSure: Bool) {
    let whole = delivery.wholeClasses
    guard !whole.isEmpty else { return ([], [], true) }
    var limit: Int?
    try look { snapshot in
      guard snapshot.switches(of: account)?.absenceDeletes == true else { return }
      limit =
        snapshot.value(
          of: Accounts.emptyAnswerRowsMax, in: "\(account)", of: Accounts.collection) ?? 0
    }
    guard let limit else { return ([], [], true) }
    var (gone, doubtful, isSure): ([ObjectFact], [ObjectName], Bool) = ([], [], true)
    for (objectClass, told) in whole.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let absent = try Absence(objectClass, of: account)
        .objects(told: told, askedAfter: asked, look)
      let name = ObjectName(objectClass, "\(account)")
      guard mayRemove(absent.count, name, isEmpty: told.isEmpty, limit: limit) else {
        isSure = false
        continue
      }
      gone += absent.map(\.fact)
      doubtful += absent.compactMap { $0.doubtfulID.map { ObjectName(objectClass, $0) } }
      if absent.contains(where: \.isDoubtful) { isSure = false }
    }
    return (gone, doubtful, isSure)
  }

  /// Whether an answer may remove so many objects: an empty one has to come twice.
  private mutating func mayRemove(
    _ count: Int, _ name: ObjectName, isEmpty: Bool, limit: Int
  ) -> Bool {
    guard isEmpty, count > limit else {
      doubts.remove(name)
      return true
    }
    return doubts.remove(name) != nil || !doubts.insert(name).inserted
  }
}

extension StoreSnapshot {
  /// Whether the content of a file is known to be where it is said to be.
  fileprivate func isKnown(_ stored: ContentStored, of account: UInt32) -> Bool {
    let (id, files) = ("\(account)/\(stored.id)", Attachments.collection)
    return value(of: Attachments.localPath, in: id, of: files) == stored.content
  }
}

extension Delivery {
  /// Whether so much is looked at to take it in that others want the views meanwhile.
  var isLong: Bool {
    facts.count + contents.count > Intake.partMax || extent == .whole || !listed.isEmpty
      || !listedClasses.isEmpty
  }

  /// The ids of all objects that there are, by their class, of those classes of which it has all.
  fileprivate var wholeClasses: [ObjectClass: Set<String>] {
    var whole = listed
    let here = extent == .whole ? classes : listedClasses
    guard !here.isEmpty else { return whole }
    for objectClass in here { whole[objectClass] = [] }
    for fact in facts where here.contains(fact.objectClass) {
      whole[fact.objectClass]?.insert(fact.fields.id ?? "")
    }
    // What could not be read is there nevertheless.
    for item in refused {
      if let objectClass = item.objectClass, let id = item.id { whole[objectClass]?.insert(id) }
    }
    return whole
  }

  /// The record of the answer.
  fileprivate func exchangeEvent(
    unchanged: [ObjectNames], askedAfter asked: RecordNumber
  ) -> Exchange {
    var exchange = exchange ?? Exchange { $0.request = extent == .whole ? .all : .deltas }
    exchange.completeness = extent == .whole ? .whole : .partial
    exchange.sentAfter = asked
    exchange.count = Int64(facts.count)
    exchange.unchanged = unchanged
    return exchange
  }
}
