import EventStore

/// The visible state of objects: the base, with the operations applied in order.
extension ReducerState {
  /// Refreshes the visible state of an object if it has a separate base.
  mutating func refreshIfOpen(_ entity: Entity, _ occasion: Occasion) {
    if isOpen(entity) { refresh(entity, occasion) }
  }

  /// Refreshes the visible state of an object after its base or its open operations changed.
  ///
  /// An object without open operations becomes its base again, or is deleted if it has none.
  ///
  /// - Parameter messages: Messages that may have just entered this thread.
  mutating func refresh(
    _ entity: Entity, with messages: [Entity] = [], _ occasion: Occasion
  ) {
    let operations = operations(of: entity.row)
    let consequence = consequence(for: entity, with: messages, occasion)
    guard !operations.isEmpty || consequence != nil else { return close(entity, occasion) }
    show(entity, operations, consequence)
  }

  /// Shows the base, with its operations and the effect of others applied in order of intents.
  private mutating func show(
    _ entity: Entity, _ operations: [RowHandle], _ consequence: Consequence?
  ) {
    if isOpen(entity) {
      copyValues(from: base(of: entity), to: entity.row, except: Self.ownOfVisible)
    } else {
      open(entity)
    }
    hide(entity.row, .deleting, false)
    var consequence = consequence
    for operation in operations {
      if let due = consequence, due.intent < self[operation, Operations.intent] ?? 0 {
        lay(due, over: entity)
        consequence = nil
      }
      lay(operation, over: entity)
    }
    if let consequence { lay(consequence, over: entity) }
    if entity.kind.objectClass == .message,
      operations.contains(where: { self[$0, Operations.state] == .rejected })
    {
      self[entity.row, Messages.state] = .failed
    }
  }

  private mutating func lay(_ consequence: Consequence, over entity: Entity) {
    switch entity.kind.objectClass {
    case .thread:
      removeTags(consequence.tags, from: entity.row)
      if consequence.isUnread { change(entity.row) { $0.set(Threads.tagIDs, "unread", true) } }
    default: self[entity.row, Messages.isUnread] = nil
    }
  }

  /// Gives an object a separate base, if its kind needs one.
  private mutating func open(_ entity: Entity) {
    guard let bases = entity.kind.bases,
      let base = try? row(like: entity.row, in: bases)
    else { return }
    copyValues(from: entity.row, to: base)
    var overlay = self[entity.row, InboxFields.overlay] ?? OverlayLink()
    overlay.base = base.row
    self[entity.row, InboxFields.overlay] = overlay
  }

  private mutating func close(_ entity: Entity, _ occasion: Occasion) {
    let overlay = self[entity.row, InboxFields.overlay]
    if overlay?.base != nil {
      let base = base(of: entity)
      copyValues(from: base, to: entity.row, except: Self.ownOfVisible)
      delete(base)
    }
    if overlay != nil { self[entity.row, InboxFields.overlay] = nil }
    hide(entity.row, .deleting, false)
    if owns(.object, of: entity) { vanish(entity, occasion) }
  }

  /// Fields outside the server's control.
  private static let ownOfVisible: Set = [InboxFields.hiding.declaration]
}
