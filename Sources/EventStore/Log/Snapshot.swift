import LMDB

/// The log as it was at one moment, unaffected by later appends.
///
/// ``Log/read(_:)`` lends it to a closure; keep that short, because a snapshot keeps the file from
/// reusing space.
public struct Snapshot: ~Copyable, ~Escapable {
  private let transaction: ReadTransaction
  let file: LogFile
  let base: LogBase

  /// The last record that was compacted away, which a baseline represents; 0 for none.
  public var floor: RecordNumber { base.number }
  /// The last record, or the floor if there is none after it.
  public let last: RecordNumber
  /// The chain at the last record.
  let chain: Chain
  /// The transaction being read.
  let transactionID: UInt64

  @_lifetime(immortal)
  init(_ file: LogFile) throws(LMDBError) {
    let transaction = try file.environment.beginReading()
    let end = try file.end(in: transaction)
    self.transaction = transaction
    self.file = file
    base = end.base
    last = end.number
    chain = end.chain
    transactionID = end.transaction
  }

  /// The number of erasures of payloads so far.
  package var erasureCount: UInt64 { base.erasures }

  /// The numbers of the records after the floor, which have no gaps; `nil` if there are none.
  public var numbers: ClosedRange<RecordNumber>? {
    base.number < last ? base.number.advanced(by: 1)...last : nil
  }

  /// The total bytes of the pages that hold records, including the baseline's.
  ///
  /// O(1).
  public var byteCount: Int {
    get throws(LogError) {
      do throws(LMDBError) {
        return try transaction.pageCount(of: file.table) * file.environment.information.pageSize
      } catch {
        throw LogError(error, path: file.environment.path)
      }
    }
  }

  /// The bytes of the records after the floor, headers and payloads.
  ///
  /// O(records), whatever their payloads.
  var tailByteCount: Int {
    get throws(LogError) {
      do throws(LMDBError) {
        var bytes = 0
        let first = base.number.rawValue + 1
        var cursor = try transaction.cursor(
          over: file.table, in: .from(first, before: KeySpace.end))
        while try cursor.next() { bytes += cursor.value.byteCount }
        return bytes
      } catch {
        throw LogError(error, path: file.environment.path)
      }
    }
  }

  /// Calls `body` with a borrowed record, or returns `nil` if none has that number yet.
  ///
  /// Its payload has been checked. O(log n).
  ///
  /// - Throws: `damagedRecord`; `compacted` if the record was, and the baseline doesn't have it.
  public func withRecord<R>(
    _ number: RecordNumber, _ body: (borrowing RecordView) throws(LogError) -> R
  ) throws(LogError) -> R? {
    guard number > base.number else { return try withBaselineRecord(number, body) }
    var cursor = try records(from: number)
    guard try cursor.next(), cursor.number == number else { return nil }
    return try body(cursor.record)
  }

  /// Works as its namesake for a record of the baseline, whose place in the chain isn't checked.
  private func withBaselineRecord<R>(
    _ number: RecordNumber, _ body: (borrowing RecordView) throws(LogError) -> R
  ) throws(LogError) -> R {
    let result = try withBytes(of: number) { bytes throws(LogError) in
      let record = RecordView(number, bytes)
      if let damage = record.damage { throw .damagedRecord(number, damage) }
      return try body(record)
    }
    guard let result else { throw .compacted(floor: base.number) }
    return result
  }

  /// Returns a copy of a record, or `nil` if none has that number yet.
  ///
  /// O(log n).
  ///
  /// - Throws: `damagedRecord`; `compacted` if the record was, and the baseline doesn't have it.
  public func record(_ number: RecordNumber) throws(LogError) -> Record? {
    try withRecord(number) { record throws(LogError) in record.record }
  }

  /// Returns a record's header without checking its checksums, or `nil` if none has that number.
  ///
  /// O(log n).
  ///
  /// - Throws: `damagedRecord` if its bytes can't be read.
  func header(of number: RecordNumber) throws(LogError) -> RecordHeader? {
    try withBytes(of: number) { bytes throws(LogError) in
      guard let header = RecordHeader(bytes) else { throw .damagedRecord(number, .unknownFormat) }
      return header
    }
  }

