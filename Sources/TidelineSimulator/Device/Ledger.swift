package import EventStore
package import Tideline

/// Everything a person has wanted on a device, from its log alone: what must finally come of it.
package struct Ledger {
  /// One thing wanted of an item, with the record of the intent.
  package struct Word<Wanted> {
    /// The record of the intent.
    package let intent: RecordNumber
    /// The id of the item.
    package let item: String
    /// The wanted state.
    package let wanted: Wanted
  }

  /// A tag of a thread.
  package struct Spot: Hashable {
    /// The thread's id.
    package let thread: String
    /// The id of the tag.
    package let tag: String
  }

  private struct Name: Hashable {
    let intent: RecordNumber
    let item: String
  }

  /// The tags of threads that were changed, in the order of the first changes.
  package private(set) var spots: [Spot] = []
  private var tags: [Spot: [Word<Bool>]] = [:]
  private var texts: [String: [Word<String>]] = [:]
  private var saves: Set<RecordNumber> = []
  /// The threads that drafts answer, by the drafts' ids.
  private var threads: [String: String] = [:]
  /// The files added to drafts, by the drafts' ids.
  private var attachments: [Word<String>] = []
  private var deletions: [Word<ObjectClass>] = []
  private var readings: [Word<ObjectClass>] = []
  private var sendings: [Word<String?>] = []
  /// The rejected intents, with the reasons.
  package private(set) var rejections: [Word<RejectionReason>] = []
  private var items: [RecordNumber: [String]] = [:]
  private var begun: Set<Name> = []
  private var voids: Set<Name> = []
  private var acknowledged: Set<Name> = []
  /// The first record that announces the sending of each intent.
  private var starts: [RecordNumber: RecordNumber] = [:]
  /// The intents whose sending was announced again.
  private var retried: Set<RecordNumber> = []
  private var replaced: [String: String] = [:]
  private var originals: [String: String] = [:]
  /// Intents dropped at a logout, and items that the server may still change because an operation
  /// was under way.
  private var dropped: Set<RecordNumber> = []
  private var lost: Set<String> = []
  /// The time until which open operations are sent although nobody is logged in.
  package private(set) var flushUntil: Timestamp?
  /// The last record that dropped intents; earlier acknowledged changes show only once the server
  /// reports them.
  private var forgotten = RecordNumber.zero
  /// The operations that together changed nothing of what the server had reported.
  private var superseded: Set<Name> = []
  /// The last login that made all messages unread.
  private var allUnread = RecordNumber.zero
  /// The intents to send or delete drafts; they may be known to be done without a request.
  private var ofDrafts: Set<RecordNumber> = []
  /// The acknowledged operations but those, and whether their objects were gone.
  package private(set) var answers: [Word<Bool>] = []
  /// Whether the account has ever been logged in.
  package private(set) var wasLoggedIn = false

  /// Creates an empty ledger.
  package init() {}

  /// Applies a record.
  package mutating func take(_ event: any InboxEvent, _ number: RecordNumber, at now: Timestamp) {
    switch event {
    case let login as LoggedIn: logIn(login.policy, number)
    case let logout as LoggedOut: logOut(logout, number)
    case is ClockTicked: if let flushUntil, flushUntil <= now { drop(after: number) }
    case let intent as ChangeTags: take(intent, number)
    case let intent as SaveDraft: take(intent, number)
    case let intent as DeleteObjects:
      items[number] = intent.ids
      deletions += intent.ids.map { Word(intent: number, item: $0, wanted: intent.objectClass) }
    case let intent as DeleteDraft:
      items[number] = [intent.id]
      ofDrafts.insert(number)
      deletions.append(Word(intent: number, item: intent.id, wanted: .draft))
    case let intent as MarkRead:
      items[number] = intent.ids
      guard intent.isRead else { return }
      readings += intent.ids.map { Word(intent: number, item: $0, wanted: intent.objectClass) }
    case let intent as SaveTag: items[number] = intent.tag.id.map { [$0] }
    case let intent as AddFile: take(intent, number)
    case let intent as SendDraft:
      items[number] = [intent.id]
      ofDrafts.insert(number)
      sendings.append(Word(intent: number, item: intent.id, wanted: intent.messageID))
    case let intent as Withdraw: intent.intents.forEach { withdraw($0) }
    default: take(outcome: event, number)
    }
  }

  private mutating func take(_ intent: ChangeTags, _ number: RecordNumber) {
    items[number] = intent.ids
    for id in intent.ids {
      for (tags, isThere) in [(intent.added, true), (intent.removed, false)] {
        for tag in tags {
          let word = Word(intent: number, item: id, wanted: isThere)
          let spot = Spot(thread: id, tag: tag)
          if self.tags[spot] == nil { spots.append(spot) }
          self.tags[spot, default: []].append(word)
        }
      }
    }
  }

  private mutating func take(_ intent: SaveDraft, _ number: RecordNumber) {
    guard let id = intent.draft.id, let text = intent.draft.text(.body) else { return }
    items[number] = [id]
    saves.insert(number)
    if let thread = intent.draft.text(.thread) { threads[id] = thread }
    texts[id, default: []].append(Word(intent: number, item: id, wanted: text))
  }

  private mutating func take(_ intent: AddFile, _ number: RecordNumber) {
    guard let file = intent.file.id else { return }
    items[number] = [file]
    guard let draft = intent.draft else { return }
    items[number]?.append(draft)
    attachments.append(Word(intent: number, item: draft, wanted: file))
  }

  private mutating func take(outcome event: any InboxEvent, _ number: RecordNumber) {
    switch event {
    case let outcome as OperationStarted:
      begun.formUnion(names(outcome.intent, outcome.item))
      if starts[outcome.intent] == nil {
        starts[outcome.intent] = number
      } else {
        retried.insert(outcome.intent)
      }
    case let outcome as OperationAcknowledged:
      let names = names(outcome.intent, outcome.item)
      acknowledged.formUnion(names)
      guard !ofDrafts.contains(outcome.intent) else { return }
      answers += names.map { Word(intent: $0.intent, item: $0.item, wanted: outcome.isGone) }
    case let outcome as OperationRejected:
      rejections += names(outcome.intent, outcome.item).map {
        Word(intent: $0.intent, item: $0.item, wanted: outcome.reason)
      }
      // A refused text remains the person's last word.
      guard !saves.contains(outcome.intent) else { return }
      voids.formUnion(names(outcome.intent, outcome.item))
    case let outcome as OperationAbandoned:
      let names = names(outcome.intent, outcome.item)
      // A superseded operation takes effect without being sent.
      guard outcome.reason != .superseded else {
        superseded.formUnion(names)
        return acknowledged.formUnion(names)
      }
      // So does a text that can no longer be saved: only the person gives up a text.
      guard !saves.contains(outcome.intent) || outcome.reason != .removed else { return }
      voids.formUnion(names)
    case let outcome as IDReplaced:
      // A draft is created again only if its server removed it, perhaps by sending it.
      if let former = replaced[outcome.old] { originals[former] = nil }
      (replaced[outcome.old], originals[outcome.new]) = (outcome.new, outcome.old)
    default: break
    }
  }

  private func names(_ intent: RecordNumber, _ item: String?) -> [Name] {
    (item.map { [$0] } ?? items[intent] ?? []).map { Name(intent: intent, item: $0) }
  }

  private mutating func logIn(_ policy: PolicySwitches, _ number: RecordNumber) {
    (flushUntil, wasLoggedIn) = (nil, true)
    // Messages were to be read only under the previous login.
    guard policy.readOwner == .login else { return }
    allUnread = number
    voids.formUnion(readings.map { Name(intent: $0.intent, item: $0.item) })
  }

  private mutating func logOut(_ logout: LoggedOut, _ number: RecordNumber) {
    switch logout.pending {
    case .drop: drop(after: number)
    case .hold: break
    case .flush: flushUntil = logout.flushUntil
    }
  }

  /// Drops everything that the server has not done.
  private mutating func drop(after number: RecordNumber) {
    (flushUntil, forgotten) = (nil, number)
    let named = items.flatMap { intent, items in items.map { Name(intent: intent, item: $0) } }
    // An intent for all objects is known by the operations begun for it.
    for name in begun.subtracting(voids).union(named).subtracting(acknowledged) {
      voids.insert(name)
      dropped.insert(name.intent)
      if begun.contains(name) { lost.insert(name.item) }
    }
  }

  private mutating func withdraw(_ intent: RecordNumber) {
    let over = begun.union(acknowledged)
    voids.formUnion(names(intent, nil).filter { !over.contains($0) })
  }

  private func stands<Wanted>(_ word: Word<Wanted>) -> Bool {
    !voids.contains(Name(intent: word.intent, item: word.item))
  }
}

