import EventStore

/// What is visible of objects: the base and above it the operations, in their order.
extension ReducerState {
  /// Makes anew what is visible of an object, if something is open on it.
  mutating func refreshIfOpen(_ entity: Entity, _ occasion: Occasion) {
    if isOpen(entity) { refresh(entity, occasion) }
  }

  /// Makes anew what is visible of an object, after its base or what is open on it has changed.
  ///
  /// An object on which nothing is open any more is its base again, or gone if it has none.
  ///
  /// - Parameter messages: Those that may have come into the thread that it is about just now.
  mutating func refresh(
    _ entity: Entity, with messages: [Entity] = [], _ occasion: Occasion
  ) {
    let operations = operations(of: entity.row)
    let consequence = consequence(for: entity, with: messages, occasion)
    guard !operations.isEmpty || consequence != nil else { return close(entity) }
    show(entity, operations, consequence)
  }

  /// Shows the base and above it the operations, and what those on others mean from an intent on.
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
    if operations.contains(where: { self[$0, Operations.state] == .rejected }) {
      self[entity.row, Messages.state] = .failed
    }
  }

  private mutating func lay(_ consequence: Consequence, over entity: Entity) {
    switch entity.kind.objectClass {
    case .thread: removeTags(consequence.tags, from: entity.row)
    default: self[entity.row, Messages.isUnread] = nil
    }
  }

  /// Gives an object a base beside it, if objects of its kind need one.
  private mutating func open(_ entity: Entity) {
    guard let bases = entity.kind.bases,
      let base = try? row(id(of: entity.row), in: bases)
    else { return }
    copyValues(from: entity.row, to: base)
    var overlay = self[entity.row, InboxFields.overlay] ?? OverlayLink()
    overlay.base = base.row
    self[entity.row, InboxFields.overlay] = overlay
  }

  private mutating func close(_ entity: Entity) {
    let overlay = self[entity.row, InboxFields.overlay]
    if overlay?.base != nil {
      let base = base(of: entity)
      copyValues(from: base, to: entity.row, except: Self.ownOfVisible)
      delete(base)
    }
    if overlay != nil { self[entity.row, InboxFields.overlay] = nil }
    hide(entity.row, .deleting, false)
    if owns(.object, of: entity) { delete(entity.row) }
  }

  /// What is not the server's to say.
  private static let ownOfVisible: Set = [InboxFields.hiding.declaration]
}
