import LMDB
import TestSupport

/// An environment with one table of records, in a folder of its own.
struct Records {
  typealias Table = LMDB.Table<UInt64, [UInt8]>

  let folder: TemporaryFolder
  let environment: Environment
  let table: Table

  init(_ options: Environment.Options = .init()) throws {
    folder = try TemporaryFolder()
    environment = try Environment(at: folder.path, options: options)
    table = try environment.table("records")
  }

  /// Stores records of `count` bytes in one transaction.
  func fill(_ keys: Range<UInt64>, _ count: Int = 3) throws(LMDBError) {
    let value = [UInt8](repeating: 7, count: count)
    try environment.write(.none) { transaction throws(LMDBError) in
      for key in keys { try transaction.put(value, for: key, in: table) }
    }
  }

  func count() throws -> Int { try environment.read { try $0.count(of: table) } }

  /// Returns every record of the table "records" in an environment.
  static func all(of environment: Environment) throws -> [UInt64: [UInt8]] {
    let table: Table = try environment.table("records")
    return try environment.read { transaction in
      var records: [UInt64: [UInt8]] = [:]
      var cursor = try transaction.cursor(over: table)
      while try cursor.next() {
        records[UInt64(bytes: cursor.key) ?? .max] = [UInt8](bytes: cursor.value)
      }
      return records
    }
  }
}

/// Runs each body on a thread of its own and waits for all of them.
func concurrently(_ bodies: (@Sendable () -> Void)...) {
  bodies.map(WorkerThread.init).forEach { $0.join() }
}
