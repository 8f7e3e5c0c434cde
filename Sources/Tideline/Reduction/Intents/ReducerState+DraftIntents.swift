import EventStore

/// Intents about drafts, tags and files.
extension ReducerState {
  /// Applies the saving of a draft.
  mutating func apply(_ intent: SaveDraft, _ occasion: Occasion) throws(Refusal) {
    guard let id = intent.draft.id else { throw Refusal("a draft without an id") }
    let found = lookUp(id, .message, occasion)
    if let found, !isShown(found) || self[found.row, Messages.kind] == .message { return }
    let entity = try draft(id, found, occasion)
    endRejectedSendings(of: entity)
    retryRejectedSavings(of: entity)
    let name = operationID(occasion.number, id, occasion)
    let saving = try write(intent.draft, of: .message, as: name, in: Bases.savings, occasion)
    try open(.saveDraft, on: entity, .draft, intent.terms, occasion, isAlways: true) {
      $0[Operations.saving] = saving.row
    }
  }

  /// Returns the draft with an id, creating it if needed.
  private mutating func draft(
    _ id: String, _ found: Entity?, _ occasion: Occasion
  ) throws(Refusal) -> Entity {
    if let found { return found }
    let entity = try makeObject(id, .message, occasion, owned: .object)
    self[entity.row, Messages.kind] = .draft
    return entity
  }

  private mutating func endRejectedSendings(of entity: Entity) {
    for operation in operations(of: entity.row)
    where self[operation, Operations.action] == .sendDraft
      && self[operation, Operations.state] == .rejected
    {
      remove(operation, from: entity.row)
    }
  }

  private mutating func retryRejectedSavings(of entity: Entity) {
    for operation in operations(of: entity.row)
    where self[operation, Operations.state] == .rejected {
      change(operation) { $0.enter(.waiting) }
    }
  }

  /// Applies the sending of a draft.
  mutating func apply(_ intent: SendDraft, _ occasion: Occasion) throws(Refusal) {
    guard let entity = shown(intent.id, .draft, occasion), !isSending(entity) else { return }
    endRejectedSendings(of: entity)
    try open(.sendDraft, on: entity, .draft, intent.terms, occasion, isAlways: true)
  }

  /// Whether a draft has a sending that the server has not refused.
  private mutating func isSending(_ entity: Entity) -> Bool {
    operations(of: entity.row).contains {
      self[$0, Operations.action] == .sendDraft && self[$0, Operations.state] != .rejected
    }
  }

  /// Applies the deletion of a draft.
  mutating func apply(_ intent: DeleteDraft, _ occasion: Occasion) throws(Refusal) {
    guard let entity = shown(intent.id, .draft, occasion) else { return }
    try open(.deleteDraft, on: entity, .draft, intent.terms, occasion, isAlways: true)
  }

  /// Applies the creation or renaming of a tag.
  mutating func apply(_ intent: SaveTag, _ occasion: Occasion) throws(Refusal) {
    guard let id = intent.tag.id else { throw Refusal("a tag without an id") }
    let found = lookUp(id, .tag, occasion)
    if let found, !isShown(found) { return }
    let entity: Entity
    if let found {
      entity = found
    } else {
      entity = try makeObject(id, .tag, occasion, owned: .object)
    }
    let name = intent.tag.text(.name)
    try open(.saveTag, on: entity, .tag, intent.terms, occasion, isAlways: true) {
      $0[Operations.name] = name
    }
  }

  /// Applies the upload of a new file, and its attachment to a draft.
  mutating func apply(_ intent: AddFile, _ occasion: Occasion) throws(Refusal) {
    guard let id = intent.file.id else { throw Refusal("a file without an id") }
    let found = lookUp(id, .file, occasion)
    if found == nil { try upload(intent, id, occasion) }
    guard let file = found ?? lookUp(id, .file, occasion), isShown(file),
      let draft = intent.draft.flatMap({ shown($0, .draft, occasion) })
    else { return }
    let own = objectID(of: file)
    try open(.attach, on: draft, .draft, intent.terms, occasion, isAlways: true) {
      $0.set(Operations.added, [own])
    }
  }

  private mutating func upload(
    _ intent: AddFile, _ id: String, _ occasion: Occasion
  ) throws(Refusal) {
    let entity = try makeObject(id, .file, occasion, owned: .object)
    self[entity.row, Attachments.localPath] = intent.content.isEmpty ? nil : intent.content
    let name = operationID(occasion.number, id, occasion)
    let upload = try write(intent.file, of: .file, as: name, in: Bases.uploads, occasion)
    try open(.addFile, on: entity, .file, intent.terms, occasion, isAlways: true) {
      $0[Operations.saving] = upload.row
    }
  }

  /// Applies the location of a file's content.
  mutating func apply(_ event: ContentStored, _ occasion: Occasion) {
    guard let entity = lookUp(event.id, .file, occasion) else { return }
    for row in layers(of: entity) { self[row, Attachments.localPath] = event.content }
  }
}
