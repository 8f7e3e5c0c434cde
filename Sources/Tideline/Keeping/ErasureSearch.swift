package import EventStore

/// Finds the records that hold something of an account or an object, beside those whose headers
/// name it.
///
/// It remembers how far it has looked, so that it can go on there once more was appended.
package struct ErasureSearch: Sendable {
  /// An object, with what goes with it.
  private struct Target {
    /// By what headers name it.
    let entities: Set<Fingerprint>
    /// Makes what a header has of a name.
    let fingerprint: @Sendable (String) -> Fingerprint
    /// Whether it is a file only, which messages may tell of.
    let isFile: Bool
  }

  /// The things that an intent has operations on, which these name by ids.
  private struct Items {
    /// What they are.
    let objectClass: ObjectClass
    /// The id of the file among them, where they are drafts otherwise.
    var file: String?
  }

  private let account: UInt32
  /// The last record that counts, unless that is the last there is.
  private let last: RecordNumber?
  private let target: Target?
  /// The record that it looks at next.
  private var next: RecordNumber = 1
  private var lastLogin = LastLogin()
  /// The records about the target alone: what became of them is about it as well.
  private var intents: Set<RecordNumber> = []
  /// The intents about several things, with what these are.
  private var shared: [RecordNumber: Items] = [:]
  /// Those that were found.
  package private(set) var numbers: [ClosedRange<RecordNumber>] = []
  /// Whether a record is there of which it is certain that it has something of the target yet.
  private(set) var isKnown = false
  /// Whether something was erased since it looked first.
  private var isBegun = false
  /// Whether a record about a message tells of the file.
  private(set) var isWithinMessage = false

  /// A search for an account, up to a record or through all of them.
  init(of account: UInt32, upTo last: RecordNumber? = nil) {
    (self.account, self.last, target) = (account, last, nil)
  }

  /// A search for what has some names in an account.
  package init(
    for names: Set<ObjectName>, of account: UInt32,
    fingerprint: @escaping @Sendable (String) -> Fingerprint
  ) {
    (self.account, last) = (account, nil)
    target = Target(
      entities: Set(names.map { fingerprint($0.text(in: account)) }), fingerprint: fingerprint,
      isFile: names.allSatisfy { $0.objectClass == .file })
  }

  /// What is to be erased: that which headers name, and what was found.
  var erasure: Erasure {
    Erasure(
      accounts: target == nil ? [account] : [], entities: target?.entities ?? [],
      numbers: numbers, last: last)
  }

  /// What is to be erased of what was found since the last erasure, which took what is named.
  var rest: Erasure? { numbers.isEmpty ? nil : Erasure(numbers: numbers, last: last) }

  /// Looks at all records that were appended since it looked last, and finds none of before.
  ///
  /// - Parameter mayGoOn: Asked now and then: a log that is being read can't be closed.
  /// - Throws: `closed` where it may not go on; `LogError`.
  package mutating func look(at log: Log, while mayGoOn: () -> Bool) throws {
    (isBegun, numbers) = (next > 1, [])
    try log.read { snapshot in
      // What it has seen may be compacted away by now.
      if next <= snapshot.floor { (next, lastLogin) = (1, LastLogin()) }
      var cursor = try snapshot.records(from: next > 1 ? next : nil)
      var count = 0
      // Of what is damaged nobody knows what it holds.
      while try cursor.nextWhole(through: snapshot.last) {
        count += 1
        if count % Self.step == 0, !mayGoOn() { throw StoreError.closed(path: log.path) }
        look(at: cursor.record)
      }
      next = snapshot.last.advanced(by: 1)
    }
  }

  /// How many records it looks at before it asks whether it may go on.
  private static let step = 1024

  private mutating func look(at record: borrowing RecordView) {
    lastLogin.follow(record)
    guard record.number <= last ?? record.number else { return }
    let isFound = target.map { isOf($0, record) } ?? (owner(of: record.header) == account)
    if isFound, !record.header.isErased { numbers.add(record.number) }
  }

  /// Whom a push counts for that was recorded without a login.
  private func owner(of header: RecordHeader) -> UInt32? {
    switch header.kind {
    case AlertArrived.kind, AlertOpened.kind, SilentPushArrived.kind:
      header.login == nil ? lastLogin.account(at: header.recordedAt) : nil
    default: nil
    }
  }

  /// Whether a record whose header doesn't name the target tells of it.
  private mutating func isOf(_ target: Target, _ record: borrowing RecordView) -> Bool {
    let header = record.header
    guard header.login?.account ?? owner(of: header) ?? account == account else { return false }
    if let entity = header.entity, target.entities.contains(entity) {
      // Also where it was erased: what became of it since may not have been. What is wanted since
      // counts, and so does what becomes of that.
      if header.isErased || !isBegun { intents.insert(record.number) }
      if !header.isErased { isKnown = true }
      return false
    }
    guard header.entity == nil || Self.mayTellMore(header.kind, target),
      let event = try? EventCatalog.event(of: record)
    else { return false }
    if let items = Self.items(of: event) { shared[record.number] = items }
    if target.isFile, event.files.contains(where: { isTarget(ObjectName(.file, $0)) }) {
      isWithinMessage = true
    }
    guard header.entity == nil else { return false }
    // Of what is refused without a name nobody can tell that it is not.
    if let refused = event as? ItemRefused, refused.name == nil { return !isBegun }
    guard isOf(event) else { return false }
    intents.insert(record.number)
    if !header.isErased { isKnown = true }
    return true
  }

  /// Whether records that are about another thing may be of use.
  private static func mayTellMore(_ kind: EventKind, _ target: Target) -> Bool {
    switch kind {
    case AddFile.kind: true
    case ObjectClass.message.kind, ObjectClass.draft.kind, SaveDraft.kind: target.isFile
    default: false
    }
  }

  /// The things that operations of an intent name, where these are several.
  private static func items(of event: any InboxEvent) -> Items? {
    switch event {
    case let all as MarkAll: Items(objectClass: all.objectClass)
    case let adding as AddFile:
      adding.draft.map { _ in Items(objectClass: .draft, file: adding.file.id) }
    case is MarkRead, is ChangeTags, is DeleteObjects:
      event.entity == nil ? event.names.first.map { Items(objectClass: $0.objectClass) } : nil
    default: nil
    }
  }

  /// Whether an event of the account is about the target: what became of an intent may hold what
  /// was sent of it or what the server said of that, and what was refused holds all of it.
  private func isOf(_ event: any InboxEvent) -> Bool {
    switch event {
    case let outcome as any OperationEvent:
      if intents.contains(outcome.intent) { return true }
      guard let item = outcome.item, let items = shared[outcome.intent] else { return false }
      return isTarget(ObjectName(item == items.file ? .file : items.objectClass, item))
    case let refused as ItemRefused: return refused.name.map(isTarget) ?? false
    default: return event.entity.map(isTarget) ?? false
    }
  }

  private func isTarget(_ name: ObjectName) -> Bool {
    guard let target else { return false }
    return target.entities.contains(target.fingerprint(name.text(in: account)))
  }
}

extension ItemRefused {
  /// What it is, where that could be told.
  fileprivate var name: ObjectName? {
    objectClass.flatMap { objectClass in id.map { ObjectName(objectClass, $0) } }
  }
}

extension InboxEvent {
  /// The ids of the files that an event about a message or a draft tells of.
  fileprivate var files: [String] {
    let fields = (self as? ObjectFact)?.fields ?? (self as? SaveDraft)?.draft
    return fields?.files(.files)?.compactMap(\.id) ?? []
  }
}
