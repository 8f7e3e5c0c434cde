import LMDB
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct GrowthTests {
  private func options(ceiling: Int = 1 << 40) -> Environment.Options {
    var options = Environment.Options()
    options.mapSizeMax = ceiling
    options.growthPatience = .milliseconds(100)
    return options
  }

  /// For readers that end by themselves, however late the machine schedules them.
  private var patient: Environment.Options {
    var options = Environment.Options()
    options.growthPatience = .seconds(600)
    return options
  }

  /// Reads repeatedly until told to stop; record 0 holds the number of the other records.
  private static func read(_ records: Records, until stop: borrowing Atomic<Bool>) -> Int {
    var torn = 0
    while !stop.load(ordering: .relaxed) {
      let code = failure { () throws(LMDBError) in
        let transaction = try records.environment.beginReading()
        let said = try transaction.value(for: 0, in: records.table) ?? []
        let count = try transaction.count(of: records.table)
        if Int(String(decoding: said, as: UTF8.self)) != count - 1 { torn += 1 }
      }
      if code != nil { torn += 1 }
    }
    return torn
  }

  private final class Stop: Sendable { let flag = Atomic(false) }

  /// Grows to 64 MB by default and to 1 GB in a proof, which takes seconds for the bytes alone.
  @Test func map_growsBesideReadersOfThreadsAndProcesses() throws {
    let megabytes: UInt64 = Prove.isAsked ? 1024 : 64
    let records = try Records(patient)
    let value = [UInt8](repeating: 7, count: 1 << 16)
    try records.environment.write { transaction throws(LMDBError) in
      try transaction.put(Array("0".utf8), for: 0, in: records.table)
    }
    let worker = try Worker("readRepeatedly", records.folder.path)
    #expect(worker.line() == "ready")
    let stop = Stop()
    let threads = (0..<2).map { _ in
      WorkerThread { #expect(Self.read(records, until: stop.flag) == 0) }
    }
    for megabyte in 0..<megabytes {
      try records.environment.write(.none) { transaction throws(LMDBError) in
        for key in megabyte * 16 + 1...megabyte * 16 + 16 {
          try transaction.put(value, for: key, in: records.table, .append)
        }
        let count = "\(megabyte * 16 + 16)"
        try transaction.put(Array(count.utf8), for: 0, in: records.table)
      }
    }
    stop.flag.store(true, ordering: .relaxed)
    threads.forEach { $0.join() }
    #expect(try records.environment.information.mapSize >= Int(megabytes) << 20)
    #expect(worker.end() == "true 0 true")
    #expect(try records.count() == Int(megabytes) * 16 + 1)
  }

  @Test func writers_ofManyThreads_growOnce() throws {
    let records = try Records(patient)
    let filling: [@Sendable () -> Void] = (0..<4).map { (thread: UInt64) in
      {
        for key in 0..<UInt64(50) {
          let code = failure { () throws(LMDBError) in
            try records.fill(thread * 100 + key..<thread * 100 + key + 1, 1 << 16)
          }
          #expect(code == nil)
        }
      }
    }
    filling.map(WorkerThread.init).forEach { $0.join() }
    #expect(try records.count() == 200)
    #expect(try records.environment.information.mapSize <= 32 << 20)
  }

  @Test func ceiling_isMapFull() throws {
    let records = try Records(options(ceiling: 3 << 20))
    try records.fill(0..<1, 2 << 20)
    #expect(try records.environment.information.mapSize == 3 << 20)
    #expect(failure { () throws(LMDBError) in try records.fill(1..<2, 2 << 20) } == .mapFull)
    try records.fill(1..<2)
    #expect(try records.count() == 2)
  }

  @Test func readerHeldTooLong_isMapFull_andAfterwardsThingsGoOn() throws {
    let records = try Records(options())
    let (held, release) = (Monitor(false), Monitor(false))
    let reader = WorkerThread {
      let code = failure { () throws(LMDBError) in
        let transaction = try records.environment.beginReading()
        held.withLock { $0 = true }
        held.notify()
        release.withLock(when: { $0 }, { _ in })
        _ = transaction.id
      }
      #expect(code == nil)
    }
    held.withLock(when: { $0 }, { _ in })
    #expect(failure { () throws(LMDBError) in try records.fill(0..<1, 2 << 20) } == .mapFull)
    release.withLock { $0 = true }
    release.notify()
    reader.join()
    try records.fill(0..<1, 2 << 20)
    #expect(try records.count() == 1)
  }

  /// Growth waits for holders of the environment, however long they keep a transaction open.
  @Test(arguments: [false, true])
  func holder_isWaitedFor(reopening: Bool) throws {
    let folder = try TemporaryFolder()
    var options = options()
    options.growthPatience = .milliseconds(5)
    let environment = try Environment(at: folder.path, options: options)
    let table: Table<UInt64, [UInt8]> = try environment.table(nil)
    let (held, release) = (Monitor(false), Monitor(false))
    environment.hold()
    let holder = WorkerThread {
      let code = failure { () throws(LMDBError) in
        let transaction = try environment.beginReading()
        held.withLock { $0 = true }
        held.notify()
        release.withLock(when: { $0 }, { _ in })
        _ = transaction.id
      }
      #expect(code == nil)
      environment.release()
    }
    held.withLock(when: { $0 }, { _ in })
    let waiting = WorkerThread {
      let code = failure { () throws(LMDBError) in
        if reopening { return try environment.reopen() }
        try environment.write(.none) { transaction throws(LMDBError) in
          try transaction.put([UInt8](repeating: 7, count: 2 << 20), for: 1, in: table)
        }
      }
      #expect(code == nil)
    }
    WorkerThread.sleep(.milliseconds(50))
    release.withLock { $0 = true }
    release.notify()
    holder.join()
    waiting.join()
  }

  #if os(Linux)
    /// Without room for the map that another process grew, the old map stays.
    @Test func anotherProcessGrowing_withoutAddressSpace_losesNoMap() throws {
      let records = try Records()
      try records.fill(0..<1)
      let worker = try Worker("followWithoutRoom", records.folder.path)
      #expect(worker.line() == "ready")
      try records.fill(1..<2, 64 << 20)
      #expect(worker.end() == "mapFull 2")
    }
  #endif

  @Test func ownReader_isMapFullAtOnce() throws {
    let records = try Records(patient)
    let transaction = try records.environment.beginReading()
    #expect(failure { () throws(LMDBError) in try records.fill(0..<1, 2 << 20) } == .mapFull)
    #expect(try transaction.count(of: records.table) == 0)
  }

  /// A thread with an open reader may begin another while a growing thread waits for the first,
  /// rather than deadlock with it.
  @Test func nestedReader_passesTheGate() throws {
    let records = try Records(patient)
    let growing: WorkerThread
    do {
      let outer = try records.environment.beginReading()
      growing = WorkerThread {
        #expect(failure { () throws(LMDBError) in try records.environment.grow() } == nil)
      }
      let end = Instant.now + .milliseconds(100)
      while Instant.now < end {
        #expect(try records.environment.beginReading().id == outer.id)
      }
    }
    growing.join()
    #expect(try records.environment.information.mapSize == 2 << 20)
  }

  /// One environment's map must not grow because another's is full.
  @Test func fullMapOfAnotherEnvironment_growsNothingHere() throws {
    let outer = try Records()
    let inner = try Records(options(ceiling: 1 << 20))
    let code = failure { () throws(LMDBError) in
      try outer.environment.write { _ throws(LMDBError) in try inner.fill(0..<1, 2 << 20) }
    }
    #expect(code == .mapFull)
    #expect(try outer.environment.information.mapSize == 1 << 20)
  }
}
