import EventStore

/// When operations that were acknowledged are over.
extension ReducerState {
  /// Takes in that a server has done what operations wanted.
  mutating func take(_ outcome: OperationAcknowledged, _ occasion: Occasion) throws(Refusal) {
    for pending in undecided(outcome.intent, outcome.item, occasion)
    where isPresent(pending.operation) {
      let removal = removal(behind: pending, outcome, occasion)
      try acknowledge(pending, outcome, occasion)
      if let removal, isPresent(pending.entity.row), !isBeingSaved(pending.entity) {
        try remove(pending.entity, removal, occasion)
      }
    }
  }

  private mutating func isBeingSaved(_ entity: Entity) -> Bool {
    operations(of: entity.row).contains { self[$0, Operations.action] == .saveDraft }
  }

  /// The removal of what was deleted behind the intent to save it, of which an answer says only now
  /// that it was done.
  private mutating func removal(
    behind saving: Pending, _ outcome: OperationAcknowledged, _ occasion: Occasion
  ) -> Removal? {
    let (operation, entity) = (saving.operation, saving.entity)
    guard !outcome.isGone, self[operation, Operations.action]?.isSaving == true,
      let stone = tombstone(of: entity, occasion)
    else { return nil }
    let isOfDraft = self[stone, Tombstones.isOfDraft] == true
    let isMessage = self[base(of: entity), Messages.kind] == .message
    let version = self[stone, Tombstones.version]
    let isLater = outcome.version.flatMap { told in version.map { told > Int64($0) } } ?? false
    guard self[stone, Tombstones.record]?.rawValue ?? 0 > self[operation, Operations.intent] ?? 0,
      !(isOfDraft && isMessage), !isLater
    else { return nil }
    return Removal(
      version: version, isOwn: self[stone, Tombstones.isOwn] == true,
      isOfDraft: isOfDraft)
  }

  private mutating func acknowledge(
    _ pending: Pending, _ outcome: OperationAcknowledged, _ occasion: Occasion
  ) throws(Refusal) {
    let (operation, entity) = (pending.operation, pending.entity)
    let version = outcome.version.flatMap { Int(exactly: $0) }
    let action = self[operation, Operations.action]
    if action == .reportOpened || action == .reportDownloaded { return end(pending, occasion) }
    if outcome.isGone { return try removeGone(pending, version, occasion) }
    if action == .deleteDraft || action == .delete && entity.kind.objectClass != .rich {
      return try removeOwn(pending, version, occasion)
    }
    if action == .saveDraft { endRefusedSavings(before: pending, version, occasion) }
    if action == .sendDraft || isOwnedByDevice(pending, occasion) {
      return settle(pending, version: version, occasion)
    }
    let base = base(of: entity)
    let known = self[base, InboxFields.version]
    if let version {
      if let known, known > version {
        endOvertaken(by: pending, occasion)
        return end(pending, occasion)
      }
      setVersion(version, of: entity)
      return settle(pending, occasion)
    }
    if isSettledAtOnce(pending, occasion) { return settle(pending, occasion) }
    change(operation) { row in
      row[Operations.state] = .acknowledged
      row[Operations.wasBegun] = true
      row[Operations.acknowledgedAt] = occasion.now
      row[Operations.acknowledgement] = Int(occasion.number.rawValue)
      row[Operations.acknowledgedVersion] = known
    }
    try setDeadline(of: operation, occasion)
  }

  /// Ends the savings of a draft that were refused before one that was done: what they said went
  /// with it.
  private mutating func endRefusedSavings(
    before pending: Pending, _ version: Int?, _ occasion: Occasion
  ) {
    let (entity, intent) = (pending.entity, self[pending.operation, Operations.intent] ?? 0)
    for operation in operations(of: entity.row)
    where self[operation, Operations.action] == .saveDraft
      && self[operation, Operations.state] == .rejected
      && self[operation, Operations.intent] ?? 0 < intent
    {
      let refused = Pending(operation: operation, entity: entity)
      let known = self[base(of: entity), InboxFields.version]
      if let version, let known, known > version {
        end(refused, occasion)
      } else {
        settle(refused, occasion)
      }
    }
  }

