package import EventStore

/// Turns deliveries from a server into records.
package struct Intake: Sendable {
  /// The classes whose objects another empty response would remove.
  private var doubts: Set<ObjectName> = []

  /// Creates an intake without history.
  package init() {}

  /// Gives access to the current state, exclusively.
  ///
  /// It is called for one part at a time, so that a reader of the views waits for one part at most;
  /// the state may change between two parts.
  package typealias Look = ((borrowing StoreSnapshot) throws -> Void) throws -> Void

  /// The number of objects that are looked up at a time.
  static let partMax = 128

  /// Returns the records of a delivery, and the objects whose existence it leaves in doubt.
  ///
  /// The record of the response comes first, then its news, in several batches if there is very
  /// much. The doubtful objects are named by their ids at the server, and are to be requested
  /// individually: the response lacks them although an operation is open on them or they were
  /// reported since the request, or has them although they were removed since. Their number is
  /// limited, and none is a rich message.
  ///
  /// Anything that no record can hold is refused, and the rest is taken.
  ///
  /// - Parameters:
  ///   - delivery: What the server has reported.
  ///   - login: The login under which the server was asked.
  ///   - circumstances: The time, and how a record names its entity.
  ///   - key: Returns a new key, by which a server recognizes a repeated report.
  ///   - events: Further events that resulted.
  ///   - look: Gives access to the current state.
  /// - Complexity: O(*n* log *m*), and O(m) for a whole response.
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
    let facts = gone.isEmpty ? news.facts : news.facts + gone
    let batches = DeliveryBatches(
      of: exchange, delivery.reset.map { [$0] } ?? [], facts,
      receipts: news.receipts(key), tail + events, in: circumstances)
    // Rich messages are requested all at once. If there are very many others, those beyond the
    // limit stay as they are until something reports them.
    let open = (news.doubtful + doubtful).lazy.filter { $0.objectClass != .rich }
    return (batches, Array(open.prefix(Self.doubtfulMax)))
  }

  /// The maximum number of objects that are requested individually because of one response.
  private static let doubtfulMax = 64

  /// Returns the removals of objects that a whole response lacks, the doubtful ones among them, and
  /// whether nothing is in doubt.
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

  /// Returns whether a response may remove so many objects: an empty one has to come twice.
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
  /// Returns whether a file's content is already known to be at the stated place.
  fileprivate func isKnown(_ stored: ContentStored, of account: UInt32) -> Bool {
    let (id, files) = ("\(account)/\(stored.id)", Attachments.collection)
    return value(of: Attachments.localPath, in: id, of: files) == stored.content
  }
}

extension Delivery {
  /// Whether applying it takes so long that others need the views meanwhile.
  var isLong: Bool {
    facts.count + contents.count > Intake.partMax || extent == .whole || !listed.isEmpty
      || !listedClasses.isEmpty
  }

  /// The ids of all existing objects, by class, of the classes that the delivery has in full.
  fileprivate var wholeClasses: [ObjectClass: Set<String>] {
    var whole = listed
    let here = extent == .whole ? classes : listedClasses
    guard !here.isEmpty else { return whole }
    for objectClass in here { whole[objectClass] = [] }
    for fact in facts where here.contains(fact.objectClass) {
      whole[fact.objectClass]?.insert(fact.fields.id ?? "")
    }
    // Items that could not be read exist nevertheless.
    for item in refused {
      if let objectClass = item.objectClass, let id = item.id { whole[objectClass]?.insert(id) }
    }
    for objectClass in nameless { whole[objectClass] = nil }
    return whole
  }

  /// Returns the record of the response.
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