  /// Returns the chain at the floor or a record above it, or `nil` if there is none.
  func chain(at number: RecordNumber) throws(LogError) -> UInt32? {
    guard number != base.number else { return base.chain.value }
    return number < base.number ? nil : try header(of: number)?.chain
  }

  /// Calls `body` with the bytes of a record of the log or the baseline, or returns `nil`.
  private func withBytes<R>(
    of number: RecordNumber, _ body: (RawSpan) throws(LogError) -> R
  ) throws(LogError) -> R? {
    let area = number > base.number ? KeySpace.log : base.baseline?.area
    guard let area, number > .zero else { return nil }
    let bytes: RawSpan?
    do throws(LMDBError) {
      bytes = try transaction.bytes(for: KeySpace.key(number, in: area), in: file.table)
    } catch {
      throw LogError(error, path: file.environment.path)
    }
    guard let bytes else { return nil }
    return try body(bytes)
  }

  /// Returns a cursor over all records, the baseline's first, or over those from a number on; each
  /// is checked when it is reached.
  ///
  /// O(log n).
  ///
  /// If the record before the first is damaged or missing, the first one's chain is trusted.
  ///
  /// - Throws: `compacted` if the number is not above the floor, unless it is that of the very
  ///   first record.
  @_lifetime(borrow self)
  public func records(from first: RecordNumber? = nil) throws(LogError) -> RecordCursor {
    let beginning = try beginning(from: first)
    do throws(LMDBError) {
      let cursor = try transaction.cursor(over: file.table)
      return RecordCursor(
        cursor, beginning, base, through: last, path: file.environment.path)
    } catch {
      throw LogError(error, path: file.environment.path)
    }
  }

  /// Returns a cursor over the records after a place that another cursor has reached.
  ///
  /// O(log n).
  ///
  /// - Throws: `compacted` if the log was since compacted beyond the place, so that the following
  ///   records no longer exist.
  @_lifetime(borrow self)
  func records(after place: LogPoint) throws(LogError) -> RecordCursor {
    let beginning = try beginning(after: place)
    do throws(LMDBError) {
      let cursor = try transaction.cursor(over: file.table)
      return RecordCursor(
        cursor, beginning, base, through: last, path: file.environment.path)
    } catch {
      throw LogError(error, path: file.environment.path)
    }
  }

  private func beginning(
    from first: RecordNumber?
  ) throws(LogError) -> RecordCursor.Beginning {
    guard let first else { return .after(base.beginning) }
    if first == 1, base.baseline != nil { return .after(base.beginning) }
    guard first > base.number else { throw .compacted(floor: base.number) }
    return first.advanced(by: -1) == base.number ? .after(base.floor) : .at(first)
  }

  private func beginning(
    after place: LogPoint
  ) throws(LogError) -> RecordCursor.Beginning {
    guard place.number <= base.number else { return .at(place.number.advanced(by: 1)) }
    let place = place.number == .zero ? base.beginning : place
    if place == base.beginning || place == base.floor { return .after(place) }
    if try isInBaseline(place) { return .after(place) }
    throw .compacted(floor: base.number)
  }

  /// Whether a place is in this baseline, rather than in another one or in the log as it was.
  private func isInBaseline(_ place: LogPoint) throws(LogError) -> Bool {
    guard base.baseline != nil, place.number <= base.number else { return false }
    return try header(of: place.number)?.chain == place.chain
  }
}

extension Log {
  /// Calls `body` with a snapshot of the current log.
  ///
  /// Takes no lock, and blocks only for pages that must come from the disk.
  public func read<R, E: Error>(
    _ body: (borrowing Snapshot) throws(E) -> R
  ) throws -> R {
    let snapshot: Snapshot
    do throws(LMDBError) {
      snapshot = try Snapshot(file)
    } catch {
      throw LogError(error, path: path)
    }
    head.saw(snapshot.last, in: snapshot.transactionID)
    return try body(snapshot)
  }

  /// The number of the last record, whichever process appended it, or the floor if there is none.
  ///
  /// Needs no transaction if nothing is new.
  public var last: RecordNumber {
    get throws(LogError) {
      do throws(LMDBError) {
        if let known = head.last(asOf: try file.environment.lastTransaction) { return known }
        let snapshot = try Snapshot(file)
        head.saw(snapshot.last, in: snapshot.transactionID)
        return snapshot.last
      } catch {
        throw LogError(error, path: path)
      }
    }
  }
}
