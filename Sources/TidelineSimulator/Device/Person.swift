import EventStore
import Tideline

/// The user of a device, who reads, tags, writes and deletes what is shown there.
struct Person {
  var dice: Dice
  /// The account that the person uses.
  let account: UInt32
  private let name: String
  private var lastDraft = 0
  /// The number of new drafts per thousand that answer a thread.
  var replyShare = 0
  /// The number of edits of drafts per thousand that add a file.
  var fileShare = 0
  /// The number of actions per thousand that are about drafts, mostly second thoughts about one
  /// being sent.
  var regretShare = 0
  /// Whether the last action was such a second thought.
  private(set) var hasSecondThought = false
  /// Tags that only this person uses.
  let ownTags: [String]
  /// The intents that are currently held.
  private var heldIntents: [RecordNumber] = []

  /// Creates a person with a name and a seed for actions.
  init(_ name: String, account: UInt32 = 1, seed: UInt64) {
    (self.name, self.account) = (name, account)
    dice = Dice(seed: seed)
    ownTags = ["\(name)-a", "\(name)-b"]
  }

  private enum Deed: CaseIterable {
    case tagOwn, tagShared, readThread, unreadThread, readMessage, archive, deleteThread
    case deleteMessage, makeDraft, editDraft, sendDraft, deleteDraft, markAll, withdraw, makeTag

    var weight: Int {
      switch self {
      case .tagOwn: 12
      case .readThread, .readMessage, .makeDraft, .editDraft: 4
      case .tagShared, .archive, .unreadThread, .sendDraft, .withdraw: 2
      case .deleteThread, .deleteMessage, .deleteDraft, .markAll, .makeTag: 1
      }
    }
  }

  /// Returns the time until the person's next action.
  mutating func pause() -> Duration { dice.milliseconds(dice.happens(300) ? 1...50 : 50...20_000) }

  /// Notes that an intent is held.
  mutating func noteHeld(_ intent: RecordNumber) { heldIntents.append(intent) }

  /// Returns the next action on mail; `nil` if it is impossible.
  mutating func mail(_ views: borrowing StoreSnapshot, at now: Timestamp) throws -> (
    any InboxEvent
  )? {
    hasSecondThought = false
    let choices = Deed.allCases.map { ($0, $0.weight) }
    guard var deed = dice.pick(weighted: choices) else { return nil }
    if regretShare > 0, dice.happens(regretShare) { deed = try thought(views) }
    switch deed {
    case .tagOwn, .tagShared, .readThread, .unreadThread, .archive, .deleteThread:
      return try thread(views).flatMap { thread(deed, $0, now) }
    case .readMessage, .deleteMessage: return try message(deed, views)
    case .makeDraft, .editDraft, .sendDraft, .deleteDraft: return try draft(deed, views)
    case .markAll:
      return MarkAll {
        ($0.objectClass, $0.action, $0.terms) = (.thread, .read, terms())
      }
    case .makeTag:
      lastDraft += 1
      return SaveTag {
        $0.tag.put(.id, "local-\(name)-t\(lastDraft)")
        $0.tag.put(.name, "tag \(name) \(lastDraft)")
        $0.terms = terms()
      }
    case .withdraw:
      guard let intent = heldIntents.popLast() else { return nil }
      return Withdraw { $0.intents = [intent] }
    }
  }

  mutating func terms(heldUntil: Timestamp? = nil) -> IntentTerms {
    var terms = IntentTerms()
    terms.key = OperationKey(using: &dice)
    terms.heldUntil = heldUntil
    return terms
  }

  private mutating func thread(_ views: borrowing StoreSnapshot) throws -> MailThread? {
    guard let tag = dice.pick(["inbox", "inbox", "archive", "unread"] + ownTags) else { return nil }
    let list = ListName(InboxViews.threadsByTag, by: tag, of: account)
    let count = try views.count(of: list)
    guard count > 0 else { return nil }
    let place = dice.number(0...min(count - 1, 12))
    return try views.rows(of: list, in: place..<place + 1).first.flatMap(MailThread.init)
  }

