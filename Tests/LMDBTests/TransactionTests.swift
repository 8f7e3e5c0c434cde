import LMDB
import Synchronization
import TestSupport
import Testing

@Suite struct TransactionTests {
  @Test func leavingScope_takesEverythingBack() throws {
    let records = try Records()
    try records.fill(0..<3)
    do {
      var transaction = try records.environment.beginWriting()
      try transaction.removeAll(from: records.table)
      #expect(try transaction.count(of: records.table) == 0)
    }
    #expect(try records.count() == 3)
  }

  @Test func throwing_takesEverythingBack() throws {
    let records = try Records()
    let code = failure { () throws(LMDBError) in
      try records.environment.write { transaction throws(LMDBError) in
        try transaction.put([1], for: 1, in: records.table)
        try transaction.put([2], for: 1, in: records.table, .insert)
      }
    }
    #expect(code == .keyExists)
    #expect(try records.count() == 0)
  }

  @Test(arguments: [WriteTransaction.Flush.full, .pages, .none])
  func commit_isVisibleAtOnceAndAfterReopening(flush: WriteTransaction.Flush) throws {
    let records = try Records()
    let before = try records.environment.lastTransaction
    var transaction = try records.environment.beginWriting()
    #expect(transaction.id == before + 1)
    try transaction.put([1, 2], for: 5, in: records.table)
    try transaction.commit(flush)
    #expect(try records.environment.lastTransaction == before + 1)
    #expect(try Records.all(of: records.environment) == [5: [1, 2]])
    try records.environment.flush()
    records.environment.close()
    let again = try Environment(at: records.folder.path)
    #expect(try Records.all(of: again) == [5: [1, 2]])
  }

  @Test func reserved_isZeroWhereItIsNotFilled() throws {
    let records = try Records()
    try records.fill(0..<200, 100)
    try records.environment.write { transaction in
      try transaction.removeAll(from: records.table)
      for key in 0..<200 as Range<UInt64> {
        var room = try transaction.reserve(100, for: key, in: records.table, .append)
        room.storeBytes(of: 9, toByteOffset: 50, as: UInt8.self)
      }
    }
    let expected = [UInt8](repeating: 0, count: 50) + [9] + [UInt8](repeating: 0, count: 49)
    #expect(try Records.all(of: records.environment).allSatisfy { $0.value == expected })
  }

  @Test func write_passesOnWhatItsBodyThrows() throws {
    struct Refusal: Error, Equatable {}
    let records = try Records()
    #expect(throws: Refusal()) {
      try records.environment.write { transaction in
        try transaction.put([1], for: 1, in: records.table)
        throw Refusal()
      }
    }
    #expect(throws: LMDBError.self) {
      try records.environment.write { transaction in
        for _ in 0..<2 { try transaction.put([1], for: 1, in: records.table, .insert) }
      }
    }
    #expect(try records.count() == 0)
    let big = [UInt8](repeating: 0, count: 3 << 20)
    try records.environment.write { try $0.put(big, for: 1, in: records.table) }
    #expect(try records.count() == 1)
  }

  @Test func emptyCommit_countsNothing() throws {
    let records = try Records()
    let before = try records.environment.lastTransaction
    try records.environment.beginWriting().commit()
    #expect(try records.environment.lastTransaction == before)
  }

  @Test func reader_seesOneMoment() throws {
    let records = try Records()
    try records.fill(0..<1)
    let old = try records.environment.beginReading()
    let span = try old.bytes(for: 0, in: records.table)
    try records.fill(0..<50, 4000)
    let new = try records.environment.beginReading()
    #expect(new.id > old.id)
    #expect(try old.count(of: records.table) == 1)
    #expect(try new.count(of: records.table) == 50)
    #expect(span?.byteCount == 3)
  }

  @Test func writer_waitsForTheOther() throws {
    let records = try Records()
    let order = Mutex<[String]>([])
    var transaction = try records.environment.beginWriting()
    let other = WorkerThread {
      let code = failure { () throws(LMDBError) in
        try records.environment.write { _ in order.withLock { $0.append("second") } }
      }
      #expect(code == nil)
    }
    try transaction.put([1], for: 1, in: records.table)
    order.withLock { $0.append("first") }
    try transaction.commit()
    other.join()
    #expect(order.withLock { $0 } == ["first", "second"])
  }

  @Test func writers_ofManyThreads_loseNothing() throws {
    let records = try Records()
    let adding: @Sendable () -> Void = {
      for _ in 0..<50 {
        let code = failure { () throws(LMDBError) in
          try records.environment.write(.none) { transaction throws(LMDBError) in
            let count = try transaction.count(of: records.table)
            try transaction.put([0], for: UInt64(count), in: records.table, .append)
          }
        }
        #expect(code == nil)
      }
    }
    concurrently(adding, adding, adding, adding)
    #expect(try records.count() == 200)
  }

  @Test func readers_keepABoundedPool() throws {
    var options = Environment.Options()
    options.idleReadersMax = 2
    let records = try Records(options)
    func nest(_ depth: Int) throws {
      let transaction = try records.environment.beginReading()
      if depth > 1 { try nest(depth - 1) }
      _ = transaction.id
    }
    try nest(20)
    let readers = try records.environment.readers()
    #expect(readers.map(\.transaction) == [nil, nil])
    try nest(20)
    #expect(try records.environment.information.readersUsed == 20)
  }

  @Test func readersFull_whereEverySlotIsTaken_andNotAfterwards() throws {
    var options = Environment.Options()
    options.readersMax = 2
    let records = try Records(options)
    do {
      let first = try records.environment.beginReading()
      let second = try records.environment.beginReading()
      let code = failure { () throws(LMDBError) in _ = try records.environment.beginReading().id }
      #expect(code == .readersFull)
      #expect(first.id == second.id)
    }
    #expect(try records.count() == 0)
  }

  @Test func oldestReaderAge_isThatOfTheFirst() throws {
    let records = try Records()
    #expect(records.environment.oldestReaderAge == nil)
    do {
      let first = try records.environment.beginReading()
      let age = try #require(records.environment.oldestReaderAge)
      let second = try records.environment.beginReading()
      #expect(try #require(records.environment.oldestReaderAge) > age)
      #expect(first.id == second.id)
    }
    #expect(records.environment.oldestReaderAge == nil)
  }

  @Test func olderTransaction_doesNotKnowANewTable() throws {
    let records = try Records()
    let transaction = try records.environment.beginReading()
    let table: Table<String, String> = try records.environment.table("new")
    #expect(failure { () throws(LMDBError) in try transaction.count(of: table) } == .badTable)
    #expect(
      failure { () throws(LMDBError) in _ = try transaction.bytes(for: "a", in: table) }
        == .badTable)
    let code = failure { () throws(LMDBError) in
      var cursor = try transaction.cursor(over: table)
      _ = try cursor.next()
    }
    #expect(code == .badTable)
  }

  @Test func afterAFailedOperation_onlyAbortingIsLeft() throws {
    var options = Environment.Options()
    options.mapSizeMax = 1 << 20
    let records = try Records(options)
    var transaction = try records.environment.beginWriting()
    let value = [UInt8](repeating: 0, count: 2 << 20)
    let table = records.table
    #expect(
      failure { () throws(LMDBError) in try transaction.put(value, for: 1, in: table) } == .mapFull)
    #expect(
      failure { () throws(LMDBError) in try transaction.put([], for: 1, in: table) }
        == .badTransaction)
    transaction.abort()
    try records.fill(0..<1)
  }
}
