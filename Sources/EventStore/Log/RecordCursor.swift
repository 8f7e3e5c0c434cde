import LMDB

/// Goes over a snapshot's records in their order, checking each one's checksums and chain.
///
///     var cursor = try snapshot.records(from: 1)
///     while try cursor.next() { show(cursor.record.header) }
public struct RecordCursor: ~Copyable, ~Escapable {
  private var cursor: Cursor<UInt64, [UInt8]>
  private let path: String
  private let first: RecordNumber
  /// The chain at the record before, where it is known.
  private var chain: Chain?
  /// What the chain may be behind a damaged record.
  private var links = ChainLinks.unknown
  private var isBehindDamage = false
  /// The number that must come next.
  private var expected: RecordNumber
  /// Whether it stands before a record already, behind a hole.
  private var isPastHole = false

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
    let begins = first.advanced(by: -1) == base.number
    chain = begins ? base.chain : nil
    expected = begins ? first : first.advanced(by: -1)
  }

  /// Goes to the next record; says whether there is one.
  ///
  /// - Throws: `damagedRecord`. Calling it again goes on behind the damage.
  @_lifetime(self: copy self)
  public mutating func next() throws(LogError) -> Bool {
    repeat {
      guard try step() else { return false }
      if let chain = link {
        note(chain)
      } else if let damage = diagnose(), number >= first {
        throw .damagedRecord(number, damage)
      }
    } while number < first
    return true
  }

  /// Goes to the next record about an entity; says whether there is one.
  ///
  /// Those between are passed over by a look at their headers, and the chain isn't checked.
  ///
  /// - Throws: `damagedRecord` where one that is about the entity is damaged.
  @_lifetime(self: copy self)
  public mutating func next(about entity: Fingerprint) throws(LogError) -> Bool {
    (chain, isBehindDamage) = (nil, false)
    while try advance() {
      guard RecordHeader.entity(in: cursor.value) == entity else { continue }
      try readNumber()
      guard number >= first else { continue }
      expected = number.advanced(by: 1)
      if let damage = record.damage { throw .damagedRecord(number, damage) }
      return true
    }
    return false
  }

  /// The record that it stands on, borrowed.
  public var record: RecordView {
    @_lifetime(borrow self) @inline(__always) get { RecordView(number, cursor.value) }
  }

  /// Moves on by one, unless it stands behind a hole that has just been reported.
  @_lifetime(self: copy self)
  private mutating func step() throws(LogError) -> Bool {
    if isPastHole {
      isPastHole = false
      return true
    }
    guard try advance() else { return false }
    try readNumber()
    guard number != expected else { return true }
    let missing = expected
    (isPastHole, expected, chain, isBehindDamage) = (true, number, nil, false)
    throw .damagedRecord(missing, .absent)
  }

  @_lifetime(self: copy self)
  private mutating func advance() throws(LogError) -> Bool {
    do throws(LMDBError) { return try cursor.next() } catch { throw LogError(error, path: path) }
  }

  @_lifetime(self: copy self)
  @inline(__always)
  private mutating func readNumber() throws(LogError) {
    guard cursor.key.byteCount == 8 else {
      throw .damagedFile(path: path, detail: "a key is no record's number")
    }
    number = RecordNumber(rawValue: cursor.key.nativeInteger)
  }

  /// The record's chain, where everything about it is as it must be.
  private var link: Chain? {
    let record = record
    guard !isBehindDamage, record.damage == nil else { return nil }
    guard let chain else { return record.chain }
    return record.chain(after: chain) == record.chain ? record.chain : nil
  }

  /// Expects what follows a sound record.
  @_lifetime(self: copy self)
  @inline(__always)
  private mutating func note(_ chain: Chain) {
    expected = number.advanced(by: 1)
    self.chain = chain
  }

  /// Says what is wrong with a record that is not as it must be, unless it is the one before it.
  @_lifetime(self: copy self)
  private mutating func diagnose() -> RecordDamage? {
    let (damage, links) = findings
    expected = number.advanced(by: 1)
    chain = links.certain
    isBehindDamage = chain == nil && !links.isUnknown
    self.links = links
    return damage
  }

  /// What is wrong with the record, and what the chain may be behind it.
  private var findings: (damage: RecordDamage?, behind: ChainLinks) {
    let record = record
    let before = isBehindDamage ? links : ChainLinks(chain)
    guard record.damage != .unknownFormat else {
      return (.unknownFormat, ChainLinks(behind: cursor.value, or: nil))
    }
    guard before.lead(to: record) else {
      return (.chain, ChainLinks(behind: cursor.value, or: before.chain(at: record)))
    }
    return (record.damage, ChainLinks(record.chain))
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