/// The current state of the ledger.
extension Ledger {
  /// Returns the id of an item at the server.
  package func serverID(of id: String) -> String { replaced[id] ?? id }

  /// Returns the id on the device of an item at the server.
  package func localID(of id: String) -> String { originals[id] ?? id }

  /// Returns the last standing change of a thread's tag; `nil` if there is none.
  package func word(on spot: Spot) -> Bool? { tags[spot]?.last(where: stands)?.wanted }

  /// Whether the last standing change of a thread's tag was not sent, because the server had
  /// already reported what it wants.
  package func isSuperseded(_ spot: Spot) -> Bool {
    guard let word = tags[spot]?.last(where: stands) else { return false }
    return superseded.contains(Name(intent: word.intent, item: word.item))
  }

  /// Whether an operation on the item was under way when it was dropped at logout, so that the
  /// item's state is unknown.
  package func isLost(_ item: String) -> Bool { lost.contains(item) }

  /// Whether an intent saves a text or adds a file to a draft.
  package func isSaving(_ intent: RecordNumber) -> Bool {
    saves.contains(intent) || attachments.contains { $0.intent == intent }
  }

  /// The files added to drafts for which that counts as done.
  package var attached: [Word<String>] { attachments.filter { stands($0) && isAcknowledged($0) } }

