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
    for change in changes(of: standing, wantedBy: intents) {
      if let saving = try change.saving.flatMap({ try row($0, in: Bases.savings) }) {
        draft?.take(saving)
      }
      draft?.fileIDs.formUnion(change.files)
    }
    return draft
  }

  /// Returns the files of a draft after each of some intents, of which the first, the first two and
  /// so on are carried out.
  ///
  /// - Parameter intents: The intents, in order.
  /// - Complexity: O(log n) for each operation on the draft
  package func files(
    on standing: ServerStanding, after intents: [RecordNumber]
  ) -> [Set<String>] {
    var (files, all): (Set<String>, [Set<String>]) = (files(toldIn: standing), [])
    let wanted = Set(intents)
    for change in changes(of: standing, wantedBy: wanted) {
      files = (change.saving.flatMap { savedFiles($0) } ?? files).union(change.files)
      if wanted.contains(change.intent) { all.append(files) }
    }
    return all
  }

  /// Returns the files of a draft according to its server.
  package func files(toldIn standing: ServerStanding) -> Set<String> {
    var files: Set<String> = []
    lend(standing.base, in: standing.bases) { files = $0[Messages.fileIDs] ?? [] }
    return files
  }

  /// Returns the files that a saving leaves a draft with; `nil` if it leaves them as they are.
  private func savedFiles(_ saving: RowID) -> Set<String>? {
    var files: Set<String>?
    lend(saving, in: Bases.savings) { row in
      let said = FieldBits(bitPattern: row[InboxFields.known] ?? 0)
      if said & Messages.fileIDs.bit != 0 { files = row[Messages.fileIDs] ?? [] }
    }
    return files
  }

  /// Returns the changes that some intents make to a draft, and the refused ones before the last of
  /// them, in order.
  private func changes(
    of standing: ServerStanding, wantedBy intents: Set<RecordNumber>
  ) -> [DraftChange] {
    let last = intents.max() ?? .zero
    var changes: [DraftChange] = []
    for operation in operations(from: standing.operation) {
      lend(operation, in: Operations.collection) { row in
        let intent = RecordNumber(kept: row[Operations.intent] ?? 0)
        let isRefused = row[Operations.state] == .rejected && intent < last
        guard isRefused || intents.contains(intent) else { return }
        switch row[Operations.action] {
        case .saveDraft:
          changes.append(DraftChange(intent: intent, saving: row[Operations.saving]))
        case .attach:
          changes.append(DraftChange(intent: intent, files: row[Operations.added] ?? []))
        default: break
        }
      }
    }
    return changes
  }
}

/// A change to a draft by an operation.
private struct DraftChange {
  let intent: RecordNumber
  /// The contents that the draft is saved with.
  var saving: RowID?
  /// The files that it gets.
  var files: Set<String> = []
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
