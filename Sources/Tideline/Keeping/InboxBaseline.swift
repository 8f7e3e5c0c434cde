package import EventStore

/// The replacement for an inbox's records up to a floor: the state of each thing, and the texts and
/// intents to which it refers.
///
/// It reads the rows at the floor, which must not change. Two threads must not use it at once.
package final class InboxBaseline {
  /// Returns the record with a number, or `nil` if there is none; throws `compacted` if it was
  /// compacted away before.
  package typealias Lookup = (RecordNumber) throws -> Record?

  private let folded: FoldedRows
  private let survey: BaselineSurvey
  private let plan: BaselinePlan
  private let floor: RecordNumber
  private let fingerprint: (String) -> Fingerprint
  private let lookUp: Lookup
  private var epochs: [UInt32: UInt32] = [:]

  /// The maximum number of records that are made at once.
  private static let countMax = 64

  /// Creates the replacement up to a replay's position; returns `nil` if nothing would be gained.
  package convenience init?(_ replay: Replay, at floor: RecordNumber) throws {
    let log = replay.log
    try self.init(
      replay.foldedRows, at: floor, fingerprint: { log.fingerprint(of: $0) },
      lookUp: { try log.record($0) })
  }

  /// Creates the replacement up to a floor; returns `nil` if nothing would be gained.
  ///
  /// - Parameters:
  ///   - folded: The rows at the floor.
  ///   - floor: The last record to replace.
  ///   - fingerprint: Returns the fingerprint by which a record names its subject.
  ///   - lookUp: Looks up the records up to the floor.
  package init?(
    _ folded: FoldedRows, at floor: RecordNumber,
    fingerprint: @escaping (String) -> Fingerprint, lookUp: @escaping Lookup
  ) throws {
    let survey = try BaselineSurvey(folded)
    guard let plan = BaselinePlan(survey, upTo: floor) else { return nil }
    (self.folded, self.survey, self.plan, self.floor) = (folded, survey, plan, floor)
    (self.fingerprint, self.lookUp) = (fingerprint, lookUp)
    let shape = Accounts.collection.shape
    var epochs: [UInt32: UInt32] = [:]
    try folded.forEachRow(of: Accounts.collection) { _, row in
      guard let account = row[InboxFields.account, shape], let epoch = row[Accounts.epoch, shape]
      else { return }
      epochs[UInt32(truncatingIfNeeded: account)] = UInt32(truncatingIfNeeded: epoch)
    }
    self.epochs = epochs
  }

  /// The number of records.
  package var count: Int { plan.entries.count }

  /// Returns the next records after a number, in ascending order; none after the last.
  ///
  /// - Throws: `StoreError`; `LogError.damagedRecord` if a text can't be read.
  package func records(after last: RecordNumber) throws -> [BaselineRecord] {
    let entries = plan.entries
    var rest = entries[entries.lowerBound(where: { $0.number <= last.rawValue })...]
    guard let end = try lookUp(floor)?.header.recordedAt else { return [] }
    while !rest.isEmpty {
      let next = rest.prefix(Self.countMax)
      let records = try next.compactMap { try record($0, end) }
      // Texts that were erased leave no record; more may follow even if none of these did.
      if !records.isEmpty { return records }
      rest = rest.dropFirst(next.count)
    }
    return []
  }

  private func record(
    _ entry: BaselinePlan.Entry, _ time: Timestamp
  ) throws -> BaselineRecord? {
    let number = RecordNumber(rawValue: entry.number)
    if entry.content == .intent { return try intent(entry) }
    var event = Event(kind: StateKept.kind, version: StateKept.version, recordedAt: time)
    var kept = StateKept()
    let fields = survey.fields(at: entry.number)
    if !fields.isEmpty, let found = try texts(fields, in: number) {
      kept.texts = found.texts
      event.recordedAt = found.header.recordedAt
      (event.login, event.entity) = (found.header.login, found.header.entity)
    }
    if entry.content == .thing { kept.rows = try rows(of: entry.thing) }
    // If the texts were erased, nothing is left to keep.
    guard kept.texts.id != nil || entry.content == .thing else { return nil }
    if entry.content == .thing || event.login == nil || event.entity == nil {
      try name(entry.thing, &event, &kept.texts)
    }
    return .written(event, as: number) { kept.encode(into: &$0) }
  }

  /// Returns an intent as it is, but with a login if it has none.
  private func intent(_ entry: BaselinePlan.Entry) throws -> BaselineRecord? {
    let number = RecordNumber(rawValue: entry.number)
    guard let record = try lookUp(number), record.header.login == nil else {
      return .kept(number)
    }
    let header = record.header
    var event = Event(
      kind: header.kind, version: header.version, origin: header.origin,
      recordedAt: header.recordedAt, cause: header.cause.map { .record($0) },
      exchange: header.exchange.map { .record($0) })
    var texts = ObjectFields()
    try name(entry.thing, &event, &texts)
    let fields = try PayloadFields(decoding: record.payload.payloadBytes)
    return .written(event, as: number) { $0.put(fields) }
  }

  /// Sets the login and the entity of a record.
  private func name(
    _ thing: KeptThing, _ event: inout Event, _ texts: inout ObjectFields
  ) throws {
    let row = thing.row
    let id = try folded.withRow(row.row, of: row.collection) { $0?.name } ?? ""
    // A tombstone's id begins with the number of the deleted object's collection.
    let stone = thing.role == .tombstone ? Message.name(of: id) : nil
    let rowID = stone?.id ?? id
    let collection = stone.map { UInt8(truncatingIfNeeded: $0.account) }
    let kind = ObjectKind.all.first {
      $0.collection.number == collection ?? thing.row.collection.number
    }
    let name = Message.name(of: rowID)
    let account = name?.account ?? UInt32(id) ?? 0
    event.login = Login(account: account, epoch: epochs[account] ?? 0)
    texts.put(.id, name?.id ?? id)
    guard let kind else { return }
    event.entity = fingerprint("\(kind.objectClass.rawValue)/\(rowID)")
  }
}

