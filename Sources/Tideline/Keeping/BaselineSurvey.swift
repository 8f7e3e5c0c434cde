import EventStore

/// The state of an inbox at a floor, and the records to which it refers.
struct BaselineSurvey {
  /// All things to be recorded.
  private(set) var things: [KeptThing] = []
  /// The intents of open operations, which are needed to send them, each with the index of a thing
  /// on which it is open.
  private(set) var intents: [UInt64: Int] = [:]
  /// The texts to which rows refer.
  private(set) var texts: [KeptText] = []
  /// The additional ids of rows.
  private(set) var aliases: [RowKey: [String]] = [:]
  /// The times at which rows have something due.
  private(set) var dues: [RowKey: Timestamp] = [:]
  /// The rows that belong to an account, but to none of its objects.
  private(set) var belongings: [Int64: [RowKey]] = [:]
  private let rows: FoldedRows

  /// A text to which rows refer.
  struct KeptText {
    let record: UInt64
    let field: UInt16
    /// The index of the thing whose row refers to it.
    let owner: Int
  }

  /// Surveys the state that rows are in.
  init(_ rows: FoldedRows) throws {
    self.rows = rows
    try findAliases()
    try findDues()
    try findAccounts()
    for kind in ObjectKind.all { try findObjects(kind) }
    try findTombstones()
    texts.sort { ($0.record, $0.field) < ($1.record, $1.field) }
  }

  private mutating func findAliases() throws {
    for collection in ObjectKind.all.map(\.collection) + [Operations.collection] {
      var found: [(String, RowKey)] = []
      try rows.forEachAlias(of: collection) { found.append(($0, RowKey($1, in: collection))) }
      for (alias, row) in found { aliases[row, default: []].append(alias) }
    }
  }

  private mutating func findDues() throws {
    var found: [(RowKey, Timestamp)] = []
    let shape = Timers.collection.shape
    try rows.forEachRow(of: Timers.collection) { _, row in
      guard let subject = row[Timers.subject, shape], let due = row[Timers.due, shape] else {
        return
      }
      let collection = InboxReducer.collections[Int(subject.collection)]
      found.append((RowKey(subject.row, in: collection), due))
    }
    dues = Dictionary(found) { $1 }
  }

  private mutating func findAccounts() throws {
    for (collection, field) in [
      (Cursors.collection, Cursors.account), (Answers.collection, Answers.account),
    ] {
      var found: [(Int64, RowKey)] = []
      try rows.forEachRow(of: collection) { id, row in
        found.append((row[field, collection.shape] ?? 0, RowKey(id, in: collection)))
      }
      for (account, row) in found { belongings[account, default: []].append(row) }
    }
    try add(.account, of: Accounts.collection) { _ in 0 }
  }

  private mutating func findTombstones() throws {
    let shape = Tombstones.collection.shape
    try add(.tombstone, of: Tombstones.collection) { row in
      row[Tombstones.record, shape]?.rawValue ?? 0
    }
  }

  private mutating func findObjects(_ kind: ObjectKind) throws {
    let shape = kind.collection.shape
    let first = things.count
    try add(.object, of: kind.collection) { row in
      row[InboxFields.told, shape]?.rawValue
        ?? row[InboxFields.making, shape]?.record.rawValue ?? 0
    }
    for index in first..<things.count { try findOpen(on: things[index].row, owner: index) }
    try findGone(kind.collection)
  }

  /// Finds the objects that have several ids but no longer exist.
  private mutating func findGone(_ collection: RowCollection) throws {
    for row in aliases.keys where row.collection.number == collection.number {
      let isThere = try rows.withRow(row.row, of: collection) { RowView.isPresent($0) }
      if !isThere { things.append(KeptThing(role: .gone, row: row, number: 0)) }
    }
  }

  private mutating func add(
    _ role: KeptThing.Role, of collection: RowCollection, _ number: (RowView) -> UInt64
  ) throws {
    var (things, texts) = (things, texts)
    (self.things, self.texts) = ([], [])
    try rows.forEachRow(of: collection) { id, row in
      row.forEachReference(collection.shape) { texts.append(KeptText($0, owner: things.count)) }
      let number = number(row)
      things.append(KeptThing(role: role, row: RowKey(id, in: collection), number: number))
    }
    (self.things, self.texts) = (things, texts)
  }

  /// Finds the intents and texts of an object's base and operations.
  private mutating func findOpen(on object: RowKey, owner: Int) throws {
    for row in try rows.rowsBehind(object) {
      let shape = row.collection.shape
      try rows.withRow(row.row, of: row.collection) { view in
        guard let view else { return }
        view.forEachReference(shape) { texts.append(KeptText($0, owner: owner)) }
        guard row.collection.number == Operations.collection.number,
          let intent = view[Operations.intent, shape]
        else { return }
        intents[UInt64(clamping: intent)] = owner
      }
    }
  }
}

extension BaselineSurvey.KeptText {
  fileprivate init(_ reference: TextReference, owner: Int) {
    self.init(record: reference.record.rawValue, field: reference.field, owner: owner)
  }
}

extension FoldedRows {
  /// Returns the rows that belong to an object: its base, and its operations in order, each before
  /// its saved or uploaded content.
  func rowsBehind(_ object: RowKey) throws(StoreError) -> [RowKey] {
    let shape = object.collection.shape
    let overlay = try withRow(object.row, of: object.collection) { $0?[InboxFields.overlay, shape] }
    var rows: [RowKey] = []
    let kind = ObjectKind.all.first { $0.collection.number == object.collection.number }
    if let base = overlay?.base, let bases = kind?.bases { rows.append(RowKey(base, in: bases)) }
    var next = overlay?.operation
    while let operation = next {
      rows.append(RowKey(operation, in: Operations.collection))
      let shape = Operations.collection.shape
      (next, rows) = try withRow(operation, of: Operations.collection) { row in
        guard let row else { return (nil, rows) }
        let isUpload = row[Operations.action, shape] == .addFile
        let saving = row[Operations.saving, shape].map {
          RowKey($0, in: isUpload ? Bases.uploads : Bases.savings)
        }
        return (row[Operations.next, shape], rows + (saving.map { [$0] } ?? []))
      }
    }
    return rows
  }
}

extension RowView {
  /// The value of a field, or `nil` if it is absent.
  subscript<Value: FieldValue>(field: Field<Value>, shape: RowShape) -> Value? {
    value(field.declaration.index, shape, as: Value.self)
  }
}
