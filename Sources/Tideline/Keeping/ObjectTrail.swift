import EventStore

/// Recognizes the records about an object, by following an account's records in order.
///
/// The outcome of an intent about the object concerns the object too, although it names only the
/// intent's number.
struct ObjectTrail: Sendable {
  /// The objects of an intent about several, whose outcomes name them by id.
  private struct Items {
    /// The class of the objects.
    let objectClass: ObjectClass
    /// The id of the one file among them, if the others are drafts.
    var file: String?
  }

  /// The fingerprints by which headers name the object and its files.
  let entities: Set<Fingerprint>
  private let account: UInt32
  /// Returns the fingerprint of a name.
  private let fingerprint: @Sendable (String) -> Fingerprint
  /// Whether the object is a file, which messages may list.
  private let isFile: Bool
  /// The records about this object alone, whose outcomes concern it as well.
  private var intents: Set<RecordNumber> = []
  /// The intents about several objects.
  private var shared: [RecordNumber: Items] = [:]
  /// Whether the next records were appended after some of the object's records were erased.
  var isOld = false
  /// Whether some record certainly still holds data of the object.
  private(set) var isKnown = false
  /// Whether a record about a message lists the file.
  private(set) var isWithinMessage = false

  init(
    _ names: Set<ObjectName>, _ account: UInt32,
    _ fingerprint: @escaping @Sendable (String) -> Fingerprint
  ) {
    entities = Set(names.map { fingerprint($0.text(in: account)) })
    (self.account, self.fingerprint) = (account, fingerprint)
    isFile = names.allSatisfy { $0.objectClass == .file }
  }

  /// Follows the next record of the account; returns whether it is about the object although its
  /// header does not name it.
  mutating func follow(_ record: borrowing RecordView) -> Bool {
    let header = record.header
    if let entity = header.entity, entities.contains(entity) {
      note(named: header, record.number)
      return false
    }
    guard header.entity == nil || mayTellMore(header.kind),
      let event = try? EventCatalog.event(of: record)
    else { return false }
    if let items = Self.items(of: event) { shared[record.number] = items }
    if isFile, event.files.contains(where: { isIt(ObjectName(.file, $0)) }) {
      isWithinMessage = true
    }
    guard header.entity == nil else { return false }
    // An item refused without a name may be the object.
    if let refused = event as? ItemRefused, refused.name == nil { return !isOld }
    guard isAboutIt(event) else { return false }
    intents.insert(record.number)
    if !header.isErased { isKnown = true }
    return true
  }

  /// Notes a record whose header names the object.
  ///
  /// An erased record counts too, since its outcome may not be erased yet. An intent that was
  /// recorded after the erasure stays, with its outcome.
  private mutating func note(named header: RecordHeader, _ number: RecordNumber) {
    if header.isErased || !isOld { intents.insert(number) }
    if !header.isErased { isKnown = true }
  }

  /// Whether records of a kind may concern the object while their headers name another one.
  private func mayTellMore(_ kind: EventKind) -> Bool {
    switch kind {
    case AddFile.kind: true
    case ObjectClass.message.kind, ObjectClass.draft.kind, SaveDraft.kind: isFile
    default: false
    }
  }

  /// Returns the objects of an intent, if there are several.
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

  /// Whether an event is about the object.
  ///
  /// The outcome of an intent may quote what was sent or what the server answered, and a refusal
  /// quotes the whole item.
  private func isAboutIt(_ event: any InboxEvent) -> Bool {
    switch event {
    case let outcome as any OperationEvent:
      if intents.contains(outcome.intent) { return true }
      guard let item = outcome.item, let items = shared[outcome.intent] else { return false }
      return isIt(ObjectName(item == items.file ? .file : items.objectClass, item))
    case let refused as ItemRefused: return refused.name.map(isIt) ?? false
    default: return event.entity.map(isIt) ?? false
    }
  }

  private func isIt(_ name: ObjectName) -> Bool {
    entities.contains(fingerprint(name.text(in: account)))
  }
}

extension ItemRefused {
  /// The name of the refused object, if it is known.
  fileprivate var name: ObjectName? {
    objectClass.flatMap { objectClass in id.map { ObjectName(objectClass, $0) } }
  }
}

extension InboxEvent {
  /// The ids of the files that an event about a message or a draft lists.
  fileprivate var files: [String] {
    let fields = (self as? ObjectFact)?.fields ?? (self as? SaveDraft)?.draft
    return fields?.files(.files)?.compactMap(\.id) ?? []
  }
}
