import LMDB

/// The log as it stood at one moment, whatever is appended meanwhile.
///
/// Lent to the closure of ``Log/read(_:)``; keep that short, as it keeps the file from reusing
/// room.
public struct Snapshot: ~Copyable, ~Escapable {
  private let transaction: ReadTransaction
  let file: LogFile
  let base: LogBase

  /// The last record there is; the floor where there is none.
  public let last: RecordNumber
  /// The chain at the last record.
  let chain: Chain
  /// The transaction that it reads.
  let transactionID: UInt64

  @_lifetime(immortal)
  init(_ file: LogFile, _ base: LogBase) throws(LMDBError) {
    let transaction = try file.environment.beginReading()
    let end = try file.end(in: transaction, base)
    self.transaction = transaction
    self.file = file
    self.base = base
    last = end.number
    chain = end.chain
    transactionID = end.transaction
  }

  /// The numbers of all records, or `nil` where there is none.
  public var numbers: ClosedRange<RecordNumber>? {
    base.number < last ? base.number.advanced(by: 1)...last : nil
  }

  /// Calls `body` with a record, borrowed, or returns `nil` where there is none of that number.
  ///
  /// Its payload has been checked. O(log n).
  ///
  /// - Throws: `damagedRecord`.
  public func withRecord<R>(
    _ number: RecordNumber, _ body: (borrowing RecordView) throws(LogError) -> R
  ) throws(LogError) -> R? {
    var cursor = try records(from: number)
    guard try cursor.next(), cursor.number == number else { return nil }
    return try body(cursor.record)
  }

  /// A copy of a record, or `nil` where there is none of that number.
  ///
  /// O(log n).
  ///
  /// - Throws: `damagedRecord`.
  public func record(_ number: RecordNumber) throws(LogError) -> Record? {
    try withRecord(number) { record throws(LogError) in record.record }
  }

  /// A record's header, its checksums not checked, or `nil` where there is none of that number.
  ///
  /// O(log n).
  ///
  /// - Throws: `damagedRecord` where its bytes can't be read.
  func header(of number: RecordNumber) throws(LogError) -> RecordHeader? {
    let bytes: RawSpan?
    do throws(LMDBError) {
      bytes = try transaction.bytes(for: number.rawValue, in: file.table)
    } catch {
      throw LogError(error, path: file.environment.path)
    }
    guard let bytes else { return nil }
    guard let header = RecordHeader(bytes) else { throw .damagedRecord(number, .unknownFormat) }
    return header
  }

  /// A cursor over all records, or those from a number on, each checked as it is reached.
  ///
  /// O(log n).
  ///
  /// Where the record before the first is damaged or missing, the first one's chain is taken on
  /// trust.
  ///
  /// - Throws: `compacted` where the number is not above the floor.
  @_lifetime(borrow self)
  public func records(from first: RecordNumber? = nil) throws(LogError) -> RecordCursor {
    let number = first ?? base.number.advanced(by: 1)
    guard number > base.number else { throw .compacted(floor: base.number) }
    let before = max(number.rawValue - 1, base.number.rawValue + 1)
    do throws(LMDBError) {
      let cursor = try transaction.cursor(over: file.table, in: .from(before))
      return RecordCursor(cursor, from: number, base, path: file.environment.path)
    } catch {
      throw LogError(error, path: file.environment.path)
    }
  }
}

extension Log {
  /// Calls `body` with the log as it stands now.
  ///
  /// It blocks for no lock, and only for pages that must come from the disk.
  public func read<R, E: Error>(
    _ body: (borrowing Snapshot) throws(E) -> R
  ) throws -> R {
    let snapshot: Snapshot
    do throws(LMDBError) {
      snapshot = try Snapshot(file, base)
    } catch {
      throw LogError(error, path: path)
    }
    head.saw(snapshot.last, in: snapshot.transactionID)
    return try body(snapshot)
  }

  /// The number of the last record, whichever process appended it; the floor where there is none.
  ///
  /// Where nothing is new it costs no transaction.
  public var last: RecordNumber {
    get throws(LogError) {
      do throws(LMDBError) {
        if let known = head.last(asOf: try file.environment.lastTransaction) { return known }
        let snapshot = try Snapshot(file, base)
        head.saw(snapshot.last, in: snapshot.transactionID)
        return snapshot.last
      } catch {
        throw LogError(error, path: path)
      }
    }
  }
}
