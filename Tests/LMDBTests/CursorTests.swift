import Foundation
import LMDB
import TestSupport
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
    #expect(try words(environment, table, .from("ab", before: "b")) == ["ab", "abc"])
    #expect(try words(environment, table, .from("b", before: "ab")) == [])
  }

  @Test func emptyBounds_areBeforeEverything() throws {
    let folder = try TemporaryFolder()
    let environment = try Environment(at: folder.path)
    let table: Table<String, UInt64> = try environment.table("words")
    try environment.write { try $0.put(1, for: "a", in: table) }
    #expect(try words(environment, table, .prefix("")) == ["a"])
    #expect(try words(environment, table, .from("")) == ["a"])
    #expect(try words(environment, table, .before("")) == [])
    #expect(try words(environment, table, .through("", "")) == [])
    let transaction = try environment.beginReading()
    var cursor = try transaction.cursor(over: table)
    #expect(try cursor.seek(""))
  }

  @Test func prefixes_endWhereNoByteIsGreater() throws {
    let folder = try TemporaryFolder()
    let environment = try Environment(at: folder.path)
    let table: Table<[UInt8], [UInt8]> = try environment.table("bytes")
    let keys: [[UInt8]] = [
      [1, 254], [1, 255], [1, 255, 255], [1, 255, 255, 0], [2], [255], [255, 255],
    ]
    try environment.write { for key in keys { try $0.put([], for: key, in: table) } }
    func count(_ prefix: [UInt8]) throws -> Int {
      let transaction = try environment.beginReading()
      var cursor = try transaction.cursor(over: table, in: .prefix(prefix))
      var (forward, backward) = (0, 0)
      while try cursor.next() { forward += 1 }
      while try cursor.previous() { backward += 1 }
      #expect(forward == backward)
      return forward
    }
    for prefix in [[], [1], [1, 255], [1, 255, 255], [2], [255], [255, 255], [3]] as [[UInt8]] {
      #expect(try count(prefix) == keys.filter { $0.starts(with: prefix) }.count)
    }
  }

  /// A length from a damaged page is not trusted when the file lacks the value's pages.
  @Test func value_onPagesThatAreNotThere_isAnError() throws {
    let folder = try TemporaryFolder()
    try Self.makeFileNamingPagesThatAreNotThere(in: folder)
    let environment = try Environment(at: folder.path)
    let table: Table<String, [UInt8]> = try environment.table("words")
    for move in 0..<4 {
      let transaction = try environment.beginReading()
      var cursor = try transaction.cursor(over: table)
      do throws(LMDBError) {
        switch move {
        case 0: _ = try cursor.next()
        case 1: _ = try cursor.previous()
        case 2: _ = try cursor.seek(Self.name)
        default: _ = try transaction.bytes(for: Self.name, in: table)
        }
        Issue.record("the value was found")
      } catch {
        #expect(error.code == .pageNotFound)
      }
    }
  }

  private static let name = "on pages of its own"

  /// Writes a large value, and damages the number of its first page, which follows the key.
  private static func makeFileNamingPagesThatAreNotThere(in folder: TemporaryFolder) throws {
    let environment = try Environment(at: folder.path)
    let table: Table<String, [UInt8]> = try environment.table("words")
    try environment.write { transaction throws(LMDBError) in
      try transaction.put([UInt8](repeating: 7, count: 20_000), for: name, in: table)
    }
    let file = URL(filePath: folder.path(of: "data.mdb"))
    var data = try Data(contentsOf: file)
    var start = data.startIndex
    while let key = data.range(of: Data(name.utf8), in: start..<data.endIndex) {
      data[key.upperBound + 3] = 0x10
      start = key.upperBound
    }
    try data.write(to: file)
  }

  /// A cursor off either end of the table wraps around.
  @Test func cursor_beginsAgainAfterTheEnd() throws {
    let records = try Records()
    try records.fill(0..<2)
    let transaction = try records.environment.beginReading()
    var cursor = try transaction.cursor(over: records.table)
    var visited: [UInt64?] = []
    for _ in 0..<6 { visited.append(try cursor.next() ? UInt64(bytes: cursor.key) : nil) }
    #expect(visited == [0, 1, nil, 0, 1, nil])
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
