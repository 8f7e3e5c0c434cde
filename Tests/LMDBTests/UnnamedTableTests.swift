import LMDB
import TestSupport
import Testing

@Suite struct UnnamedTableTests {
  @Test func holdsEntriesAndIsThereAgain() throws {
    let folder = try TemporaryFolder()
    let first = try Environment(at: folder.path)
    let table: Table<UInt64, String> = try first.table(nil)
    try first.write { try $0.put("one", for: 1, in: table) }
    first.close()
    let second = try Environment(at: folder.path)
    let again: Table<UInt64, String> = try second.table(nil, options: [])
    #expect(try second.read { try $0.value(for: 1, in: again) } == "one")
  }

  /// LMDB adopts the flags that the unnamed table is opened with, and under other flags it would no
  /// longer find the names of the other tables.
  @Test func isNotOpenedOverNamedTables() throws {
    let folder = try TemporaryFolder()
    let first = try Environment(at: folder.path)
    let named: Table<String, String> = try first.table("words")
    try first.write { try $0.put("b", for: "a", in: named) }
    #expect(throws: LMDBError.self) {
      _ = try first.table(nil, keys: UInt64.self, values: String.self)
    }
    first.close()
    let second = try Environment(at: folder.path)
    let words: Table<String, String> = try second.table("words", options: [])
    #expect(try second.read { try $0.value(for: "a", in: words) } == "b")
  }
}
