import EventStore

/// Drafts with unsent texts, which stay although their server removed them.
extension ReducerState {
  /// Keeps a draft being saved, or a message with an unsent text, as a draft that no server has
  /// reported; returns whether it did.
  mutating func keepDraft(_ entity: Entity, _ occasion: Occasion) -> Bool {
    let all = operations(of: entity.row)
    let actions = all.compactMap { self[$0, Operations.action] }
    guard actions.contains(.saveDraft),
      all.allSatisfy({ !isDeletion($0) || mayBeWithdrawn($0, occasion) })
    else { return false }
    let place = threadPlace(of: entity)
    let isBeingSaved = all.contains { isSavingUnderWay($0) }
    for operation in all where !staysWithText(operation) {
      keepSending(operation, of: entity, isBeingSaved)
    }
    for row in layers(of: entity) { self[row, Messages.kind] = .draft }
    takeOverBase(of: entity)
    hide(entity.row, .sent, false)
    own([.object, .mayBeBuried], of: entity)
    departed(entity)
    operationsChanged(of: entity, from: place, isReading: false, occasion)
    return true
  }

  /// Whether an operation deletes the object, under any id and whether as a draft or a message.
  private mutating func isDeletion(_ operation: RowHandle) -> Bool {
    let action = self[operation, Operations.action]
    return action == .delete || action == .deleteDraft
  }

  /// Whether the person can still take back a held operation.
  private mutating func mayBeWithdrawn(_ operation: RowHandle, _ occasion: Occasion) -> Bool {
    let until = self[operation, Operations.heldUntil]
    return self[operation, Operations.wasBegun] != true && until.map { occasion.now < $0 } ?? false
  }

  /// Whether an operation stays with a draft that its server no longer has.
  private mutating func staysWithText(_ operation: RowHandle) -> Bool {
    let action = self[operation, Operations.action]
    return action == .saveDraft || action == .attach || isDeletion(operation)
  }

  /// Whether a draft is being saved at its server, whose answer decides about what follows.
  private mutating func isSavingUnderWay(_ operation: RowHandle) -> Bool {
    self[operation, Operations.action] == .saveDraft
      && self[operation, Operations.state] == .started
  }

  /// Keeps the sending of a draft that its server no longer has if it did not begin, and ends other
  /// operations.
  ///
  /// The sending goes after a saving under way; without one, a person decides about it.
  private mutating func keepSending(
    _ operation: RowHandle, of draft: Entity, _ isBeingSaved: Bool
  ) {
    switch (self[operation, Operations.action], self[operation, Operations.state]) {
    case (.sendDraft, .rejected): break
    case (.sendDraft, .waiting), (.sendDraft, .deferred):
      if !isBeingSaved { leaveToPerson(operation) }
    default: remove(operation, from: draft.row)
    }
  }

  private mutating func leaveToPerson(_ sending: RowHandle) {
    change(sending) { row in
      row.enter(.rejected)
      row[Operations.rejection] = .conflict
    }
  }

  /// Leaves the sending of a draft that its server deleted to the person, once the saving for which
  /// it was kept has to be tried again.
  mutating func leaveSendings(of draft: Entity, _ occasion: Occasion) {
    guard owns(.object, of: draft), let stone = tombstone(of: draft, occasion),
      self[stone, Tombstones.isOwn] != true
    else { return }
    for operation in operations(of: draft.row)
    where self[operation, Operations.action] == .sendDraft {
      let state = self[operation, Operations.state]
      if state == .waiting || state == .deferred { leaveToPerson(operation) }
    }
    refresh(draft, occasion)
  }

  /// Adds the values of the base to the first saving of a draft, where it has none.
  private mutating func takeOverBase(of entity: Entity) {
    let base = base(of: entity)
    let operations = operations(of: entity.row)
    let first = operations.first { self[$0, Operations.saving] != nil }
    if let first, let saving = saving(of: first) {
      let said = FieldBits(bitPattern: self[saving, InboxFields.known] ?? 0)
      var told: FieldBits = 0
      change(base) { row in
        told = Messages.saved.reduce(0) { row.has($1) ? $0 | $1.bit : $0 }
      }
      let added = Set(Messages.saved.filter { (told & ~said) & $0.bit != 0 })
      copyValues(
        from: base, to: saving, except: Set(Messages.collection.fields).subtracting(added))
      self[saving, InboxFields.known] = Int64(bitPattern: said | told)
    }
    clear(base)
  }

  /// Clears a base.
  private mutating func clear(_ base: RowHandle) {
    change(base) { row in
      ObjectKind.message.clear(allBut: 0, in: &row)
      row[InboxFields.version] = nil
      ObjectKind.message.finish(&row, having: .max)
    }
  }
}
