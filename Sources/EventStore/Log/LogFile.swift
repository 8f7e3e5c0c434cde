package import LMDB

/// The log's environment and its one table: records under their numbers, and the store's own record
/// under 0.
package struct LogFile: Sendable {
  package let environment: Environment
  package let table: Table<UInt64, [UInt8]>
  private let cache = BaseCache()

  /// The smallest size in bytes of a record in a page.
  static let entryBytesMin = 32

  /// The end of the log: its last record, the chain there, and the transaction that saw it.
  struct End: Hashable, Sendable {
    var number: RecordNumber
    var chain: Chain
    var transaction: UInt64
    /// The base that the records build on.
    var base: LogBase

    /// Advances over a newly written record, and stores its chain.
    @inline(__always)
    mutating func advance(over record: inout MutableRawSpan, headerCount: Int) {
      number = number.advanced(by: 1)
      chain = chain.extended(by: number, record.bytes, count: headerCount)
      record.store(integer: chain.value, at: headerCount - 4)
    }
  }

  init(at path: String, options: Environment.Options) throws(LMDBError) {
    environment = try Environment(at: path, options: options)
    table = try environment.table(nil, options: options.isReadOnly ? [] : .create)
  }

  /// The records' base when it was last read.
  var knownBase: LogBase? { cache.newest }

  /// Returns the records' base in a transaction's view.
  func base<T: Transaction & ~Copyable & ~Escapable>(
    in transaction: borrowing T
  ) throws(LMDBError) -> LogBase {
    guard let bytes = try transaction.bytes(for: StoreRecord.key, in: table),
      let base = cache.base(in: bytes)
    else { throw LMDBError(.undecodable, "read the store's own record") }
    return base
  }

  /// Returns the end of the log in a transaction's view.
  func end<T: Transaction & ~Copyable & ~Escapable>(
    in transaction: borrowing T
  ) throws(LMDBError) -> End {
    let base = try base(in: transaction)
    // Finding the last entry is faster than finding the last one before a key.
    let range: KeyRange<UInt64> = base.usesAreas ? .before(KeySpace.end) : .all
    var cursor = try transaction.cursor(over: table, in: range)
    guard try cursor.previous(), let number = UInt64(bytes: cursor.key),
      number > base.number.rawValue
    else {
      return End(number: base.number, chain: base.chain, transaction: transaction.id, base: base)
    }
    guard let header = RecordHeader(cursor.value) else {
      throw LMDBError(.undecodable, "read record \(number)")
    }
    return End(
      number: RecordNumber(rawValue: number), chain: Chain(header.chain),
      transaction: transaction.id, base: base)
  }

  /// Returns the store's own record, or `nil` in an empty file.
  func store<T: Transaction & ~Copyable & ~Escapable>(
    in transaction: borrowing T
  ) throws(LogError) -> StoreRecord? {
    let path = environment.path
    do {
      guard let bytes = try transaction.bytes(for: StoreRecord.key, in: table) else {
        guard try transaction.count(of: table) == 0 else { throw LogError.notALog(path: path) }
        return nil
      }
      return try StoreRecord(bytes)
    } catch let error as LogError {
      throw error
    } catch let error as LMDBError {
      throw LogError(error, path: path)
    } catch StoreRecord.Failure.newerFormat(let found) {
      throw .newerFormat(path: path, found: found, known: Int(StoreRecord.format))
    } catch StoreRecord.Failure.notAStore {
      throw .notALog(path: path)
    } catch {
      throw .damagedFile(path: path, detail: "the store's own record")
    }
  }

  /// Returns the store's own record, which an open file always has.
  func currentStore(in transaction: borrowing WriteTransaction) throws(LMDBError) -> StoreRecord {
    guard let store = try? store(in: transaction) else {
      throw LMDBError(.undecodable, "read the store's own record")
    }
    return store
  }

  /// Writes the store's own record.
  func put(_ store: StoreRecord, in transaction: inout WriteTransaction) throws(LMDBError) {
    try transaction.put(store.bytes, for: StoreRecord.key, in: table)
  }
}