  /// Whether an intent was dropped at a logout.
  package func isDropped(_ intent: RecordNumber) -> Bool { dropped.contains(intent) }

  /// Whether something has come of an operation: it was done, refused, given up or withdrawn.
  package func isOver(
    _ intent: RecordNumber, on item: String, isReading: Bool
  ) -> Bool {
    let name = Name(intent: intent, item: item)
    return acknowledged.contains(name) || voids.contains(name) || intent < forgotten
      || isReading && intent < allUnread
  }

  /// Returns the last standing change of a thread's tag that shows whatever the server reports;
  /// `nil` if there is none.
  package func shownWord(on spot: Spot) -> Bool? {
    guard let word = tags[spot]?.last(where: stands), word.intent > forgotten else { return nil }
    return word.wanted
  }

  /// Returns the thread that a draft answers.
  package func thread(ofDraft id: String) -> String? { threads[id] }

  /// The last standing text of each draft.
  package var lastTexts: [Word<String>] {
    texts.keys.sorted().compactMap { texts[$0]?.last(where: stands) }
  }

  /// Whether the server may have a text that was wanted after the standing one and given up when it
  /// was under way.
  package func mayHaveArrived(_ text: String?, after last: Word<String>) -> Bool {
    texts[last.item, default: []].contains { word in
      word.wanted == text && word.intent > last.intent
        && begun.contains(Name(intent: word.intent, item: word.item))
    }
  }

  /// Returns the first record that announces the sending of an intent.
  package func start(of intent: RecordNumber) -> RecordNumber? { starts[intent] }

  /// Whether the sending of an intent was announced more than once.
  package func wasRetried(_ intent: RecordNumber) -> Bool { retried.contains(intent) }

  /// The deletions that were not refused.
  package var deleted: [Word<ObjectClass>] { deletions.filter(stands) }

  /// Whether a deletion of the item has failed, so that the item may show again.
  package func isKept(_ item: String) -> Bool {
    deletions.contains { $0.item == item && !stands($0) }
  }

  /// The readings that were not refused.
  package var read: [Word<ObjectClass>] { readings.filter(stands) }

  /// Whether a draft was deleted after an intent to send it: if it is not under way, nobody is to
  /// get it.
  package func isTakenBack(_ intent: RecordNumber) -> Bool {
    guard let sending = sendings.first(where: { $0.intent == intent }) else { return false }
    return deleted.contains { $0.item == sending.item && $0.intent > intent }
  }

  /// Whether a draft has a text that was wanted after an intent to send it and is not saved yet.
  package func isOutdated(_ intent: RecordNumber) -> Bool {
    guard let sending = sendings.first(where: { $0.intent == intent }) else { return false }
    return texts[sending.item]?.last(where: stands).map { text in
      text.intent > intent && !isAcknowledged(text)
    } == true
  }

  /// The drafts to be sent.
  package var sent: [Word<String?>] { sendings.filter(stands) }

  /// Whether the server has done it or says that it holds anyway, or it was superseded.
  package func isAcknowledged<Wanted>(_ word: Word<Wanted>) -> Bool {
    acknowledged.contains(Name(intent: word.intent, item: word.item))
  }
}