  private mutating func thread(
    _ deed: Deed, _ thread: MailThread, _ now: Timestamp
  ) -> (any InboxEvent)? {
    switch deed {
    case .readThread, .unreadThread:
      return MarkRead {
        ($0.objectClass, $0.ids, $0.isRead) = (.thread, [thread.id], deed == .readThread)
        $0.terms = terms()
      }
    case .deleteThread:
      return DeleteObjects {
        ($0.objectClass, $0.ids, $0.terms) = (.thread, [thread.id], terms())
      }
    case .archive:
      return ChangeTags {
        ($0.ids, $0.added, $0.removed) = ([thread.id], ["archive"], ["inbox"])
        ($0.gesture, $0.terms) = (.archive, terms())
      }
    default:
      let tag = deed == .tagOwn ? dice.pick(ownTags) ?? "" : "starred"
      let isThere = thread.tagIDs.contains(tag)
      let held = dice.happens(200) ? now.advanced(by: dice.milliseconds(100...8_000)) : nil
      return ChangeTags {
        ($0.ids, $0.added, $0.removed) = ([thread.id], isThere ? [] : [tag], isThere ? [tag] : [])
        $0.terms = terms(heldUntil: held)
      }
    }
  }

  private mutating func message(
    _ deed: Deed, _ views: borrowing StoreSnapshot
  ) throws -> (any InboxEvent)? {
    let list = ListName(InboxViews.unreadMessages, of: account)
    let count = try views.count(of: list)
    guard count > 0 else { return nil }
    let place = dice.number(0...min(count - 1, 12))
    let row = try views.rows(of: list, in: place..<place + 1).first
    guard let id = row.flatMap({ Message.name(of: $0.id)?.id }) else { return nil }
    if deed == .deleteMessage {
      return DeleteObjects { ($0.objectClass, $0.ids, $0.terms) = (.message, [id], terms()) }
    }
    return MarkRead {
      ($0.objectClass, $0.ids, $0.isRead, $0.terms) = (.message, [id], true, terms())
    }
  }

  private mutating func draft(
    _ deed: Deed, _ views: borrowing StoreSnapshot
  ) throws -> (any InboxEvent)? {
    guard deed != .makeDraft else {
      lastDraft += 1
      let isReply = replyShare > 0 && dice.happens(replyShare)
      let thread = isReply ? try thread(views)?.id : nil
      return saved("local-\(name)-\(lastDraft)", version: nil, in: thread)
    }
    let drafts = try drafts(hasSecondThought ? .sending : .unsent, views)
    guard let draft = dice.pick(drafts) else { return nil }
    switch deed {
    case .editDraft:
      if fileShare > 0, dice.happens(fileShare) { return file(for: draft.id) }
      return saved(draft.id, version: draft.version)
    case .sendDraft:
      return SendDraft {
        ($0.id, $0.version) = (draft.id, draft.version.map(Int64.init))
        ($0.messageID, $0.terms) = ("<\(draft.id)@example.com>", terms())
      }
    default:
      return DeleteDraft {
        ($0.id, $0.version, $0.terms) = (draft.id, draft.version.map(Int64.init), terms())
      }
    }
  }

  /// Returns what to do about drafts: to change or delete one that is being sent, or to send one,
  /// or to make one.
  private mutating func thought(_ views: borrowing StoreSnapshot) throws -> Deed {
    let sending = try drafts(.sending, views)
    hasSecondThought = !sending.isEmpty
    if hasSecondThought { return dice.happens(700) ? .editDraft : .deleteDraft }
    return try drafts(.unsent, views).isEmpty ? .makeDraft : .sendDraft
  }

  /// Returns the person's drafts that are in a state.
  private func drafts(
    _ state: Draft.State, _ views: borrowing StoreSnapshot
  ) throws -> [Draft] {
    try views.rows(of: ListName(InboxViews.drafts, of: account), in: 0..<20)
      .compactMap(Draft.init).filter { $0.id.hasPrefix("local-\(name)-") && $0.state == state }
  }

  private mutating func saved(
    _ id: String, version: Int?, in thread: String? = nil
  ) -> SaveDraft {
    let text = "text \(dice.next() % 1_000_000)"
    let terms = terms()
    return SaveDraft {
      $0.draft.put(.id, id)
      $0.draft.put(.subject, id)
      if let thread { $0.draft.put(.thread, thread) }
      $0.draft.put(.body, text)
      $0.draft.put(.to, [ObjectPerson(email: "b@example.com")])
      ($0.baseVersion, $0.terms) = (version.map(Int64.init), terms)
    }
  }

  /// Returns the upload of a new file, mostly for a draft.
  private mutating func file(for draft: String) -> AddFile {
    lastDraft += 1
    let id = "local-\(name)-f\(lastDraft)"
    let size = Int64(dice.number(1...1_000_000))
    let isAttached = dice.happens(800)
    let terms = terms()
    return AddFile {
      $0.file.put(.id, id)
      $0.file.put(.filename, id)
      $0.file.put(.size, size)
      $0.draft = isAttached ? draft : nil
      $0.terms = terms
    }
  }
}
