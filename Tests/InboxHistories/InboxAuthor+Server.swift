import EventStore
import TestSupport
import Tideline

// The server's records.
extension InboxAuthor {
  /// Writes an answer with several objects, sent now or before recent events.
  mutating func page() {
    guard let account = account() else { return }
    let login = login(of: account)
    let exchange = exchange(account, login)
    for _ in 0..<Int.random(in: 0...5, using: &dice) {
      write(fact(about: InboxNames.servers(&dice)), login, exchange: exchange)
    }
    if dice.percent(20) { write(CursorSet { $0.stream = "deltas" }, login, exchange: exchange) }
  }

  /// Writes an object that came by itself.
  mutating func delta() {
    guard let account = account() else { return }
    let sent = account.operations.filter { operation in
      operation.wish == .send
        && account.operations(on: operation.name).contains { $0.wish.isSaving }
    }
    guard dice.percent(20), let draft = dice.any(of: sent)?.name.id else {
      return write(fact(about: InboxNames.servers(&dice)), login(of: account))
    }
    // Another device deletes or sends the draft that this one is about to send.
    let gone = ObjectFields {
      $0.put(.id, draft)
      $0.put(.change, ObjectChange.deleted)
    }
    write(ObjectFact(.draft, gone), login(of: account))
  }

  /// Writes the record of an answer.
  private mutating func exchange(_ account: NaiveAccount, _ login: Login?) -> RecordNumber {
    let last = history.last.rawValue
    let before = dice.percent(60) ? 0 : UInt64.random(in: 0...12, using: &dice)
    let unchanged = dice.percent(30) ? unchanged(account) : []
    let request: ExchangeRequest = dice.one(of: [.deltas, .page, .object, .all, .operation])
    let completeness: Completeness = dice.one(of: [.whole, .partial, .range])
    write(
      Exchange {
        $0.request = request
        $0.sentAfter = RecordNumber(rawValue: last - min(last, before))
        $0.completeness = completeness
        $0.unchanged = unchanged
      }, login)
    return history.last
  }

  private mutating func unchanged(_ account: NaiveAccount) -> [ObjectNames] {
    [ObjectClass.thread, .message, .rich, .draft].compactMap { objectClass in
      let told = account.objects(objectClass).filter { $0.base != nil && $0.isTold }
      let ids = dice.some(of: told.map(\.id), 40)
      return ids.isEmpty ? nil : ObjectNames(objectClass, ids)
    }
  }

  private mutating func fact(about name: ObjectName) -> ObjectFact {
    let share = dice.one(of: [15, 40, 80])
    let objects = InboxObjects(now: now)
    var fields = objects.fields(name.objectClass, name.id, share: share, &dice)
    if name.objectClass == .message, fields.has(.thread) || dice.percent(60) {
      fields.put(.thread, dice.percent(94) ? home(name.id) : dice.one(of: InboxNames.threads))
    }
    let change: ObjectChange = dice.one(of: [
      (12, .changed), (6, .created), (6, .whole), (2, .deleted), (2, .gone),
    ])
    if change != .changed, name.objectClass != .account { fields.put(.change, change) }
    let hasVersion = [.thread, .draft].contains(name.objectClass) ? 60 : 4
    let isDeletion = change == .deleted || change == .gone
    if dice.percent(hasVersion), name.objectClass != .account, !isDeletion {
      fields.put(.version, version())
    }
    return ObjectFact(name.objectClass, fields)
  }

  /// Returns the thread that usually holds a message.
  private func home(_ id: String) -> String {
    let index = InboxNames.messages.firstIndex(of: id) ?? 0
    return InboxNames.threads[index % InboxNames.threads.count]
  }

  /// Returns a version: versions rise with the history, and now and then come late.
  mutating func version() -> Int64 {
    max(1, Int64(history.steps.count / 20) + Int64.random(in: -3...2, using: &dice))
  }

  /// Writes an answer that shows what was acknowledged, or something else.
  mutating func answer() {
    guard let account = account(),
      let operation = dice.any(of: account.operations.filter { $0.state == .acknowledged })
    else { return delta() }
    let objectClass = account.objects[operation.name]?.objectClass ?? operation.objectClass
    let login = login(of: account)
    let exchange = exchange(account, login)
    var fields = ObjectFields { $0.put(.id, operation.name.id) }
    let isEcho = dice.percent(60)
    switch operation.wish {
    case .read(let isRead) where objectClass == .rich: fields.put(.isRead, isRead == isEcho)
    case .read(let isRead) where objectClass == .message: fields.put(.isUnread, isRead != isEcho)
    case .tags(_, let added) where objectClass == .thread && isEcho:
      fields.put(.tags, added.map { ObjectLabel($0) })
    case .read(true) where isEcho: fields.put(.tags, [ObjectLabel("inbox")])
    default: fields.put(.tags, [ObjectLabel("unread"), ObjectLabel("work")])
    }
    if objectClass == .thread, dice.percent(50) { fields.put(.version, version()) }
    guard objectClass == .thread || !fields.has(.tags) else { return }
    write(ObjectFact(objectClass, fields), login, exchange: exchange)
  }
}

// The content of pushes.
extension InboxAuthor {
  mutating func push() {
    guard let account = account() else { return }
    let login = dice.percent(20) ? nil : login(of: account)
    let id = id(.rich, in: account)
    if dice.percent(45) {
      let marks: Bool? = dice.one(of: [(6, nil), (2, true), (1, false)])
      return write(
        AlertOpened {
          $0.id = id
          $0.marksRead = marks
        }, login)
    }
    let share = dice.one(of: [20, 50])
    var fields = InboxObjects(now: now, hasNulls: false).fields(.rich, id, share: share, &dice)
    if dice.percent(10) { fields.put(.change, ObjectChange.whole) }
    // The device still gets pushes for people who have left.
    if dice.percent(20) { fields.put(.namespace, "n\(dice.one(of: accounts))") }
    let message = fields
    write(AlertArrived { $0.message = message }, login)
  }
}
