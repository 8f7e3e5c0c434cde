package import EventStore

/// The initial row of an object that was unknown before.
///
/// It needs no reducer state, so a row can be sketched before its record's turn.
struct NewObject {
  let kind: ObjectKind
  /// The first record about the object, its time and its account.
  let record: RecordNumber
  let now: Timestamp
  let account: UInt32

  /// Describes the object of a record.
  init(_ kind: ObjectKind, _ occasion: Occasion) {
    (self.kind, record) = (kind, occasion.number)
    (now, account) = (occasion.now, occasion.account)
  }

  /// Describes the object of a fact's record, which counts for the account.
  init(_ kind: ObjectKind, _ event: borrowing RecordView, of account: UInt32) {
    (self.kind, record) = (kind, event.number)
    (now, self.account) = (event.header.recordedAt, account)
  }

  /// Writes the initial values of every object.
  func begin(_ row: inout MutableRow, owned: Making.Owned = []) {
    row[InboxFields.account] = Int64(account)
    row[InboxFields.known] = 0
    row[InboxFields.making] = Making(
      record, owned: owned.contains(.object) ? owned.union(.mayBeBuried) : owned)
    switch kind.objectClass {
    case .thread: row[Threads.effectiveDate] = now
    case .message: row[Messages.effectiveDate] = now
    case .rich: row[RichMessages.effectiveDate] = now
    default: break
    }
  }

  /// Writes everything that a fact reports.
  func fill(
    _ row: inout MutableRow, with fact: Fact, _ payload: RawSpan
  ) throws(EventError) {
    begin(&row)
    row[InboxFields.told] = Mark(rawValue: record.rawValue)
    row[InboxFields.digest] = Mark(rawValue: try ObjectFields.digest(of: payload))
    if kind.objectClass == .message {
      row[Messages.kind] = fact.objectClass == .draft ? .draft : .message
    }
    _ = try kind.apply(fact, payload, of: record, into: &row)
  }
}

extension InboxReducer {
  /// The most files of a message that are sketched; each is looked up among all of its record.
  private static let sketchedFilesMax = 100

  /// Sketches the object that a fact creates, if any, and its files unless there are too many.
  package func sketch(_ event: borrowing RecordView, _ sketches: inout RowSketches) {
    let header = event.header
    guard let objectClass = ObjectClass(header.kind), let kind = ObjectKind.of(objectClass),
      let account = header.login?.account, header.version == ObjectFact.version
    else { return }
    let object = NewObject(kind, event, of: account)
    sketch(object, objectClass, event.payload, &sketches)
    guard kind.objectClass == .message else { return }
    guard var files = try? ObjectReader.files(in: event.payload) else { return }
    var (count, counter) = (0, files)
    while count <= Self.sketchedFilesMax, (try? counter.next()) != nil { count += 1 }
    // Either all, so that no file beyond the limit has the id of one that is sketched, or none.
    guard count <= Self.sketchedFilesMax else { return }
    let file = NewObject(.file, event, of: account)
    while let payload = try? files.next()?.payload { sketch(file, .file, payload, &sketches) }
  }

  private func sketch(
    _ object: NewObject, _ objectClass: ObjectClass, _ payload: RawSpan,
    _ sketches: inout RowSketches
  ) {
    guard
      var fact = try? Fact(
        objectClass, object.kind, payload, of: object.account, in: &sketches.spares)
    else { return }
    if !fact.isDeletion { sketch(object, fact, payload, &sketches) }
    fact.giveBack(to: &sketches.spares)
  }

  private func sketch(
    _ object: NewObject, _ fact: Fact, _ payload: RawSpan, _ sketches: inout RowSketches
  ) {
    try? sketches.add(fact.key.row, to: object.kind.collection) { row throws(EventError) in
      try object.fill(&row, with: fact, payload)
    }
  }
}
