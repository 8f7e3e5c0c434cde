package import EventStore

extension StoreSnapshot {
  /// Returns a draft as some intents want it: the server's state with their changes on top, in
  /// order, and with earlier changes that the server refused to save, which go with the next save.
  ///
  /// Changes by other intents are shown already, but not included: they may be held, or still be
  /// withdrawn.
  ///
  /// - Complexity: O(log n) for each operation on the draft
  package func draft(
    _ id: String, of account: UInt32, on standing: ServerStanding,
    wantedBy intents: Set<RecordNumber>
  ) throws -> Draft? {
    guard try heldObject(Draft.self, id, of: account, orDeleted: true) != nil else { return nil }
    var draft = try row(standing.base, in: standing.bases).flatMap(Draft.read)
    let last = intents.max() ?? .zero
    var next = standing.operation
    while let operation = next {
      var (saving, files): (RowID?, Set<String>) = (nil, [])
      next = nil
      lend(operation, in: Operations.collection) { row in
        next = row[Operations.next]
        let intent = RecordNumber(kept: row[Operations.intent] ?? 0)
        let isRefused = row[Operations.state] == .rejected && intent < last
        guard isRefused || intents.contains(intent) else { return }
        switch row[Operations.action] {
        case .saveDraft: saving = row[Operations.saving]
        case .attach: files = row[Operations.added] ?? []
        default: break
        }
      }
      if let saving = try saving.flatMap({ try row($0, in: Bases.savings) }) { draft?.take(saving) }
      draft?.fileIDs.formUnion(files)
    }
    return draft
  }
}

extension Draft {
  /// Applies the values of a save.
  fileprivate mutating func take(_ saving: Row) {
    let said = FieldBits(bitPattern: saving[InboxFields.known] ?? 0)
    for property in Self.properties {
      guard let field = property.field, said & field.bit != 0, Messages.saved.contains(field)
      else { continue }
      property.read(saving, &self)
      known |= Int64(bitPattern: field.bit)
    }
  }
}
