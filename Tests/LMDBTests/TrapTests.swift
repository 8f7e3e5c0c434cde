import LMDB
import Testing

/// Misuse that no type prevents ends the process, each in a process of its own.
@Suite struct TrapTests {
  @Test func tableOfAnotherEnvironment() async {
    await #expect(processExitsWith: .failure) {
      let (one, other) = (try Records(), try Records())
      _ = try one.environment.read { try $0.count(of: other.table) }
    }
  }

  @Test func secondWriteTransactionOfAThread() async {
    await #expect(processExitsWith: .failure) { try Self.writeTwice() }
  }

  private static func writeTwice() throws {
    let records = try Records()
    var transaction = try records.environment.beginWriting()
    try records.fill(0..<1)
    try transaction.removeAll(from: records.table)
  }

  @Test func closingWithAnOpenTransaction() async {
    await #expect(processExitsWith: .failure) { try Self.closeTooEarly() }
  }

  private static func closeTooEarly() throws {
    let records = try Records()
    let transaction = try records.environment.beginReading()
    records.environment.close()
    _ = transaction.id
  }

  @Test func readingWhereACursorRemoved() async {
    await #expect(processExitsWith: .failure) { try Self.readRemoved() }
  }

  private static func readRemoved() throws {
    let records = try Records()
    try records.fill(0..<3)
    var transaction = try records.environment.beginWriting()
    var cursor = try transaction.writeCursor(over: records.table)
    _ = try cursor.next()
    try cursor.remove()
    _ = cursor.value.byteCount
  }

  /// The proof that the traps above are what ended those processes.
  @Test func properUse_succeeds() async {
    await #expect(processExitsWith: .success) {
      let records = try Records()
      try records.fill(0..<3)
      #expect(try records.count() == 3)
      records.environment.close()
      records.environment.close()
    }
  }
}
