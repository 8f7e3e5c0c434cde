import EventStore

/// The open state of objects: a base beside the visible row, and the operations in order.
extension ReducerState {
  /// Returns the row with the server's state of an object: its own, unless it has a separate base.
  mutating func base(of entity: Entity) -> RowHandle {
    guard let bases = entity.kind.bases,
      let base = self[entity.row, InboxFields.overlay]?.base
    else { return entity.row }
    return handle(of: base, in: bases)
  }

  /// Returns the rows of an object: the visible one, and its base if separate.
  mutating func layers(of entity: Entity) -> [RowHandle] {
    let base = base(of: entity)
    return base == entity.row ? [base] : [entity.row, base]
  }

  /// Returns whether an object has a separate base.
  mutating func isOpen(_ entity: Entity) -> Bool {
    self[entity.row, InboxFields.overlay]?.base != nil
  }

  /// Returns the open operations on an object, in the order of their intents.
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

  /// Inserts an operation into those of an object, in the order of their intents.
  mutating func add(_ operation: RowHandle, to row: RowHandle) {
    let intent = self[operation, Operations.intent] ?? 0
    let all = operations(of: row)
    let earlier = all.last { self[$0, Operations.intent] ?? 0 <= intent }
    let next = earlier.map { self[$0, Operations.next] } ?? all.first?.row
    change(operation) {
      $0[Operations.object] = RowLink(collection: row.collection, row: row.row)
      $0[Operations.next] = next
    }
    guard let earlier else { return setFirst(operation.row, of: row) }
    self[earlier, Operations.next] = operation.row
  }

  /// Removes an operation from those of an object and deletes it.
  mutating func remove(_ operation: RowHandle, from row: RowHandle) {
    let next = self[operation, Operations.next]
    if let earlier = predecessor(of: operation, on: row) {
      self[earlier, Operations.next] = next
    } else {
      setFirst(next, of: row)
    }
    if let saving = saving(of: operation) { delete(saving) }
    removeTimer(of: operation)
    delete(operation)
  }

  /// Returns the operation before another one on an object; `nil` if that is the first, or on
  /// another object.
  private mutating func predecessor(of operation: RowHandle, on row: RowHandle) -> RowHandle? {
    var earlier: RowHandle?
    var next = self[row, InboxFields.overlay]?.operation
    while let id = next, id != operation.row {
      let one = handle(of: id, in: Operations.collection)
      (earlier, next) = (one, self[one, Operations.next])
    }
    return next == nil ? nil : earlier
  }

  /// Moves all open operations from one object to another.
  mutating func moveOperations(from other: RowHandle, to row: RowHandle) {
    let all = operations(of: other)
    setFirst(nil, of: other)
    for operation in all { add(operation, to: row) }
  }

  private mutating func setFirst(_ operation: RowID?, of row: RowHandle) {
    var overlay = self[row, InboxFields.overlay] ?? OverlayLink()
    overlay.operation = operation
    self[row, InboxFields.overlay] = overlay == OverlayLink() ? nil : overlay
  }

  /// Returns the content that an operation saves or uploads.
  mutating func saving(of operation: RowHandle) -> RowHandle? {
    let isUpload = self[operation, Operations.action] == .addFile
    return self[operation, Operations.saving].map {
      handle(of: $0, in: isUpload ? Bases.uploads : Bases.savings)
    }
  }
}
