import LMDB

/// Which records are looked for.
///
///     var filter = RecordFilter()
///     filter.entity = log.fingerprint(of: "3/1/m1")
///     while try cursor.next(matching: filter) { show(cursor.record) }
public struct RecordFilter: Hashable, Sendable {
  /// The kinds, any where it is `nil`.
  public var kinds: Set<EventKind>?
  /// The thing that they are about.
  public var entity: Fingerprint?
  /// The account under whose logins they happened.
  public var account: UInt32?
  /// Where they came from.
  public var origin: Event.Origin?
  /// The earliest moment at which they were recorded.
  public var start: Timestamp?
  /// The latest.
  public var end: Timestamp?
  /// Bytes that their payloads hold, as a text's.
  public var text: String?

  /// Every record.
  public init() {}

  /// Whether it is true of every record.
  public var isEmpty: Bool { self == RecordFilter() }

  /// Whether it is true of a record.
  ///
  /// - Complexity: O(1), or O(payload) where a text is looked for.
  public func matches(_ record: borrowing RecordView) -> Bool {
    matches(record.header) && matches(record.payload)
  }

  /// Whether it is true of a copied record.
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
  /// Goes to the next record that a filter is true of; says whether there is one.
  ///
  /// Where an entity is looked for, others are passed over by a look at their headers, and the
  /// chain isn't checked; otherwise every record is.
  ///
  /// - Throws: `damagedRecord`. Calling it again goes on behind the damage.
  @_lifetime(self: copy self)
  public mutating func next(matching filter: RecordFilter) throws(LogError) -> Bool {
    if let entity = filter.entity {
      while try next(about: entity) { if filter.matches(record) { return true } }
    } else {
      while try next() { if filter.matches(record) { return true } }
    }
    return false
  }
}

/// Goes through the records of a log that a filter is true of, some at a time.
///
/// It holds no transaction between two parts.
public struct RecordSearch: Sendable {
  private let log: Log
  private let filter: RecordFilter
  /// The number to go on from, once it has begun and while there is more.
  private var next: RecordNumber?
  private var hasEnded = false

  /// The records that a part has at most, and the bytes of payload beyond which it takes no more.
  private static let (partMax, partBytesMax) = (1024, 1 << 20)

  /// Begins at a record, or at the log's first.
  public init(_ log: Log, matching filter: RecordFilter, from first: RecordNumber? = nil) {
    (self.log, self.filter, next) = (log, filter, first)
  }

  /// The next records, and what is wrong with damaged ones among them, or `nil` where there are no
  /// more.
  ///
  /// - Throws: ``LogError``; `compacted` where what follows was compacted away.
  /// - Complexity: O(records)
  public mutating func part() throws(LogError) -> [Result<Record, LogError>]? {
    guard !hasEnded else { return nil }
    let (log, filter, first) = (log, filter, next)
    let (part, last) = try log.reading { snapshot throws(LogError) in
      var cursor = try snapshot.records(from: first)
      return try cursor.part(filter, Self.partMax, Self.partBytesMax)
    }
    next = last?.advanced(by: 1)
    hasEnded = last == nil
    return part.isEmpty && hasEnded ? nil : part
  }
}

extension RecordCursor {
  /// The next records that a filter is true of, and the last of them, where there may be more; a
  /// baseline's are all in one part.
  @_lifetime(self: copy self)
  fileprivate mutating func part(
    _ filter: RecordFilter, _ countMax: Int, _ bytesMax: Int
  ) throws(LogError) -> ([Result<Record, LogError>], RecordNumber?) {
    var part: [Result<Record, LogError>] = []
    var (bytes, isBehindDamage) = (0, false)
    while isBehindDamage || !isBehindBaseline || (part.count < countMax && bytes < bytesMax) {
      do throws(LogError) {
        guard try next(matching: filter) else { return (part, nil) }
        part.append(.success(record.record))
        bytes += record.payload.byteCount
        isBehindDamage = false
      } catch {
        guard case .damagedRecord = error else { throw error }
        part.append(.failure(error))
        isBehindDamage = true
      }
    }
    return (part, number)
  }
}
