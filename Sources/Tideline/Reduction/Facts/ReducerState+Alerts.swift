import EventStore

/// Pushes and how people respond to them.
extension ReducerState {
  /// Applies a push about a rich message where nothing better is known.
  mutating func apply(
    _ alert: AlertArrived, _ payload: RawSpan, _ occasion: Occasion
  ) throws(Refusal) {
    guard let id = alert.message.id, !id.isEmpty else { throw Refusal("an alert without an id") }
    let found = lookUp(id, .rich, occasion)
    guard found != nil || tombstone(id, .rich, occasion) == nil,
      !isForAnother(alert.message.text(.namespace), occasion)
    else { return }
    let entity: Entity
    if let found { entity = found } else { entity = try makeObject(id, .rich, occasion) }
    let base = base(of: entity)
    guard self[base, InboxFields.known] != -1 else { return noteTold(entity, occasion) }
    try fill(base, from: payload, isWhole: alert.message.change == .whole, occasion)
    told(of: entity, occasion)
    refreshIfOpen(entity, occasion)
    try refreshWindow(of: entity, occasion)
  }

  /// Whether the account that an alert names, by its server's id, is another account of the store
  /// than the one that it came to, such as one whose person has left.
  private mutating func isForAnother(_ named: String?, _ occasion: Occasion) -> Bool {
    guard let named, self[occasion.login, Accounts.serverID] != named else { return false }
    return rows(of: Accounts.collection).contains { self[$0, Accounts.serverID] == named }
  }

  private mutating func fill(
    _ base: RowHandle, from payload: RawSpan, isWhole: Bool, _ occasion: Occasion
  ) throws(Refusal) {
    let status = RichMessages.isRead.bit | RichMessages.isDeleted.bit
    _ = try write(into: base) { row throws(EventError) in
      let said = try ObjectKind.rich.write(
        payload, of: occasion.number, into: &row, ignoring: status, isFilling: true)
      ObjectKind.rich.finish(&row, having: said.fields)
      let known = (row[InboxFields.known] ?? 0) | Int64(bitPattern: said.known)
      row[InboxFields.known] = isWhole ? -1 : known
    }
  }

  /// Applies the opening of an alert, which may mark its message as read.
  mutating func apply(_ opened: AlertOpened, _ occasion: Occasion) throws(Refusal) {
    guard opened.marksRead ?? occasion.switches.openingMarksRead, !opened.id.isEmpty,
      !isForAnother(opened.namespace, occasion)
    else { return }
    let found = lookUp(opened.id, .rich, occasion)
    guard found != nil || tombstone(opened.id, .rich, occasion) == nil else { return }
    let entity: Entity
    if let found {
      guard self[found.row, InboxFields.hiding] == nil else { return }
      entity = found
    } else {
      entity = try makeObject(opened.id, .rich, occasion, owned: .object)
      hide(entity.row, .untold, true)
    }
    try open(.markRead, on: entity, .rich, opened.terms, occasion) {
      $0[Operations.isTrue] = true
    }
  }

  /// Applies a person's opening of a message.
  mutating func apply(_ opened: MessageOpened, _ occasion: Occasion) throws(Refusal) {
    guard let entity = shown(opened.id, opened.objectClass, occasion) else { return }
    if opened.objectClass == .rich {
      for row in layers(of: entity) {
        self[row, RichMessages.isOpened] = true
        if self[row, RichMessages.openedDate] == nil {
          self[row, RichMessages.openedDate] = occasion.now
        }
      }
    }
    try report(.reportOpened, of: entity, opened.objectClass, opened.key, occasion)
  }

  /// Applies the complete receipt of a message; a repeated receipt is not reported.
  mutating func apply(_ downloaded: MessageDownloaded, _ occasion: Occasion) throws(Refusal) {
    guard let entity = shown(downloaded.id, downloaded.objectClass, occasion),
      !owns(.isReceived, of: entity)
    else { return }
    own(.isReceived, of: entity)
    try report(.reportDownloaded, of: entity, downloaded.objectClass, downloaded.key, occasion)
  }

  private mutating func report(
    _ action: Operations.Action, of entity: Entity, _ objectClass: ObjectClass,
    _ key: OperationKey, _ occasion: Occasion
  ) throws(Refusal) {
    guard self[occasion.login, Accounts.privacy] ?? .unrestricted == .unrestricted else {
      return
    }
    try open(action, on: entity, objectClass, nil, occasion, isAlways: true)
  }
}
