import LMDB
import TestSupport
import Testing

/// An environment whose files are reopened without its users knowing.
@Suite struct ReopeningTests {
  @Test func reopened_goesOnAsItWas() throws {
    let folder = try TemporaryFolder()
    let environment = try Environment(at: folder.path)
    let table: Table<UInt64, String> = try environment.table(nil)
    for number in 1...50 as ClosedRange<UInt64> {
      try environment.write { try $0.put("\(number)", for: number, in: table) }
      if number % 10 == 0 { try environment.reopen() }
      #expect(try environment.read { try $0.count(of: table) } == Int(number))
      #expect(try environment.read { try $0.value(for: number, in: table) } == "\(number)")
    }
    environment.close()
    #expect(throws: LMDBError.self) { try environment.reopen() }
  }

  @Test func reopening_waitsForReaders_andGivesUp() throws {
    let folder = try TemporaryFolder()
    var options = Environment.Options()
    options.growthPatience = .milliseconds(10)
    let environment = try Environment(at: folder.path, options: options)
    let table: Table<UInt64, String> = try environment.table(nil)
    try environment.write { try $0.put("one", for: 1, in: table) }
    let read = try environment.beginReading()
    #expect(throws: LMDBError.self) { try environment.reopen() }
    #expect(try read.value(for: 1, in: table) == "one")
    _ = consume read
    try environment.write { try $0.put("two", for: 2, in: table) }
    #expect(try environment.read { try $0.value(for: 2, in: table) } == "two")
  }

  @Test func appender_anywhere_fillsGapsAndReplacesNothing() throws {
    let folder = try TemporaryFolder()
    let environment = try Environment(at: folder.path)
    let table: Table<UInt64, [UInt8]> = try environment.table(nil)
    try environment.write { try $0.put([9], for: 1 << 63, in: table) }
    try environment.write { transaction in
      var appender = try transaction.appender(to: table, isLast: false)
      for number in 1...500 as ClosedRange<UInt64> {
        var room = try appender.reserve(8, for: number)
        room.store(integer: number, at: 0)
      }
      let again = Result { () throws(LMDBError) in _ = try appender.reserve(8, for: 7) }
      #expect((try? again.get()) == nil, "a key that is there was written again")
    }
    try environment.read { transaction in
      #expect(try transaction.count(of: table) == 501)
      var cursor = try transaction.cursor(over: table)
      for number in 1...500 as ClosedRange<UInt64> {
        let isThere = try cursor.next()
        #expect(isThere)
        #expect(UInt64(bytes: cursor.key) == number && UInt64(bytes: cursor.value) == number)
      }
    }
  }
}
