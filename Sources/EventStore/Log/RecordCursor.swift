import LMDB

/// Iterates over a snapshot's records in order, and checks each one's checksums and chain.
///
///     var cursor = try snapshot.records(from: 1)
///     while try cursor.next() { show(cursor.record.header) }
public struct RecordCursor: ~Copyable, ~Escapable {
  private var cursor: Cursor<UInt64, [UInt8]>
  private let path: String
  private let base: LogBase
  /// The log's last record.
  private let last: RecordNumber
  /// The first record to visit; those before it only supply its chain.
  private var first: RecordNumber
  /// The area being read: first a baseline's, then the log's.
  private var area: UInt64
  /// The key to seek next, if it isn't the following one.
  private var start: UInt64?
  /// The chain at the previous record, if known.
  private var chain: Chain?
  /// The possible chains after a damaged record, if the chain is uncertain.
  private var links: ChainLinks?
  /// Whether the cursor is already on the record after a hole.
  private var isPastHole = false
  /// Whether the cursor has passed the last record.
  private var isAtEnd = false
  /// The number that must come next, also after a damaged record.
  private var expected: RecordNumber

  /// The number of the current record.
  public private(set) var number = RecordNumber.zero
  /// The last place reached, for continuing later, except after a damaged record of a baseline.
  private(set) var place: LogPoint

  /// The starting point of a cursor.
  enum Beginning {
    /// After a place, which is in the baseline if it is below the floor.
    case after(LogPoint)
    /// At a number above the floor; the chain is taken from the two records before, of which the
    /// first proves the second.
    case at(RecordNumber)
  }

  /// - Parameter cursor: Over all entries.
  @_lifetime(copy cursor)
  init(
    _ cursor: consuming Cursor<UInt64, [UInt8]>, _ beginning: Beginning, _ base: LogBase,
    through last: RecordNumber, path: String
  ) {
    self.cursor = cursor
    (self.path, self.base, self.last) = (path, base, last)
    switch beginning {
    case .after(let place):
      (self.place, first, chain) = (place, place.number.advanced(by: 1), Chain(place.chain))
      area = place.number < base.number ? base.baseline?.area ?? KeySpace.log : KeySpace.log
      start = KeySpace.key(first, in: area)
    case .at(let number):
      let before = number.advanced(by: -1)
      (place, first, chain) = (LogPoint(number: before, chain: 0), number, nil)
      area = KeySpace.log
      start = max(before.advanced(by: -1), base.number.advanced(by: 1)).rawValue
    }
    expected = first
  }

  /// Whether the cursor has passed the baseline, or has none ahead.
  var isBehindBaseline: Bool { area == KeySpace.log }

  /// Advances to the next record; returns whether there is one.
  ///
  /// - Throws: `damagedRecord`. The next call continues after the damage.
  @_lifetime(self: copy self)
  public mutating func next() throws(LogError) -> Bool {
    guard try step() else { return false }
    guard let chain = link else {
      try diagnose()
      return true
    }
    expected = number.advanced(by: 1)
    self.chain = chain
    // A baseline with a record for its floor leads to the floor's own place.
    let isFloor = !isBehindBaseline && number == base.number
    place = isFloor ? base.floor : LogPoint(number: number, chain: chain.value)
    return true
  }

  /// The next item of a log.
  enum Find {
    /// A record, which the cursor is on.
    case record
    /// A damaged record; the next call continues after it.
    case damage(LogError)
  }

  /// Advances to the next record, damaged or not, and returns which; `nil` after the last.
  @_lifetime(self: copy self)
  mutating func find() throws(LogError) -> Find? {
    do throws(LogError) { return try next() ? .record : nil } catch {
      guard case .damagedRecord = error else { throw error }
      return .damage(error)
    }
  }

  /// Advances to the next intact record; returns whether there is one up to a number.
  @_lifetime(self: copy self)
  package mutating func nextWhole(through last: RecordNumber) throws(LogError) -> Bool {
    while let find = try find() { if case .record = find { return number <= last } }
    return false
  }

  /// Advances to the next record about an entity; returns whether there is one.
  ///
  /// Skips other records by their headers, and doesn't check the chain.
  ///
  /// - Throws: `damagedRecord` if a record about the entity is damaged.
  @_lifetime(self: copy self)
  public mutating func next(about entity: Fingerprint) throws(LogError) -> Bool {
    try next(about: entity, within: .max) ?? false
  }

  /// Advances to the next record about an entity, like its namesake, but by at most `count`
  /// records; returns whether there is one, or `nil` if it can only be behind these.
  @_lifetime(self: copy self)
  mutating func next(about entity: Fingerprint, within count: Int) throws(LogError) -> Bool? {
    defer { (expected, chain, links) = (number.advanced(by: 1), nil, nil) }
    for _ in 0..<count {
      guard try advanceUnlessPastHole() else { return false }
      guard RecordHeader.entity(in: cursor.value) == entity else { continue }
      if let damage = record.damage { throw .damagedRecord(number, damage) }
      return true
    }
    return nil
  }

