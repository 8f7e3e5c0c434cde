import EventStore

/// What is open on objects: visible is the base and above it the operations, in their order.
extension State {
  /// The row with what the server says of an object: its own, unless something is open on it.
  mutating func base(of entity: Entity) -> RowHandle {
    guard let bases = entity.kind.bases,
      let base = self[entity.row, InboxFields.overlay]?.base
    else { return entity.row }
    return handle(of: base, in: bases)
  }

  /// Whether the visible object has a base of its own beside it.
  mutating func isOpen(_ entity: Entity) -> Bool {
    self[entity.row, InboxFields.overlay]?.base != nil
  }

  /// The operations that are open on an object, in the order of their intents.
  mutating func operations(of row: RowHandle) -> [RowHandle] {
    var operations: [RowHandle] = []
    var next = self[row, InboxFields.overlay]?.operation
    while let id = next {
      let operation = handle(of: id, in: Operations.collection)
      operations.append(operation)
      next = self[operation, Operations.next]
    }
    return operations
  }

  /// Adds an operation behind the others of an object.
  mutating func add(_ operation: RowHandle, to row: RowHandle) {
    self[operation, Operations.object] = RowLink(collection: row.collection, row: row.row)
    if let last = operations(of: row).last {
      self[last, Operations.next] = operation.row
    } else {
      var overlay = self[row, InboxFields.overlay] ?? OverlayLink()
      overlay.operation = operation.row
      self[row, InboxFields.overlay] = overlay
    }
  }

  /// Takes an operation out of those of an object, and deletes it.
  mutating func remove(_ operation: RowHandle, from row: RowHandle) {
    let next = self[operation, Operations.next]
    let all = operations(of: row)
    if let place = all.firstIndex(of: operation), place > 0 {
      self[all[place - 1], Operations.next] = next
    } else {
      var overlay = self[row, InboxFields.overlay] ?? OverlayLink()
      overlay.operation = next
      self[row, InboxFields.overlay] = overlay == OverlayLink() ? nil : overlay
    }
    if let saving = saving(of: operation) { delete(saving) }
    removeTimer(of: operation)
    delete(operation)
  }

  /// Makes anew what follows from the operations that are open on an object, after one more or one
  /// fewer is.
  mutating func operationsChanged(
    of entity: Entity, from place: ThreadPlace?, isReading: Bool, _ occasion: Occasion
  ) {
    refresh(entity, occasion)
    moveInThreads(entity, from: place, occasion)
    if let thread = thread(of: entity, occasion) { refresh(thread, occasion) }
    guard isReading, entity.kind.objectClass == .thread else { return }
    for message in messages(of: entity, occasion) { refresh(message, occasion) }
    refreshIfOpen(entity, occasion)
  }

  /// Makes anew what is visible of an object, if something is open on it.
  mutating func refreshIfOpen(_ entity: Entity, _ occasion: Occasion) {
    if isOpen(entity) { refresh(entity, occasion) }
  }

  /// Makes anew what is visible of an object, after its base or what is open on it has changed.
  ///
  /// An object on which nothing is open any more is its base again, or gone if it has none.
  mutating func refresh(_ entity: Entity, _ occasion: Occasion) {
    let operations = operations(of: entity.row)
    let consequence = consequence(for: entity, occasion)
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
    case .thread: subtract(consequence.tags, from: entity.row)
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
    if self[entity.row, InboxFields.making]?.owned.contains(.object) == true {
      delete(entity.row)
    }
  }

  /// What is not the server's to say.
  private static let ownOfVisible: Set = [InboxFields.hiding.declaration]
}
