package import EventStore

/// The initial row of an object that was unknown before.
///
/// It needs no reducer state, so a row can be sketched before its record's turn.
struct NewObject {
  /// The class of the object's kind.
  let objectClass: ObjectClass
  /// The first record about the object, its time and its account.
  let record: RecordNumber
  let now: Timestamp
  let account: UInt32

  /// Describes the object of a record.
  init(_ kind: ObjectKind, _ occasion: Occasion) {
    (objectClass, record) = (kind.objectClass, occasion.number)
    (now, account) = (occasion.now, occasion.account)
  }

  /// Describes the object of a fact's record, which counts for the account.
  init(_ kind: ObjectKind, _ event: borrowing RecordView, of account: UInt32) {
    (objectClass, record) = (kind.objectClass, event.number)
    (now, self.account) = (event.header.recordedAt, account)
  }

  /// Writes the initial values of every object.
  func begin(_ row: inout MutableRow, owned: Making.Owned = []) {
    row[InboxFields.account] = Int64(account)
    row[InboxFields.known] = 0
    row[InboxFields.making] = Making(
      record, owned: owned.contains(.object) ? owned.union(.mayBeBuried) : owned)
    switch objectClass {
    case .thread: row[Threads.effectiveDate] = now
    case .message: row[Messages.effectiveDate] = now
    case .rich: row[RichMessages.effectiveDate] = now
    default: break
    }
  }

  /// Writes everything that a fact reports.
  func fill(
    _ row: inout MutableRow, with fact: Fact, _ kind: ObjectKind, _ payload: RawSpan
  ) throws(EventError) {
    begin(&row)
    row[InboxFields.told] = Mark(rawValue: record.rawValue)
    row[InboxFields.digest] = Mark(rawValue: try ObjectFields.digest(of: payload))
    if objectClass == .message {
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
    guard let objectClass = ObjectClass(header.kind), let account = header.login?.account,
      header.version == ObjectFact.version
    else { return }
    ObjectKind.with(objectClass) { kind in
      let object = NewObject(kind, event, of: account)
      sketch(object, kind, objectClass, event.payload, &sketches)
      guard kind.objectClass == .message else { return }
      // Either all, so that no other file has the id of one that is sketched, or none.
      let before = sketches.end
      let file = NewObject(.file, event, of: account)
      if !sketchFiles(file, event.payload, &sketches) { sketches.removeAll(after: before) }
    }
  }

  /// Sketches the files of a message; returns whether it sketched all.
  private func sketchFiles(
    _ object: NewObject, _ payload: RawSpan, _ sketches: inout RowSketches
  ) -> Bool {
    do throws(PayloadError) {
      var (files, count) = (try ObjectReader.files(in: payload), 0)
      while let file = try files?.next()?.payload {
        count += 1
        guard count <= Self.sketchedFilesMax, sketch(object, .file, .file, file, &sketches) else {
          return false
        }
      }
      return true
    } catch {
      return false
    }
  }

  /// Sketches the object that a fact creates, if any; returns whether it has a sketch of its own.
  @discardableResult
  private func sketch(
    _ object: NewObject, _ kind: ObjectKind, _ objectClass: ObjectClass, _ payload: RawSpan,
    _ sketches: inout RowSketches
  ) -> Bool {
    guard
      var fact = try? Fact(objectClass, kind, payload, of: object.account, in: &sketches.spares)
    else { return false }
    let before = sketches.end
    if !fact.isDeletion { sketch(object, kind, fact, payload, &sketches) }
    fact.giveBack(to: &sketches.spares)
    return sketches.end > before
  }

  private func sketch(
    _ object: NewObject, _ kind: ObjectKind, _ fact: Fact, _ payload: RawSpan,
    _ sketches: inout RowSketches
  ) {
    try? sketches.add(fact.key.row, to: kind.collection) { row throws(EventError) in
      try object.fill(&row, with: fact, kind, payload)
    }
  }
}