extension InboxBaseline {
  /// Returns the rows that describe a thing.
  private func rows(of thing: KeptThing) throws -> [RowKept] {
    var rows = [try row(thing.row)]
    switch thing.role {
    case .object: rows += try folded.rowsBehind(thing.row).map { try row($0) }
    case .gone: rows[0].isGone = true
    case .tombstone: break
    case .account:
      let place = Accounts.floor.number
      rows[0].values.fields[place] = .integer(Int64(bitPattern: floor.rawValue))
      let account = Int64(rows[0].id) ?? 0
      rows += try (survey.belongings[account] ?? []).map { try row($0) }
    }
    return rows
  }

  /// Returns some fields of a record's payload, and its id; `nil` if they were erased or don't
  /// exist.
  private func texts(
    _ fields: Set<Int>, in number: RecordNumber
  ) throws -> (texts: ObjectFields, header: RecordHeader)? {
    do {
      guard let record = try lookUp(number), !record.header.isErased else { return nil }
      return (ObjectFields(fields, of: record.payload.payloadBytes), record.header)
    } catch LogError.compacted {
      return nil
    }
  }

  private func row(_ key: RowKey) throws -> RowKept {
    let (collection, shape) = (key.collection, key.collection.shape)
    let fields = RowRole(collection).values(of: collection)
    return try folded.withRow(key.row, of: collection) { row in
      RowKept {
        $0.collection = Int64(collection.number)
        $0.id = row?.name ?? ""
        if let row, row.isPresent { $0.values = RowValues(row.values(fields, shape)) }
        $0.aliases = survey.aliases[key] ?? []
        $0.due = survey.dues[key]
      }
    }
  }
}

extension BaselineSurvey {
  /// Returns the fields of a record to which rows refer.
  fileprivate func fields(at number: UInt64) -> Set<Int> {
    let first = texts.lowerBound(where: { $0.record < number })
    return Set(texts[first...].prefix { $0.record == number }.map { Int($0.field) })
  }
}

extension ObjectFields {
  /// Creates some fields of a payload, and the object's id.
  fileprivate init(_ fields: Set<Int>, of payload: RawSpan) {
    self.init()
    var reader = PayloadReader(payload)
    while let found = try? reader.next() {
      guard fields.contains(found.number) || found.number == ObjectField.id.rawValue,
        let field = ObjectField(rawValue: found.number),
        let value = try? PayloadValue(reading: found)
      else { continue }
      put(raw: field) { writer, number in writer.put(number, value) }
    }
  }
}