  /// Removes what was not there any more when something was wanted of it; what was to be deleted as
  /// a draft, and is a message by now, was sent instead, and only its texts were given up.
  private mutating func removeGone(
    _ pending: Pending, _ version: Int?, _ occasion: Occasion
  ) throws(Refusal) {
    let entity = pending.entity
    let removal = removal(by: pending.operation, version)
    if removal.isOwn, removal.isOfDraft, self[entity.row, Messages.kind] == .message {
      endSavings(before: pending, occasion)
      return end(pending, occasion)
    }
    try remove(entity, removal, occasion)
  }

  /// Ends what was to be saved of a draft before it was to be deleted.
  private mutating func endSavings(before deletion: Pending, _ occasion: Occasion) {
    let (entity, intent) = (deletion.entity, self[deletion.operation, Operations.intent] ?? 0)
    for operation in operations(of: entity.row)
    where self[operation, Operations.action] == .saveDraft
      && self[operation, Operations.intent] ?? 0 < intent
    { end(Pending(operation: operation, entity: entity), occasion) }
  }

  /// The removal of an object about which an operation was.
  private mutating func removal(by operation: RowHandle, _ version: Int?) -> Removal {
    let action = self[operation, Operations.action]
    return Removal(
      version: version, isOwn: action == .deleteDraft || action == .delete,
      isOfDraft: self[operation, Operations.objectClass] == .draft)
  }

  /// Removes what the device has deleted.
  private mutating func removeOwn(
    _ pending: Pending, _ version: Int?, _ occasion: Occasion
  ) throws(Refusal) {
    for operation in operations(of: pending.entity.row)
    where self[operation, Operations.action] == .saveDraft {
      remove(operation, from: pending.entity.row)
    }
    try remove(pending.entity, removal(by: pending.operation, version), occasion)
  }

  /// Whether what an operation changes is the device's to say.
  private mutating func isOwnedByDevice(_ pending: Pending, _ occasion: Occasion) -> Bool {
    guard pending.entity.kind.objectClass == .rich else { return false }
    switch self[pending.operation, Operations.action] {
    case .markRead: return occasion.switches.readOwner != .server
    case .delete: return occasion.switches.deletionSticks
    default: return false
    }
  }

  private mutating func settle(_ pending: Pending, version: Int?, _ occasion: Occasion) {
    let base = base(of: pending.entity)
    let last = [version, self[base, InboxFields.version]].compactMap { $0 }.max()
    setVersion(last, of: pending.entity)
    settle(pending, occasion)
  }

  private mutating func setVersion(_ version: Int?, of entity: Entity) {
    if set(InboxFields.version, of: base(of: entity), version) { departed(entity) }
  }

  private mutating func isSettledAtOnce(_ pending: Pending, _ occasion: Occasion) -> Bool {
    let (operation, entity) = (pending.operation, pending.entity)
    switch (self[operation, Operations.action], entity.kind.objectClass) {
    case (.saveDraft, _), (.saveTag, _), (.addFile, _), (.attach, _): return true
    default:
      return isMet(operation, by: base(of: entity), entity.kind) && !isBehindAcknowledged(pending)
    }
  }

  /// Puts what an operation wanted into the base, and ends it.
  private mutating func settle(_ pending: Pending, _ occasion: Occasion) {
    endOvertaken(by: pending, occasion)
    let (operation, entity) = (pending.operation, pending.entity)
    let (base, place) = (base(of: entity), threadPlace(of: entity))
    settleReading(pending, occasion)
    // What the answer's fact has said already is what is told again: nothing is new by that.
    if put(operation, into: base, entity.kind) { departed(entity) }
    noteTold(entity, occasion)
    disown(.object, of: entity)
    switch (self[operation, Operations.action], entity.kind.objectClass) {
    case (.markRead, .rich) where occasion.switches.readOwner != .server: own(.isRead, of: entity)
    case (.delete, .rich) where occasion.switches.deletionSticks: own(.isDeleted, of: entity)
    case (.sendDraft, _):
      hide(entity.row, .sent, self[base, Messages.kind] == .draft)
    default: break
    }
    end(pending, from: place, occasion)
  }

