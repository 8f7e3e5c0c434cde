import LMDB
import Testing

@Suite struct CursorTests {
  @Test func ranges_visitBothWays() throws {
    let folder = try TemporaryFolder()
    let environment = try Environment(at: folder.path)
    let table: Table<String, UInt64> = try environment.table("words")
    try environment.write { transaction throws(LMDBError) in
      for (index, word) in ["a", "ab", "abc", "b", "ba"].enumerated() {
        try transaction.put(UInt64(index), for: word, in: table)
      }
    }
    #expect(try words(environment, table, .prefix("ab")) == ["ab", "abc"])
    #expect(try words(environment, table, .from("abc")) == ["abc", "b", "ba"])
    #expect(try words(environment, table, .before("b")) == ["a", "ab", "abc"])
    #expect(try words(environment, table, .through("ab", "b")) == ["ab", "abc", "b"])
  }

  private func words(
    _ environment: Environment, _ table: Table<String, UInt64>, _ range: KeyRange<String>
  ) throws -> [String] {
    try environment.read { transaction in
      var forward: [String] = []
      var backward: [String] = []
      var cursor = try transaction.cursor(over: table, in: range)
      while try cursor.next() { forward.append(String(bytes: cursor.key) ?? "?") }
      var other = try transaction.cursor(over: table, in: range)
      while try other.previous() { backward.append(String(bytes: other.key) ?? "?") }
      #expect(backward == forward.reversed())
      return forward
    }
  }
}
