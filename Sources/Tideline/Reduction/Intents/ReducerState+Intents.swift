import EventStore

/// Intents of the person or the app.
extension ReducerState {
  /// Opens an operation on an object, unless its intent already has one there; returns the
  /// operation if it did.
  ///
  /// - Parameters:
  ///   - ordinal: The index of the object within the intent, from 0.
  ///   - fill: Sets what the operation wants.
  @discardableResult
  mutating func open(
    _ action: Operations.Action, on entity: Entity, _ objectClass: ObjectClass,
    _ terms: IntentTerms?, _ occasion: Occasion, ordinal: Int = 0, isAlways: Bool = false,
    _ fill: (inout MutableRow) -> Void = { _ in }
  ) throws(Refusal) -> RowHandle? {
    let item = objectID(of: entity)
    let id = operationID(occasion.number, item, occasion)
    guard let operation = try newOperation(id, occasion) else { return nil }
    let epoch = self[occasion.login, Accounts.epoch]
    try edit(operation) { row in
      row[Operations.account] = Int64(occasion.account)
      row[Operations.epoch] = epoch
      row[Operations.intent] = Int(occasion.number.rawValue)
      row[Operations.ordinal] = ordinal == 0 ? nil : ordinal
      row[Operations.action] = action
      row[Operations.objectClass] = objectClass
      row[Operations.item] = item
      row[Operations.state] = .waiting
      row[Operations.createdAt] = occasion.now
      row[Operations.heldUntil] = terms?.heldUntil
      row[Operations.waitsSince] = terms?.heldUntil == nil ? nil : occasion.now
      fill(&row)
    }
    let mayBeIdle = !isAlways && operations(of: entity.row).isEmpty
    // An effect of open operations on other objects may be undone.
    if mayBeIdle, layers(of: entity).allSatisfy({ isMet(operation, by: $0, entity.kind) }),
      !isReading(operation) || !hasUnread(entity, occasion)
    {
      delete(operation)
      return nil
    }
    let place = threadPlace(of: entity)
    add(operation, to: entity.row)
    operationsChanged(of: entity, from: place, isReading: isReading(operation), occasion)
    return operation
  }

  /// Returns a new operation with an id, or `nil` if there is one.
  ///
  /// The first of an intent is not looked up, unless a record before may have named it: one of
  /// which this is a further part, or one that foretold it.
  private mutating func newOperation(
    _ id: String, _ occasion: Occasion
  ) throws(Refusal) -> RowHandle? {
    let operations = Operations.collection
    let isFirst = occasion.cause == nil && touchedRows(of: operations, atMost: 0) != nil
    if isFirst, !isForetold(occasion.number) {
      return try create(id, in: operations)
    }
    return find(id, in: operations) == nil ? try row(id, in: operations) : nil
  }

  /// Returns whether a thread has visible messages that are unread, with or without their open
  /// operations.
  private mutating func hasUnread(_ entity: Entity, _ occasion: Occasion) -> Bool {
    guard entity.kind.objectClass == .thread else { return false }
    return messages(of: entity, occasion).contains { message in
      isShown(message) && layers(of: message).contains { self[$0, Messages.isUnread] == true }
    }
  }

  /// Returns the row id of an operation.
  func operationID(_ intent: RecordNumber, _ item: String, _ occasion: Occasion) -> String {
    Operations.id(of: intent, on: item, account: occasion.account)
  }

  /// Returns the object with an id, if it exists and is shown.
  mutating func shown(
    _ id: String, _ objectClass: ObjectClass, _ occasion: Occasion
  ) -> Entity? {
    guard let entity = object(id, objectClass, occasion), isShown(entity) else { return nil }
    return entity
  }

  /// Applies marking objects as read or unread.
  mutating func apply(_ intent: MarkRead, _ occasion: Occasion) throws(Refusal) {
    guard intent.isRead || occasion.switches.marksUnread else { return }
    for (ordinal, id) in intent.ids.enumerated() {
      guard let entity = shown(id, intent.objectClass, occasion),
        [.thread, .message, .rich].contains(intent.objectClass)
      else { continue }
      try open(.markRead, on: entity, intent.objectClass, intent.terms, occasion, ordinal: ordinal)
      {
        $0[Operations.isTrue] = intent.isRead
      }
    }
  }

  /// Applies adding and removing tags.
  mutating func apply(_ intent: ChangeTags, _ occasion: Occasion) throws(Refusal) {
    let added = ownIDs(ofTags: Set(intent.added), occasion.account)
    let removed = ownIDs(ofTags: Set(intent.removed), occasion.account)
    guard added.isDisjoint(with: removed) else {
      throw Refusal("the same tag is to be added and removed")
    }
    for (ordinal, id) in intent.ids.enumerated() {
      guard let entity = shown(id, intent.objectClass, occasion),
        [.thread, .message].contains(intent.objectClass)
      else { continue }
      try open(
        .changeTags, on: entity, intent.objectClass, intent.terms, occasion, ordinal: ordinal
      ) { row in
        row.set(Operations.added, added)
        row.set(Operations.removed, removed)
      }
    }
  }

  /// Applies a deletion.
  mutating func apply(_ intent: DeleteObjects, _ occasion: Occasion) throws(Refusal) {
    for (ordinal, id) in intent.ids.enumerated() where intent.objectClass != .draft {
      guard let entity = shown(id, intent.objectClass, occasion) else { continue }
      try open(
        .delete, on: entity, intent.objectClass, intent.terms, occasion, ordinal: ordinal)
    }
  }
}
