import EventStore

/// Facts from servers about objects.
extension ReducerState {
  /// Applies a fact about an object of a kind.
  mutating func apply(
    _ fact: Fact, _ kind: ObjectKind, _ payload: RawSpan, _ occasion: Occasion
  ) throws(Refusal) {
    let entity = lookUp(fact.key, kind)
    switch (fact.change, entity) {
    case (.deleted, _), (.gone, _): try takeAway(fact, entity, kind, occasion)
    case (_, let entity?): try change(entity, fact, payload, occasion)
    case (_, nil): try make(fact, kind, payload, occasion)
    }
  }

  private mutating func make(
    _ fact: Fact, _ kind: ObjectKind, _ payload: RawSpan, _ occasion: Occasion
  ) throws(Refusal) {
    guard mayReturn(fact, occasion) else { return }
    let entity = try makeObject(of: fact, kind, payload, occasion)
    noteServerID(fact, of: entity, occasion)
    useOwnIDs(of: entity, occasion)
    try introduce(entity, payload, occasion)
  }

  /// Applies a fact about a new object if the object is sketched; returns whether it is.
  mutating func applySketched(
    _ kind: ObjectKind, _ payload: RawSpan, _ occasion: Occasion
  ) throws(Refusal) -> Bool {
    guard let row = try makeSketched(kind, occasion) else { return false }
    try introduce(Entity(kind: kind, row: row), payload, occasion)
    return true
  }

  /// Takes a new object up in what depends on it.
  private mutating func introduce(
    _ entity: Entity, _ payload: RawSpan, _ occasion: Occasion
  ) throws(Refusal) {
    let kind = entity.kind
    if hasFiles(entity) { try takeFiles(payload, occasion) }
    if let thread = thread(of: entity, occasion) {
      let isListed = lists(thread, entity)
      moveInThreads(entity, from: nil, occasion)
      if !isListed { raiseUnread(entity, isNew: true, occasion) }
      refreshIfOpen(thread, occasion)
    }
    if kind.objectClass == .thread, isAnyMessageOpen { refresh(entity, occasion) }
    try refreshWindow(of: entity, occasion)
  }

  private mutating func change(
    _ entity: Entity, _ fact: Fact, _ payload: RawSpan, _ occasion: Occasion
  ) throws(Refusal) {
    guard isNews(fact, of: entity), !isFinal(entity, occasion),
      mayTell(fact, of: entity, occasion)
    else { return }
    let (place, thread) = (threadPlace(of: entity), thread(of: entity, occasion))
    let wasUnread = isBaseUnread(entity)
    let said = try write(fact, payload, of: entity, occasion)
    refreshIfConcerned(entity, occasion)
    moveInThreads(entity, from: place, occasion)
    if !wasUnread { raiseUnread(entity, isNew: false, occasion) }
    try settle(entity, said, version: fact.version, occasion)
    refreshThreads(of: entity, from: thread, occasion)
    try refreshWindow(of: entity, occasion)
  }

  /// Applies the disappearance of an object from a server.
  private mutating func takeAway(
    _ fact: Fact, _ entity: Entity?, _ kind: ObjectKind, _ occasion: Occasion
  ) throws(Refusal) {
    let removal = Removal(
      version: fact.version, isOfDraft: fact.objectClass == .draft, id: fact.id)
    guard let entity else {
      if let stone = tombstone(fact.id, kind, occasion), counts(stone, against: fact) {
        return
      }
      return try bury(fact.id, kind, removal, occasion)
    }
    guard isNews(fact, of: entity), mayTell(fact, of: entity, occasion) else { return }
    if fact.change == .gone, !isSurelyGone(entity, occasion) { return }
    try remove(entity, removal, occasion)
  }

  /// Returns whether the absence of an object means that it is gone.
  private mutating func isSurelyGone(_ entity: Entity, _ occasion: Occasion) -> Bool {
    let answer = answer(of: occasion)
    let asked = answer.sentAfter.rawValue
    guard self[entity.row, InboxFields.told]?.rawValue ?? 0 <= asked else { return false }
    if answer.isOneObject { return true }
    guard !owns(.object, of: entity) else { return false }
    return operations(of: entity.row).allSatisfy { operation in
      let acknowledgement = self[operation, Operations.acknowledgement].map { UInt64(clamping: $0) }
      return acknowledgement.map { $0 <= asked } ?? false
    }
  }

  /// Returns whether a fact's version is not lower than the known one.
  private mutating func isNews(_ fact: Fact, of entity: Entity) -> Bool {
    guard let version = fact.version, let known = self[base(of: entity), InboxFields.version]
    else { return true }
    return version >= known
  }

