import LMDB
import TestSupport
import Testing

/// Misuse that no type prevents ends the process; each test runs it in its own process.
///
/// A trapped process can't clean up after itself, so its folder belongs to the test that starts it.
@Suite struct TrapTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private typealias Records = (environment: Environment, table: Table<UInt64, [UInt8]>)

  private static func open(_ path: String) throws -> Records {
    let environment = try Environment(at: path)
    return (environment, try environment.table("records"))
  }

  @Test func tableOfAnotherEnvironment() async throws {
    let other = try TemporaryFolder()
    await #expect(processExitsWith: .failure) {
      [path = folder.path as String, other = other.path as String] in
      let (one, two) = (try Self.open(path), try Self.open(other))
      _ = try one.environment.read { try $0.count(of: two.table) }
    }
  }

  @Test func secondWriteTransactionOfAThread() async {
    await #expect(processExitsWith: .failure) { [path = folder.path as String] in
      try Self.writeTwice(path)
    }
  }

  private static func writeTwice(_ path: String) throws {
    let records = try open(path)
    var transaction = try records.environment.beginWriting()
    try records.environment.write { try $0.removeAll(from: records.table) }
    try transaction.removeAll(from: records.table)
  }

  @Test func closingWithAnOpenTransaction() async {
    await #expect(processExitsWith: .failure) { [path = folder.path as String] in
      try Self.closeTooEarly(path)
    }
  }

  private static func closeTooEarly(_ path: String) throws {
    let records = try open(path)
    let transaction = try records.environment.beginReading()
    records.environment.close()
    _ = transaction.id
  }

  @Test func readingWhereACursorRemoved() async {
    await #expect(processExitsWith: .failure) { [path = folder.path as String] in
      try Self.readRemoved(path)
    }
  }

  private static func readRemoved(_ path: String) throws {
    let records = try open(path)
    var transaction = try records.environment.beginWriting()
    try transaction.put([1], for: 1, in: records.table)
    var cursor = try transaction.writeCursor(over: records.table)
    _ = try cursor.next()
    try cursor.remove()
    _ = cursor.value.byteCount
  }

  /// Proves that the processes above ended because of the traps.
  @Test func properUse_succeeds() async {
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      let records = try Self.open(path)
      try records.environment.write { try $0.put([1], for: 1, in: records.table) }
      records.environment.close()
      records.environment.close()
    }
  }
}