  /// Advances to the next record that has a header; returns whether there is one.
  ///
  /// Checks neither checksums nor the chain: a cursor used this way is good for nothing else.
  @_lifetime(self: copy self)
  mutating func glance() throws(LogError) -> Bool {
    while try advance() {
      if RecordHeader.count(in: cursor.value) > 0 { return true }
    }
    return false
  }

  /// The current record, borrowed.
  public var record: RecordView {
    @_lifetime(borrow self) @inline(__always) get { RecordView(number, cursor.value) }
  }

  /// Advances to the record that must come next, or to the one after a hole, which it reports.
  @_lifetime(self: copy self)
  private mutating func step() throws(LogError) -> Bool {
    repeat {
      guard try advanceUnlessPastHole() else { return false }
      guard number != expected, isBehindBaseline else { return true }
      // An entry where its number can't be is not a record; the missing record is reported next.
    } while number < expected || number > last
    let missing = expected
    (isPastHole, expected, chain, links) = (true, number, nil, nil)
    throw .damagedRecord(missing, .absent)
  }

  /// Advances by one, unless the cursor is already past a hole that was just reported.
  @_lifetime(self: copy self)
  private mutating func advanceUnlessPastHole() throws(LogError) -> Bool {
    guard !isPastHole else {
      isPastHole = false
      return true
    }
    return try advance()
  }

  /// Advances by one; the records before the first one requested only supply its chain.
  @_lifetime(self: copy self)
  private mutating func advance() throws(LogError) -> Bool {
    var before: RecordNumber?
    while !isAtEnd {
      guard try move() else {
        try leaveArea()
        continue
      }
      // Behind a hole, the chain is not known.
      if let before, before.advanced(by: 1) != number { (chain, links) = (nil, nil) }
      guard number < first else { return true }
      before = number
      follow()
    }
    return false
  }

  /// Takes over the chain after a record before the first one, of which only the header is read.
  @_lifetime(self: copy self)
  private mutating func follow() {
    guard RecordHeader.count(in: cursor.value) > 0 else { return (chain, links) = (nil, nil) }
    if number.advanced(by: -1) == base.number { chain = base.chain }
    let stored = record.chain
    let computed = ChainLinks(chain).chain(at: record)
    let isProved = computed == nil || computed == stored
    let possible = isProved ? nil : ChainLinks(after: cursor.value, or: computed)
    (chain, links) = (isProved ? stored : nil, possible)
  }

  /// Advances to the next entry; returns whether it is a record of the area.
  @_lifetime(self: copy self)
  private mutating func move() throws(LogError) -> Bool {
    do throws(LMDBError) {
      let isThere =
        if let start { try cursor.seek(start) } else { try cursor.next() }
      start = nil
      guard isThere else { return false }
    } catch {
      throw LogError(error, path: path)
    }
    guard cursor.key.byteCount == 8 else {
      throw .damagedFile(path: path, detail: "a key is no record's number")
    }
    let key = cursor.key.nativeInteger
    number = KeySpace.number(of: key)
    return KeySpace.area(of: key) == area
  }

  /// Ends, or moves from the baseline to the records after the floor.
  ///
  /// - Throws: `damagedRecord` with `absent`, for the floor, if the baseline's last records are
  ///   missing.
  @_lifetime(self: copy self)
  private mutating func leaveArea() throws(LogError) {
    guard !isBehindBaseline else { return isAtEnd = true }
    let isWhole = chain == nil || chain == base.baseline?.end
    area = KeySpace.log
    first = base.number.advanced(by: 1)
    (start, expected, chain, links) = (first.rawValue, first, base.chain, nil)
    place = base.floor
    if !isWhole { throw .damagedRecord(base.number, .absent) }
  }

  /// The record's chain, or `nil` if it is damaged or doesn't continue a known chain.
  private var link: Chain? {
    let record = record
    guard links == nil, record.damage == nil else { return nil }
    guard let chain else { return record.chain }
    return record.chain(after: chain) == record.chain ? record.chain : nil
  }

  /// Finds the chain after a record that can't be linked, and throws if that record is damaged.
  @_lifetime(self: copy self)
  private mutating func diagnose() throws(LogError) {
    let (damage, previous) = findings
    expected = number.advanced(by: 1)
    chain = previous.certain
    links = chain == nil && !previous.isUnknown ? previous : nil
    place = LogPoint(number: number, chain: chain?.value ?? 0)
    if let damage { throw .damagedRecord(number, damage) }
  }

  /// The damage to the record, and the possible chains after it.
  private var findings: (damage: RecordDamage?, after: ChainLinks) {
    let record = record
    let before = links ?? ChainLinks(chain)
    guard record.damage != .unknownFormat else {
      return (.unknownFormat, ChainLinks(after: cursor.value, or: nil))
    }
    guard before.lead(to: record) else {
      return (.chain, ChainLinks(after: cursor.value, or: before.chain(at: record)))
    }
    return (record.damage, ChainLinks(record.chain))
  }
}

extension RecordHeader {
  /// Returns the entity that a record is about, without decoding the rest of its header.
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