  /// Returns whether facts have no effect on an object: a rich message that is never updated once
  /// complete.
  mutating func isFinal(_ entity: Entity, _ occasion: Occasion) -> Bool {
    guard entity.kind.objectClass == .rich, !occasion.switches.serverEditsApply else {
      return false
    }
    return self[base(of: entity), InboxFields.known] == -1
  }

  /// Writes a fact into the base of an object; returns the fields that it reports.
  private mutating func write(
    _ fact: Fact, _ payload: RawSpan, of entity: Entity, _ occasion: Occasion
  ) throws(Refusal) -> FieldBits {
    let kind = entity.kind
    let (ignored, own) = (ownedFields(of: entity), ownDrafts(of: entity, occasion))
    let said = try write(into: base(of: entity)) { row throws(EventError) in
      try kind.apply(
        fact, payload, of: occasion.number, into: &row, ignoring: ignored, keeping: own)
    }
    noteServerID(fact, of: entity, occasion)
    useOwnIDs(of: entity, occasion)
    told(of: entity, occasion)
    self[entity.row, InboxFields.digest] = try Mark(digestOf: payload)
    if kind.objectClass == .message, (said ?? 0) & Messages.fileIDs.bit != 0 {
      try takeFiles(payload, occasion)
    }
    return said ?? 0
  }

  /// Returns the fields of a rich message that the device owns.
  mutating func ownedFields(of entity: Entity) -> FieldBits {
    guard entity.kind.objectClass == .rich,
      let owned = self[entity.row, InboxFields.making]?.owned
    else { return 0 }
    return (owned.contains(.isRead) ? RichMessages.isRead.bit : 0)
      | (owned.contains(.isDeleted) ? RichMessages.isDeleted.bit : 0)
  }

  /// Returns whether an object is a message with files.
  private mutating func hasFiles(_ entity: Entity) -> Bool {
    entity.kind.objectClass == .message && read(entity.row) { $0.has(Messages.fileIDs) } == true
  }

  /// Applies the files in a message as facts about files.
  private mutating func takeFiles(
    _ payload: RawSpan, _ occasion: Occasion
  ) throws(Refusal) {
    if try makeSketched(.file, occasion) != nil { return }
    guard var files = try files(in: payload) else { return }
    while let file = try nextFile(&files) {
      // A file without an id is not taken.
      guard var fact = try? Fact(.file, .file, file, of: occasion.account, in: &spares) else {
        continue
      }
      try apply(fact, .file, file, occasion)
      fact.giveBack(to: &spares)
    }
  }

  @_lifetime(copy payload)
  private func files(in payload: RawSpan) throws(Refusal) -> PayloadReader.Items? {
    do { return try ObjectReader.files(in: payload) } catch { throw Refusal(error) }
  }

  @_lifetime(copy files)
  private func nextFile(_ files: inout PayloadReader.Items) throws(Refusal) -> RawSpan? {
    do { return try files.next()?.payload } catch { throw Refusal(error) }
  }
}

extension Mark {
  /// Creates the digest of a fact.
  fileprivate init(digestOf payload: RawSpan) throws(Refusal) {
    do throws(EventError) { self.init(rawValue: try ObjectFields.digest(of: payload)) } catch {
      throw Refusal(error)
    }
  }
}

extension ObjectFields {
  /// The fields as payload bytes.
  var payload: [UInt8] { PayloadWriter.bytes { encode(into: &$0) } }
}

extension ObjectKind {
  /// Writes a fact into a base row; returns the fields that it reports.
  ///
  /// - Parameter drafts: The drafts that stay in a thread's list regardless of the fact.
  func apply(
    _ fact: Fact, _ payload: RawSpan, of record: RecordNumber, into row: inout MutableRow,
    ignoring ignored: FieldBits = 0, keeping drafts: [String] = []
  ) throws(EventError) -> FieldBits {
    let isWhole = fact.change == .whole && objectClass != .rich
    if objectClass == .message, fact.objectClass == .message { row[Messages.kind] = .message }
    let said = try write(payload, of: record, into: &row, ignoring: ignored, isWhole: isWhole)
    if !drafts.isEmpty, isWhole || said.fields & Threads.draftIDs.bit != 0 {
      row.set(Threads.draftIDs, (row[Threads.draftIDs] ?? []).union(drafts))
    }
    finish(&row, having: isWhole ? .max : said.fields)
    let known = row[InboxFields.known] ?? 0
    row[InboxFields.known] = fact.change == .whole ? -1 : known | Int64(bitPattern: said.known)
    guard isWhole else { return said.fields }
    let hasLabels = objectClass == .thread && said.fields & Threads.tagIDs.bit != 0
    return hasLabels ? said.fields & .marks | ~.marks : .max
  }
}