  /// Whether a server has told that a message is read before the answer that says that it was done:
  /// what that means for the thread it tells as well, and more may have come into it since.
  private mutating func wasToldRead(_ entity: Entity, _ occasion: Occasion) -> Bool {
    guard entity.kind.objectClass == .message, self[base(of: entity), Messages.isUnread] != true
    else { return false }
    let answer = occasion.exchange ?? occasion.number
    return self[entity.row, InboxFields.told]?.rawValue ?? 0 < answer.rawValue
  }

  /// Has the bases of a message's thread, or of a thread's messages, be as reading made them seem.
  private mutating func settleReading(_ pending: Pending, _ occasion: Occasion) {
    guard isReading(pending.operation) else { return }
    let entity = pending.entity
    if !wasToldRead(entity, occasion), let thread = thread(of: entity, occasion),
      let lacks = tagsLacking(from: thread, with: [entity], occasion)
    {
      if removeTags(lacks.tags, from: base(of: thread)) { departed(thread) }
    }
    settleMessages(ofThread: pending, occasion)
  }

  /// Has the bases of a thread's messages be as reading the thread made them seem.
  private mutating func settleMessages(ofThread pending: Pending, _ occasion: Occasion) {
    guard pending.entity.kind.objectClass == .thread, isReading(pending.operation) else { return }
    let intent = self[pending.operation, Operations.intent] ?? 0
    for message in messages(of: pending.entity, occasion) {
      guard let made = self[message.row, InboxFields.making]?.record, made.rawValue < intent,
        self[message.row, Messages.kind] == .message
      else { continue }
      if set(Messages.isUnread, of: base(of: message), nil) { departed(message) }
    }
  }
}

/// What facts say to that.
extension ReducerState {
  /// Ends operations that a fact about their object shows to be over.
  ///
  /// - Parameters:
  ///   - said: The fields that the fact says something of.
  ///   - version: The object's version in it.
  mutating func settle(
    _ entity: Entity, _ said: FieldBits, version: Int?, _ occasion: Occasion
  ) throws(Refusal) {
    let operations = operations(of: entity.row)
    guard !operations.isEmpty else { return }
    let asked = answer(of: occasion).sentAfter
    for operation in operations where isPresent(operation) {
      let over = ending(of: operation, on: entity, said, version, asked, occasion)
      guard let over else { continue }
      let pending = Pending(operation: operation, entity: entity)
      endOvertaken(by: pending, occasion)
      if over == .echo { settleMessages(ofThread: pending, occasion) }
      end(pending, occasion)
    }
  }

  /// What a fact is to an operation that ends by it.
  private enum Ending {
    /// All that it wanted is so.
    case echo
    /// Something of it is otherwise since.
    case superseded
  }

  private mutating func ending(
    of operation: RowHandle, on entity: Entity, _ said: FieldBits, _ version: Int?,
    _ asked: RecordNumber, _ occasion: Occasion
  ) -> Ending? {
    guard self[operation, Operations.state] == .acknowledged,
      let acknowledgement = self[operation, Operations.acknowledgement],
      asked.rawValue >= UInt64(clamping: acknowledgement)
    else { return nil }
    let parts = parts(of: operation, by: base(of: entity), entity.kind)
    let told = parts.filter { said & $0.field != 0 }
    guard !told.isEmpty else { return nil }
    if told.allSatisfy(\.isMet) { return told.count == parts.count ? .echo : nil }
    if occasion.switches.readsOwnWrites { return .superseded }
    guard let version, let known = self[operation, Operations.acknowledgedVersion] else {
      return nil
    }
    return version > known ? .superseded : nil
  }
}

extension Operations.Action {
  /// Whether it makes an object, or has it be as it is here.
  fileprivate var isSaving: Bool { self == .saveDraft || self == .saveTag || self == .addFile }
}
