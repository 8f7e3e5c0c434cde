import LMDB
import TestSupport
import Testing

@Suite struct DuplicatesTests {
  private let folder: TemporaryFolder
  private let environment: Environment
  private let table: Table<String, String>

  init() throws {
    folder = try TemporaryFolder()
    environment = try Environment(at: folder.path)
    table = try environment.table("tags", options: [.create, .duplicates])
    let table = table
    try environment.write { transaction throws(LMDBError) in
      for value in ["c", "a", "b", "a"] { try transaction.put(value, for: "x", in: table) }
      try transaction.put("z", for: "y", in: table)
    }
  }

  @Test func values_areSortedAndDistinct() throws {
    let transaction = try environment.beginReading()
    #expect(try transaction.count(of: table) == 4)
    #expect(try transaction.value(for: "x", in: table) == "a")
    var cursor = try transaction.cursor(over: table, in: .through("x", "x"))
    var values: [String?] = []
    while try cursor.next() { values.append(String(bytes: cursor.value)) }
    #expect(values == ["a", "b", "c"])
  }

  /// Operations that LMDB 0.9.24 is known to get wrong here are rejected up front.
  @Test func changesThroughACursor_areUnsupported() throws {
    var transaction = try environment.beginWriting()
    let codes = try codes(&transaction)
    #expect(codes == [.unsupported, .unsupported])
    #expect(try transaction.remove("b", of: "x", from: table))
    #expect(try transaction.count(of: table) == 3)
  }

  private func codes(_ transaction: inout WriteTransaction) throws -> [LMDBError.Code?] {
    var cursor = try transaction.writeCursor(over: table)
    _ = try cursor.next()
    var codes: [LMDBError.Code?] = []
    do throws(LMDBError) { try cursor.remove() } catch { codes.append(error.code) }
    do throws(LMDBError) { try cursor.replace(with: "q") } catch { codes.append(error.code) }
    return codes
  }
}
