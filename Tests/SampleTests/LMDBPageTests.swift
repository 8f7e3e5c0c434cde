import LMDB
import TestSupport
import Testing

/// The code on the first page of the module.
@Suite struct LMDBPageTests {
  @Test func visits_areCounted() throws {
    let parent = try TemporaryFolder()
    let folder = parent.path
    // LMDB.md begins
    let environment = try Environment(at: folder)  // One that is there.
    let visits: Table<String, UInt64> = try environment.table("visits")

    try environment.write { transaction in
      let before = try transaction.value(for: "home", in: visits) ?? 0
      try transaction.put(before + 1, for: "home", in: visits)
    }
    try environment.read { transaction in
      var cursor = try transaction.cursor(over: visits, in: .prefix("ho"))
      while try cursor.next() {
        print(String(bytes: cursor.key) ?? "", UInt64(bytes: cursor.value) ?? 0)
      }
    }
    // LMDB.md ends
    let visited = try environment.read { try $0.value(for: "home", in: visits) }
    #expect(visited == 1)
  }
}
