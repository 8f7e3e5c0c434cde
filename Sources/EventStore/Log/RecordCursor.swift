import LMDB

/// Goes over a snapshot's records in their order, checking each one's checksums and chain.
///
///     var cursor = try snapshot.records(from: 1)
///     while try cursor.next() { show(cursor.record.header) }
public struct RecordCursor: ~Copyable, ~Escapable {
  private var cursor: Cursor<UInt64, [UInt8]>
  private let path: String
  private let first: RecordNumber
  private var header: RecordHeader?
  /// The chain at the record before, as far as it is known.
  private var chain: Chain?
  /// What that chain should have been, where it was something else.
  private var otherChain: Chain?
  /// Whether it stands before a record already, behind a hole.
  private var isPastHole = false
  /// Whether it has been behind the last record.
  private var isAtEnd = false

  /// The number that must come next, which a damaged one is followed by.
  private(set) var expected: RecordNumber

  /// The number of the record that it stands on.
  public private(set) var number = RecordNumber.zero

  /// - Parameter cursor: Over all from the record before `first` on, whose chain is taken on trust.
  @_lifetime(copy cursor)
  init(
    _ cursor: consuming Cursor<UInt64, [UInt8]>, from first: RecordNumber, _ base: LogBase,
    path: String
  ) {
    self.cursor = cursor
    self.path = path
    self.first = first
    chain = first.advanced(by: -1) == base.number ? base.chain : nil
    expected = first
  }

  /// Goes to the next record; says whether there is one.
  ///
  /// - Throws: `damagedRecord`. Calling it again goes on behind the damage.
  @_lifetime(self: copy self)
  public mutating func next() throws(LogError) -> Bool {
    guard try step() else { return false }
    try decode()
    try verify()
    note()
    return true
  }

  /// Goes to the next record about an entity; says whether there is one.
  ///
  /// Those between are passed over by a look at their headers, and the chain isn't checked.
  ///
  /// - Throws: `damagedRecord` where one that is about the entity is damaged.
  @_lifetime(self: copy self)
  public mutating func next(about entity: Fingerprint) throws(LogError) -> Bool {
    while try advanceUnlessPastHole() {
      guard RecordHeader.entity(in: cursor.value) == entity else { continue }
      (expected, chain, otherChain) = (number, nil, nil)
      try decode()
      try verify()
      note()
      return true
    }
    (chain, otherChain) = (nil, nil)
    return false
  }

  /// The record that it stands on, borrowed.
  public var record: RecordView {
    @_lifetime(borrow self) get {
      guard let header else { preconditionFailure("the cursor stands on no record") }
      return RecordView(number, header, cursor.value)
    }
  }

  /// Goes to the record that must come next, or to the one behind the hole that it reports.
  @_lifetime(self: copy self)
  private mutating func step() throws(LogError) -> Bool {
    header = nil
    guard try advanceUnlessPastHole() else { return false }
    guard number == expected else {
      let missing = expected
      (isPastHole, expected, chain, otherChain) = (true, number, nil, nil)
      throw .damagedRecord(missing, .absent)
    }
    return true
  }

  @_lifetime(self: copy self)
  private mutating func readNumber() throws(LogError) {
    guard let key = UInt64(bytes: cursor.key) else {
      throw .damagedFile(path: path, detail: "a key is no record's number")
    }
    number = RecordNumber(rawValue: key)
  }

  @_lifetime(self: copy self)
  private mutating func decode() throws(LogError) {
    header = RecordHeader(cursor.value)
    guard header == nil else { return }
    (expected, chain, otherChain) = (number.advanced(by: 1), nil, nil)
    throw .damagedRecord(number, .unknownFormat)
  }

  /// Checks the record's place in the chain and its payload.
  @_lifetime(self: copy self)
  private mutating func verify() throws(LogError) {
    let link = link
    guard let damage = link.isBroken ? .chain : record.payloadDamage else { return }
    note()
    otherChain = link.isBroken ? link.chain : nil
    throw .damagedRecord(number, damage)
  }

  /// Whether the record's chain is other than it must be, and what it must be.
  private var link: (isBroken: Bool, chain: Chain?) {
    let record = record
    guard let chain else { return (false, nil) }
    let stored = Chain(record.header.chain)
    let computed = record.chain(after: chain)
    if computed == stored { return (false, computed) }
    guard let otherChain else { return (true, computed) }
    return (record.chain(after: otherChain) != stored, computed)
  }

  /// Expects what follows the record that it stands on.
  @_lifetime(self: copy self)
  private mutating func note() {
    expected = number.advanced(by: 1)
    chain = header.map { Chain($0.chain) }
    otherChain = nil
  }

  /// Moves on by one, unless it stands behind a hole that has just been reported.
  @_lifetime(self: copy self)
  private mutating func advanceUnlessPastHole() throws(LogError) -> Bool {
    guard !isPastHole else {
      isPastHole = false
      return true
    }
    return try advance()
  }

  /// Moves on by one; the record before the first that was asked for only lends its chain.
  @_lifetime(self: copy self)
  private mutating func advance() throws(LogError) -> Bool {
    guard !isAtEnd else { return false }
    do throws(LMDBError) { isAtEnd = try cursor.next() == false } catch {
      throw LogError(error, path: path)
    }
    guard !isAtEnd else { return false }
    try readNumber()
    guard number < first else { return true }
    chain = RecordHeader(cursor.value).map { Chain($0.chain) }
    return try advance()
  }
}

extension RecordHeader {
  /// The entity that a record is about, found without reading the rest of its header.
  @inline(__always)
  static func entity(in bytes: RawSpan) -> Fingerprint? {
    typealias Flag = HeaderFormat.Flag
    guard bytes.byteCount >= HeaderFormat.countMin else { return nil }
    let flags = bytes.byte(at: HeaderFormat.Offset.flags)
    guard flags & Flag.entity != 0, bytes.byteCount >= HeaderFormat.count(flags: flags)
    else { return nil }
    let before = (flags & (Flag.login | Flag.cause | Flag.exchange)).nonzeroBitCount
    let offset = HeaderFormat.Offset.fields + 8 * before
    return Fingerprint(rawValue: bytes.integer(UInt64.self, at: offset))
  }
}
