import EventStore

/// The fields of a row that something was said of: bit n for the field numbered n + 1.
typealias FieldBits = UInt64

extension FieldDeclaration {
  var bit: FieldBits { 1 << FieldBits(index) }
}

extension Field {
  var bit: FieldBits { 1 << FieldBits(number - 1) }
}

extension FieldBits {
  /// That a thread's list of tags says of states as well, such as unread, which labels don't.
  static let marks: FieldBits = 1 << 63
}

/// What a fact says something of.
struct Said {
  /// The fields that it says all of.
  var fields: FieldBits
  /// Those, and those that it says a part of.
  var known: FieldBits
}

extension ObjectKind {
  /// Writes what a fact says into the row of a base; returns the fields that it says something of.
  ///
  /// - Parameters:
  ///   - ignored: The fields that the fact has no say in.
  ///   - isFilling: Whether it only says what the row has no value of.
  ///   - isWhole: Whether it says that what it leaves out is not set.
  func write(
    _ payload: RawSpan, of record: RecordNumber, into row: inout MutableRow,
    ignoring ignored: FieldBits = 0, isFilling: Bool = false, isWhole: Bool = false
  ) throws(EventError) -> Said {
    var reader = PayloadReader(payload)
    var (said, written, heard): (FieldBits, FieldBits, FieldBits) = (0, 0, 0)
    // A thread's flags are tags, whatever its list of tags says.
    var flags: [(tag: FactColumn, isSet: Bool)] = []
    var marks: FieldBits = 0
    while let field = try reader.nextField(), field.number < columns.count {
      guard let column = columns[field.number] else { continue }
      let bit = column.field.bit
      guard bit & ignored == 0 else {
        if !isFilling { heard |= bit }
        continue
      }
      if case .tag = column {
        let isSet = field.isNull ? false : try Bool(reading: field)
        flags.append((column, isSet))
        continue
      }
      said |= bit
      if case .tags = column { marks = .marks }
      if isFilling, field.isNull || row.has(column.field) && written & bit == 0 { continue }
      do throws(EventError) {
        try column.write(field, of: record, into: &row, isMore: written & bit != 0)
      } catch {
        throw error.within(ObjectField(rawValue: field.number)?.name ?? "")
      }
      written |= bit
    }
    // Many answers leave out a text that is long: nothing is meant by that.
    if isWhole { clear(allBut: said | ignored | references, in: &row) }
    for flag in flags { flag.tag.set(flag.isSet, in: &row) }
    let known = flags.reduce(said | heard) { $0 | $1.tag.field.bit }
    return Said(fields: said | marks, known: known)
  }

  /// Has the row say nothing of the fields that a whole object left out.
  func clear(allBut said: FieldBits, in row: inout MutableRow) {
    for case .some(let column) in columns where said & column.field.bit == 0 { column.clear(&row) }
  }

  /// Computes of a row what follows from the fields that were written.
  func finish(_ row: inout MutableRow, having said: FieldBits) {
    switch objectClass {
    case .thread: Self.finishThread(&row, said)
    case .message, .draft: Self.finishMessage(&row, said)
    case .tag:
      row.foldNameOfTag()
    case .contact:
      row.foldNameOfContact()
      row.fold(Contacts.email, into: Contacts.foldedEmail, said)
    case .file:
      row.fold(Attachments.filename, into: Attachments.foldedFilename, said)
    case .rich: Self.finishRich(&row, said)
    case .account:
      row.fold(Accounts.name, into: Accounts.foldedName, said)
      row.fold(Accounts.emailAddress, into: Accounts.foldedEmailAddress, said)
    case .other: break
    }
  }

  private static func finishThread(_ row: inout MutableRow, _ said: FieldBits) {
    row.fold(Threads.subject, into: Threads.foldedSubject, said)
    if said & Threads.participants.bit != 0 {
      row.setAddresses(Threads.addresses, [Threads.participants])
    }
    if said & Threads.lastMessageDate.bit != 0, let date = row[Threads.lastMessageDate] {
      row[Threads.effectiveDate] = date
    }
  }

  private static let people = [
    Messages.from, Messages.to, Messages.cc, Messages.bcc, Messages.replyTo,
  ]
  private static let peopleBits = people.reduce(0) { $0 | $1.bit }

  private static func finishMessage(_ row: inout MutableRow, _ said: FieldBits) {
    row.fold(Messages.subject, into: Messages.foldedSubject, said)
    if said & peopleBits != 0 { row.setAddresses(Messages.addresses, people) }
    finishStar(&row, said)
    if said & Messages.date.bit != 0, let date = row[Messages.date] {
      row[Messages.effectiveDate] = date
    }
  }

  /// A message is under the tag while it has the flag.
  private static func finishStar(_ row: inout MutableRow, _ said: FieldBits) {
    if said & Messages.isStarred.bit != 0 {
      row.set(Messages.tagIDs, "starred", row[Messages.isStarred] == true)
    } else if said & Messages.tagIDs.bit != 0, row.has("starred", in: Messages.tagIDs) {
      row[Messages.isStarred] = true
    }
  }

  private static let titleBits =
    RichMessages.subject.bit | RichMessages.inboxMessage.bit | RichMessages.title.bit

  private static func finishRich(_ row: inout MutableRow, _ said: FieldBits) {
    if said & titleBits != 0 || row[RichMessages.foldedSubject] == nil {
      let title =
        row[RichMessages.subject] ?? row[RichMessages.inboxMessage] ?? row[RichMessages.title]
      row[RichMessages.foldedSubject] = FoldedText(title ?? "").text
    }
    if said & RichMessages.sendDateUtc.bit != 0, let date = row[RichMessages.sendDateUtc] {
      row[RichMessages.effectiveDate] = date
    }
  }
}

extension MutableRow {
  /// Keeps what tags are ordered by: the name, or else the id.
  mutating func foldNameOfTag() {
    let name = self[Tags.providedName] ?? Tag.name(of: id)?.id ?? ""
    self[Tags.foldedName] = FoldedText(name).text
  }

  /// Keeps what contacts are ordered by: the name, or else the address.
  fileprivate mutating func foldNameOfContact() {
    let name = self[Contacts.name] ?? self[Contacts.email] ?? ""
    self[Contacts.foldedName] = FoldedText(name).text
  }

  /// Whether a field has a value.
  func has(_ field: FieldDeclaration) -> Bool { view.has(field.index) }

  /// Keeps what lists are ordered by beside a text that was written.
  fileprivate mutating func fold(
    _ text: Field<String>, into folded: Field<String>, _ said: FieldBits
  ) {
    guard said & text.bit != 0 || !has(folded.declaration) else { return }
    if set(folded, toSmallLettersOf: text) { return }
    self[folded] = FoldedText(self[text] ?? "").text
  }

  fileprivate mutating func setAddresses(_ target: Field<Set<String>>, _ fields: [Field<String>]) {
    var (addresses, kept) = (PlainTexts(), [UInt8]())
    kept.reserveCapacity(FactColumn.keptRoom)
    let isPlain = fields.allSatisfy { field in
      kept.removeAll(keepingCapacity: true)
      kept.append(payload: view.variable(field.number - 1))
      return addresses.insert(addressesIn: &kept)
    }
    if isPlain { return set(target, addresses) }
    let people = fields.flatMap { field in self[field].flatMap([Participant].init(kept:)) ?? [] }
    set(target, Set(people.map(\.address)))
  }
}
