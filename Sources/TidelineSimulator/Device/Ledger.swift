package import EventStore
package import Tideline

/// What a person has wanted on a device, by its log alone: what must come of it in the end.
package struct Ledger {
  /// Something that was wanted of a thing, and by which record.
  package struct Word<Wanted> {
    /// The record.
    package let intent: RecordNumber
    /// The thing's id.
    package let item: String
    /// What was wanted.
    package let wanted: Wanted
  }

  /// A tag of a thread.
  package struct Spot: Hashable {
    /// The thread's id.
    package let thread: String
    /// The tag's id.
    package let tag: String
  }

  private struct Name: Hashable {
    let intent: RecordNumber
    let item: String
  }

  /// The tags of threads about which something was said, in the order in which it was.
  package private(set) var spots: [Spot] = []
  private var tags: [Spot: [Word<Bool>]] = [:]
  private var texts: [String: [Word<String>]] = [:]
  private var saves: Set<RecordNumber> = []
  private var deletions: [Word<ObjectClass>] = []
  private var readings: [Word<ObjectClass>] = []
  private var sendings: [Word<String?>] = []
  /// What was rejected, and why.
  package private(set) var rejections: [Word<RejectionReason>] = []
  private var items: [RecordNumber: [String]] = [:]
  private var begun: Set<Name> = []
  private var voids: Set<Name> = []
  private var acknowledged: Set<Name> = []
  /// The first record that says that something of an intent is about to be sent.
  private var starts: [RecordNumber: RecordNumber] = [:]
  private var replaced: [String: String] = [:]
  private var originals: [String: String] = [:]
  /// Intents that were given up as somebody logged out, and things that the server may yet do
  /// because of those that were begun.
  private var dropped: Set<RecordNumber> = []
  private var lost: Set<String> = []
  /// Until when what is open is sent, though nobody is logged in.
  package private(set) var flushUntil: Timestamp?
  /// The last login behind which what was acknowledged is shown only once the server tells it.
  private var forgotten = RecordNumber.zero

  /// Nothing was wanted yet.
  package init() {}

  /// Takes in a record.
  package mutating func take(_ event: any InboxEvent, _ number: RecordNumber, at now: Timestamp) {
    switch event {
    case let login as LoggedIn: logIn(login.policy)
    case let logout as LoggedOut: logOut(logout, number)
    case is ClockTicked: if let flushUntil, flushUntil <= now { drop(behind: number) }
    case let intent as ChangeTags: take(intent, number)
    case let intent as SaveDraft: take(intent, number)
    case let intent as DeleteObjects:
      items[number] = intent.ids
      deletions += intent.ids.map { Word(intent: number, item: $0, wanted: intent.objectClass) }
    case let intent as DeleteDraft:
      items[number] = [intent.id]
      deletions.append(Word(intent: number, item: intent.id, wanted: .draft))
    case let intent as MarkRead where intent.isRead:
      items[number] = intent.ids
      readings += intent.ids.map { Word(intent: number, item: $0, wanted: intent.objectClass) }
    case let intent as SendDraft:
      items[number] = [intent.id]
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
    texts[id, default: []].append(Word(intent: number, item: id, wanted: text))
  }

  private mutating func take(outcome event: any InboxEvent, _ number: RecordNumber) {
    switch event {
    case let outcome as OperationStarted:
      begun.formUnion(names(outcome.intent, outcome.item))
      if starts[outcome.intent] == nil { starts[outcome.intent] = number }
    case let outcome as OperationAcknowledged:
      acknowledged.formUnion(names(outcome.intent, outcome.item))
    case let outcome as OperationRejected:
      rejections += names(outcome.intent, outcome.item).map {
        Word(intent: $0.intent, item: $0.item, wanted: outcome.reason)
      }
      // A text that is refused stays the person's last word.
      guard !saves.contains(outcome.intent) else { return }
      voids.formUnion(names(outcome.intent, outcome.item))
    case let outcome as OperationAbandoned:
      let names = names(outcome.intent, outcome.item)
      // What was superseded is so without it being sent.
      guard outcome.reason != .superseded else { return acknowledged.formUnion(names) }
      // A text that can't be saved any more stays so too: nobody but the person gives up a text.
      guard !saves.contains(outcome.intent) || outcome.reason != .removed else { return }
      voids.formUnion(names)
    case let outcome as IDReplaced:
      (replaced[outcome.old], originals[outcome.new]) = (outcome.new, outcome.old)
    default: break
    }
  }

  private func names(_ intent: RecordNumber, _ item: String?) -> [Name] {
    (item.map { [$0] } ?? items[intent] ?? []).map { Name(intent: intent, item: $0) }
  }

  private mutating func logIn(_ policy: PolicySwitches) {
    flushUntil = nil
    // What was to be read was so under the login before.
    guard policy.readOwner == .login else { return }
    voids.formUnion(readings.map { Name(intent: $0.intent, item: $0.item) })
  }

  private mutating func logOut(_ logout: LoggedOut, _ number: RecordNumber) {
    switch logout.pending {
    case .drop: drop(behind: number)
    case .hold: break
    case .flush: flushUntil = logout.flushUntil
    }
  }

  /// Gives up all that the server has not done.
  private mutating func drop(behind number: RecordNumber) {
    (flushUntil, forgotten) = (nil, number)
    let named = items.flatMap { intent, items in items.map { Name(intent: intent, item: $0) } }
    // What was wanted of all is known by what was begun of it.
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

/// What stands of it.
extension Ledger {
  /// The id that a thing has at the server.
  package func serverID(of id: String) -> String { replaced[id] ?? id }

  /// The id that a thing of the server has on the device.
  package func localID(of id: String) -> String { originals[id] ?? id }

  /// The last word on a tag of a thread that was not taken back; `nil` where there is none.
  package func word(on spot: Spot) -> Bool? { tags[spot]?.last(where: stands)?.wanted }

  /// Whether what was given up when somebody logged out was on its way, so that nobody knows what
  /// becomes of a thing.
  package func isLost(_ item: String) -> Bool { lost.contains(item) }

  /// Whether an intent saves a text.
  package func isSaving(_ intent: RecordNumber) -> Bool { saves.contains(intent) }

  /// Whether an intent was given up when somebody logged out.
  package func isDropped(_ intent: RecordNumber) -> Bool { dropped.contains(intent) }

  /// The last word on a tag of a thread that is shown, whatever the server has told; `nil` where
  /// there is none.
  package func shownWord(on spot: Spot) -> Bool? {
    guard let word = tags[spot]?.last(where: stands), word.intent > forgotten else { return nil }
    return word.wanted
  }

  /// The last text of each draft that was not taken back.
  package var lastTexts: [Word<String>] {
    texts.keys.sorted().compactMap { texts[$0]?.last(where: stands) }
  }

  /// Whether the server may have a text that was wanted after one that stands, and was given up
  /// when it was on its way.
  package func mayHaveArrived(_ text: String?, after last: Word<String>) -> Bool {
    texts[last.item, default: []].contains { word in
      word.wanted == text && word.intent > last.intent
        && begun.contains(Name(intent: word.intent, item: word.item))
    }
  }

  /// The first record that says that something of an intent is about to be sent.
  package func start(of intent: RecordNumber) -> RecordNumber? { starts[intent] }

  /// What was to be deleted, and was not refused.
  package var deleted: [Word<ObjectClass>] { deletions.filter(stands) }

  /// Whether a thing was to be deleted, and was not, so that it may be shown again.
  package func isKept(_ item: String) -> Bool {
    deletions.contains { $0.item == item && !stands($0) }
  }

  /// What was to be read, and was not refused.
  package var read: [Word<ObjectClass>] { readings.filter(stands) }

  /// The drafts that were to be sent.
  package var sent: [Word<String?>] { sendings.filter(stands) }

  /// Whether the server has said that it did it, or that it is so anyway.
  package func isAcknowledged<Wanted>(_ word: Word<Wanted>) -> Bool {
    acknowledged.contains(Name(intent: word.intent, item: word.item))
  }
}
