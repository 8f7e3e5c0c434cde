import LMDB

/// The criteria of a search for records.
///
///     var filter = RecordFilter()
///     filter.entity = log.fingerprint(of: "3/1/m1")
///     while try cursor.next(matching: filter) { show(cursor.record) }
public struct RecordFilter: Hashable, Sendable {
  /// The kinds; `nil` for any.
  public var kinds: Set<EventKind>?
  /// The entity that the records are about.
  public var entity: Fingerprint?
  /// The account under whose logins the records were made.
  public var account: UInt32?
  /// The origin of the records.
  public var origin: Event.Origin?
  /// The earliest recording time.
  public var start: Timestamp?
  /// The latest time.
  public var end: Timestamp?
  /// Bytes that the payloads contain, as a text.
  public var text: String?

  /// Matches every record.
  public init() {}

  /// Whether the filter matches every record.
  public var isEmpty: Bool { self == RecordFilter() }

  /// Returns whether the filter matches a record.
  ///
  /// - Complexity: O(1), or O(payload) if a text is sought.
  public func matches(_ record: borrowing RecordView) -> Bool {
    matches(record.header) && matches(record.payload)
  }

  /// Returns whether the filter matches a copied record.
  public func matches(_ record: Record) -> Bool {
    matches(record.header) && matches(record.payload.raw)
  }

  private func matches(_ header: RecordHeader) -> Bool {
    if let kinds, !kinds.contains(header.kind) { return false }
    if let entity, header.entity != entity { return false }
    if let account, header.login?.account != account { return false }
    if let origin, header.origin != origin { return false }
    if let start, header.recordedAt < start { return false }
    if let end, header.recordedAt > end { return false }
    return true
  }

  private func matches(_ payload: RawSpan) -> Bool {
    guard let text else { return true }
    let sought = Array(text.utf8)
    guard let first = sought.first else { return true }
    guard payload.byteCount >= sought.count else { return false }
    for offset in 0...(payload.byteCount - sought.count) where payload.byte(at: offset) == first {
      let part = payload.extracting(offset..<(offset + sought.count))
      if part.equals(sought.raw) { return true }
    }
    return false
  }
}

extension RecordCursor {
  /// Advances to the next record that matches a filter; returns whether there is one.
  ///
  /// If an entity is sought, other records are skipped by their headers and the chain isn't
  /// checked; otherwise every record is checked.
  ///
  /// - Throws: `damagedRecord`. The next call continues after the damage.
  @_lifetime(self: copy self)
  public mutating func next(matching filter: RecordFilter) throws(LogError) -> Bool {
    while let isMatch = try isNextMatch(filter) { if isMatch { return true } }
    return false
  }
}

/// Iterates over the records of a log that match a filter, in parts.
///
/// Holds no transaction between two parts.
public struct RecordSearch: Sendable {
  private let log: Log
  private let filter: RecordFilter
  /// The number to continue from, once the search has begun and while more may follow.
  private var next: RecordNumber?
  private var hasEnded = false

  /// The limits of a part: its maximum number of records, and the payload bytes at which it ends.
  private static let (partMax, partBytesMax) = (1024, 1 << 20)
  /// The maximum number of records that a part takes or passes over.
  private static let visitsMax = 4096

  /// Creates a search that begins at a record, or at the log's first.
  public init(_ log: Log, matching filter: RecordFilter, from first: RecordNumber? = nil) {
    (self.log, self.filter, next) = (log, filter, first)
  }

  /// Returns the next records, with the errors of damaged ones among them, or `nil` if none are
  /// left.
  ///
  /// Returns after a limited number of records, and thus without any if none of these match.
  ///
  /// - Throws: ``LogError``; `compacted` if the next records were compacted away.
  /// - Complexity: O(records)
  public mutating func part() throws(LogError) -> [Result<Record, LogError>]? {
    guard !hasEnded else { return nil }
    let (log, filter, first) = (log, filter, next)
    let (part, last) = try log.reading { snapshot throws(LogError) in
      var cursor = try snapshot.records(from: first)
      return try cursor.part(filter, Self.partMax, Self.partBytesMax, Self.visitsMax)
    }
    next = last?.advanced(by: 1)
    hasEnded = last == nil
    return part.isEmpty && hasEnded ? nil : part
  }
}

extension RecordCursor {
  /// Returns the next matching records, and the last number read if more may follow; a baseline's
  /// records are all in one part.
  @_lifetime(self: copy self)
  fileprivate mutating func part(
    _ filter: RecordFilter, _ countMax: Int, _ bytesMax: Int, _ visitsMax: Int
  ) throws(LogError) -> ([Result<Record, LogError>], RecordNumber?) {
    var part: [Result<Record, LogError>] = []
    var (bytes, visits, isBehindDamage) = (0, 0, false)
    while isBehindDamage || !isBehindBaseline
      || (part.count < countMax && bytes < bytesMax && visits < visitsMax)
    {
      visits += 1
      do throws(LogError) {
        guard let isMatch = try isNextMatch(filter) else { return (part, nil) }
        isBehindDamage = false
        guard isMatch else { continue }
        part.append(.success(record.record))
        bytes += record.payload.byteCount
      } catch {
        guard case .damagedRecord = error else { throw error }
        part.append(.failure(error))
        isBehindDamage = true
      }
    }
    return (part, number)
  }

  /// Advances by one record, or past some that are about other entities than the sought one, and
  /// returns whether the record matches; `nil` after the last.
  @_lifetime(self: copy self)
  private mutating func isNextMatch(_ filter: RecordFilter) throws(LogError) -> Bool? {
    guard let entity = filter.entity else {
      guard try next() else { return nil }
      return filter.matches(record)
    }
    guard let isThere = try next(about: entity, within: Self.othersMax) else { return false }
    return isThere ? filter.matches(record) : nil
  }

  /// The number of records about others that count as one, as only their headers are read.
  private static var othersMax: Int { 64 }
}
