import EventStore
import TestSupport
import Tideline

// The person's intents.
extension InboxAuthor {
  mutating func intend() {
    guard let account = account() else { return }
    var cause: RecordNumber?
    let event: any InboxEvent =
      switch Int.random(in: 0..<22, using: &dice) {
      case 0..<5: markRead(account)
      case 5..<8: changeTags(account)
      case 8..<10: deleteObjects(account)
      case 10: markAll(account, &cause)
      case 11..<15: saveDraft(account)
      case 15, 16: sendDraft(account)
      case 17: deleteDraft(account)
      case 18, 19: addFile(account)
      case 20: saveTag()
      default: opened(account)
      }
    write(event, login(of: account), cause: cause)
  }

  /// Returns ids of a class, mostly one.
  private mutating func ids(_ objectClass: ObjectClass, _ account: NaiveAccount) -> [String] {
    let count = dice.one(of: [(6, 1), (2, 2), (1, 3)])
    return (0..<count).map { _ in id(objectClass, in: account) }
  }

  private mutating func markRead(_ account: NaiveAccount) -> any InboxEvent {
    let objectClass: ObjectClass = dice.one(of: [.thread, .message, .rich])
    let (ids, isRead) = (ids(objectClass, account), dice.percent(75))
    return MarkRead {
      $0.objectClass = objectClass
      $0.ids = ids
      $0.isRead = isRead
    }
  }

  private mutating func changeTags(_ account: NaiveAccount) -> any InboxEvent {
    let objectClass: ObjectClass = dice.one(of: [(3, .thread), (1, .message)])
    let ids = ids(objectClass, account)
    let added = dice.some(of: InboxNames.threadTags, 20)
    let isRefused = dice.percent(3)
    let removed = dice.some(of: InboxNames.threadTags, 25).filter {
      isRefused || !added.contains($0)
    }
    return ChangeTags {
      ($0.objectClass, $0.ids) = (objectClass, ids)
      ($0.added, $0.removed) = (added, removed)
    }
  }

  private mutating func deleteObjects(_ account: NaiveAccount) -> any InboxEvent {
    let objectClass: ObjectClass = dice.one(of: [
      (4, .rich), (2, .message), (1, .thread), (1, .tag), (1, .file), (1, .contact), (1, .draft),
    ])
    let ids = ids(objectClass, account)
    return DeleteObjects { ($0.objectClass, $0.ids) = (objectClass, ids) }
  }

  /// Returns a mark of all objects; sometimes writes its first part, about the latest objects,
  /// before it.
  private mutating func markAll(
    _ account: NaiveAccount, _ cause: inout RecordNumber?
  ) -> any InboxEvent {
    let event = wholeMarkAll()
    guard dice.percent(50) else { return event }
    var part = event
    part.since = Timestamp(rawValue: now.rawValue - Int64.random(in: 0...4_000_000, using: &dice))
    write(part, login(of: account))
    let first = history.last
    let wrong = [0, 1, first.advanced(by: 1), RecordNumber(rawValue: .max)]
    cause = dice.percent(95) ? first : dice.one(of: wrong)
    return event
  }

  private mutating func wholeMarkAll() -> MarkAll {
    let objectClass: ObjectClass = dice.one(of: [.thread, .message, .rich, .draft])
    let action: MarkAllAction = dice.one(of: [(4, .read), (1, .deleted), (2, .seen)])
    let tag: String? = dice.percent(25) ? dice.one(of: InboxNames.threadTags) : nil
    let condition = dice.percent(30) ? dice.any(of: NaiveCondition.bytes(objectClass)) : nil
    let recent = UInt64.random(in: 0...40, using: &dice)
    let asOf = RecordNumber(rawValue: history.last.rawValue - min(recent, history.last.rawValue))
    let isRecent = dice.percent(30)
    return MarkAll {
      ($0.objectClass, $0.action, $0.tag) = (objectClass, action, tag)
      $0.asOf = isRecent ? asOf : nil
      $0.condition = condition.map(EventBytes.init)
    }
  }

  private mutating func opened(_ account: NaiveAccount) -> any InboxEvent {
    let id = id(.rich, in: account)
    guard dice.percent(60) else { return MessageDownloaded { $0.id = id } }
    return MessageOpened { $0.id = id }
  }

  private mutating func saveDraft(_ account: NaiveAccount) -> any InboxEvent {
    let there = account.objects(.draft).map(\.id)
    let known = dice.percent(70) ? dice.any(of: there) : nil
    let id = known ?? dice.one(of: Array(InboxNames.drafts.prefix(2)))
    let share = dice.one(of: [10, 40])
    var fields = InboxObjects(now: now).fields(.draft, id, share: share, &dice)
    for field in InboxObjects.serversOwn {
      fields.remove(field)
    }
    // Files of this device, too, which the server may never get.
    if dice.percent(40) { fields.put(.fileIDs, dice.some(of: InboxNames.files, 50)) }
    let draft = fields
    return SaveDraft { $0.draft = draft }
  }

  private mutating func sendDraft(_ account: NaiveAccount) -> any InboxEvent {
    let id = id(.draft, in: account)
    return SendDraft { $0.id = id }
  }

  private mutating func deleteDraft(_ account: NaiveAccount) -> any InboxEvent {
    let id = id(.draft, in: account)
    return DeleteDraft { $0.id = id }
  }

  private mutating func addFile(_ account: NaiveAccount) -> any InboxEvent {
    let id = dice.one(of: InboxNames.files)
    let name = dice.one(of: ["a.txt", "b.txt"])
    let draft = dice.percent(70) ? self.id(.draft, in: account) : nil
    return AddFile {
      $0.draft = draft
      $0.file.put(.id, id)
      $0.file.put(.filename, name)
      $0.content = "content of \(name)"
    }
  }

  private mutating func saveTag() -> any InboxEvent {
    let id = dice.one(of: InboxNames.tags)
    let name = dice.one(of: ["Work", "Play"])
    return SaveTag {
      $0.tag.put(.id, id)
      $0.tag.put(.name, name)
    }
  }

  /// Changes an earlier intent.
  mutating func reconsider() {
    guard let account = account() else { return }
    let intent = intent(in: account)
    let until: Timestamp? = dice.percent(70) ? Timestamp(rawValue: now.rawValue + 10_000) : nil
    let event: any InboxEvent =
      switch Int.random(in: 0..<5, using: &dice) {
      case 0, 1: Withdraw { $0.intents = [intent] }
      case 2: Hold { ($0.intent, $0.until) = (intent, until) }
      case 3: Retry { $0.intent = intent }
      default: BackoffReset { _ in }
      }
    write(event, login(of: account))
  }

  /// Returns the number of an intent with open operations, or of any record.
  mutating func intent(in account: NaiveAccount) -> RecordNumber {
    let open = dice.percent(92) ? dice.any(of: account.operations.map(\.intent)) : nil
    return open ?? RecordNumber(rawValue: .random(in: 0...history.last.rawValue, using: &dice))
  }
}
