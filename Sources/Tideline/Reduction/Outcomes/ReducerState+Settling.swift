import EventStore

/// The end of acknowledged operations.
extension ReducerState {
  /// Applies a server's acknowledgement of operations.
  mutating func apply(_ outcome: OperationAcknowledged, _ occasion: Occasion) throws(Refusal) {
    for pending in undecided(outcome.intent, outcome.item, occasion)
    where isPresent(pending.operation) {
      let removal = removal(after: pending, outcome, occasion)
      try acknowledge(pending, outcome, occasion)
      if let removal, isPresent(pending.entity.row), !isBeingSaved(pending.entity) {
        try remove(pending.entity, removal, occasion)
      }
    }
  }

  private mutating func isBeingSaved(_ entity: Entity) -> Bool {
    operations(of: entity.row).contains { self[$0, Operations.action] == .saveDraft }
  }

  /// Returns the removal of an object that was deleted after the intent to save it, whose success
  /// is only now reported.
  private mutating func removal(
    after saving: Pending, _ outcome: OperationAcknowledged, _ occasion: Occasion
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
    if action == .saveDraft || action == .attach {
      endRefusedSavings(before: pending, version, occasion)
    }
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
      row.enter(.acknowledged)
      row[Operations.wasBegun] = true
      row[Operations.acknowledgedAt] = occasion.now
      row[Operations.acknowledgement] = Int(occasion.number.rawValue)
      row[Operations.acknowledgedVersion] = known
    }
    try setDeadline(of: operation, occasion)
  }

  /// Ends refused savings of a draft before one that succeeded, since it included their contents.
  private mutating func endRefusedSavings(
    before pending: Pending, _ version: Int?, _ occasion: Occasion
  ) {
    let (entity, intent) = (pending.entity, self[pending.operation, Operations.intent] ?? 0)
    for operation in operations(of: entity.row)
    where self[operation, Operations.action] != .sendDraft
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

  /// Removes an object that was gone when an operation arrived.
  ///
  /// A draft to be deleted that has become a message was sent instead; only its texts are given up.
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

  /// Ends the savings of a draft before its deletion.
  private mutating func endSavings(before deletion: Pending, _ occasion: Occasion) {
    let (entity, intent) = (deletion.entity, self[deletion.operation, Operations.intent] ?? 0)
    for operation in operations(of: entity.row)
    where self[operation, Operations.action] == .saveDraft
      && self[operation, Operations.intent] ?? 0 < intent
    { end(Pending(operation: operation, entity: entity), occasion) }
  }

  /// Returns the removal that an operation leads to.
  private mutating func removal(by operation: RowHandle, _ version: Int?) -> Removal {
    let action = self[operation, Operations.action]
    return Removal(
      version: version, isOwn: action == .deleteDraft || action == .delete,
      isOfDraft: self[operation, Operations.objectClass] == .draft)
  }

  /// Removes an object that the device deleted.
  private mutating func removeOwn(
    _ pending: Pending, _ version: Int?, _ occasion: Occasion
  ) throws(Refusal) {
    for operation in operations(of: pending.entity.row)
    where self[operation, Operations.action] == .saveDraft {
      remove(operation, from: pending.entity.row)
    }
    try remove(pending.entity, removal(by: pending.operation, version), occasion)
  }

  /// Returns whether the device decides about what an operation changes.
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

  /// Applies an operation to the base and ends it.
  private mutating func settle(_ pending: Pending, _ occasion: Occasion) {
    endOvertaken(by: pending, occasion)
    let (operation, entity) = (pending.operation, pending.entity)
    let (base, place) = (base(of: entity), threadPlace(of: entity))
    let wasTold = wasTold(pending, occasion)
    // If the answer's fact already reported the result, repeating that fact is no news.
    if put(operation, into: base, entity.kind) { departed(entity) }
    settleMessages(ofThread: pending, occasion)
    if !wasTold, let isReading = marking(by: operation) {
      settleMarking(of: entity, isReading: isReading, occasion)
    }
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

  /// Returns whether a server reported a message as it is to be marked before acknowledging that.
  ///
  /// It then also reports the effect on the thread, which may have received more messages since.
  private mutating func wasTold(_ pending: Pending, _ occasion: Occasion) -> Bool {
    let (operation, entity) = (pending.operation, pending.entity)
    guard entity.kind.objectClass == .message, isMet(operation, by: base(of: entity), entity.kind)
    else { return false }
    let answer = occasion.exchange ?? occasion.number
    return self[entity.row, InboxFields.told]?.rawValue ?? 0 < answer.rawValue
  }

  /// Applies the effect of reading a thread to the bases of its messages.
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

/// The effect of facts.
extension ReducerState {
  /// Ends operations that a fact about their object shows to be over.
  ///
  /// - Parameters:
  ///   - said: The fields that the fact reports.
  ///   - version: The object's version in the fact.
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

  /// How a fact ends an operation.
  private enum Ending {
    /// Everything that it wanted is so.
    case echo
    /// Something that it wanted has changed since.
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
  /// Whether the action creates an object or makes it match the local one.
  fileprivate var isSaving: Bool { self == .saveDraft || self == .saveTag || self == .addFile }
}
