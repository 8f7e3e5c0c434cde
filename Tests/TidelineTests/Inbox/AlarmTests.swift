import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import Tideline

/// A change that is due at a time happens then, however the system's sleep and clock behave.
@Suite(.timeLimit(.minutes(5))) struct AlarmTests {
  private func tell(_ inbox: Inbox, _ id: String, endingIn seconds: Double) async throws {
    var message = RichMessage(id: id, account: inbox.account)
    message.endDateUtc = Date(timeIntervalSince1970: 1_750_000_000 + seconds)
    let told = message
    try await inbox.apply(Delivery { $0.add(told) })
  }

  private func wait(until isActive: Bool, _ id: String, in inbox: Inbox) async throws {
    while try inbox.object(RichMessage.self, id)?.isActive != isActive {
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  /// Returns the clock ticks that the log holds.
  private func ticks(of store: InboxStore) throws -> [ClockTicked] {
    let log = try store.core.log
    let last = try log.last.rawValue
    return try log.read { log in
      try (1...last).compactMap { number in
        try log.record(RecordNumber(rawValue: number)).flatMap {
          try EventCatalog.event(of: $0) as? ClockTicked
        }
      }
    }
  }

  private func withMessage(
    _ desk: TestDesk, _ options: InboxStore.Options, _ body: (Inbox) async throws -> Void
  ) async throws {
    let store = try await InboxStore.open(at: desk.folder.path, options: options)
    let inbox = try await store.logIn("alice@example.com", policy: .marketingCloud)
    try await tell(inbox, "r1", endingIn: 100)
    #expect(try inbox.object(RichMessage.self, "r1")?.isActive == true)
    try await body(inbox)
    try await wait(until: false, "r1", in: inbox)
    await store.close()
  }

  @Test func sleepThatEndsEarly_isGoneOnWith() async throws {
    let desk = try TestDesk()
    var options = desk.options
    options.sleep = { _ in try await Task.sleep(for: .milliseconds(2)) }
    try await withMessage(desk, options) { _ in
      try await Task.sleep(for: .milliseconds(50))
      desk.advance(by: 101)
    }
  }

  /// A system sleep ends on time, whatever the clock says by then.
  @Test(arguments: [-50.0, 50]) func clockThatIsSet_letsTheMomentCome(by seconds: Double)
    async throws
  {
    let desk = try TestDesk()
    try await withMessage(desk, desk.options) { inbox in
      desk.setClock(by: seconds)
      try await inbox.store.clockWasSet()
      try await Task.sleep(for: .milliseconds(20))
      desk.advance(by: 101 - seconds)
    }
  }

  /// Nobody reports that the clock was set: the store notices it when something is recorded.
  @Test(.feature(73), .rule(5)) func clockThatIsSet_isNoticed() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, desk in
      try await tell(inbox, "r1", endingIn: 100)
      for (seconds, isActive) in [(1.5, true), (200, false), (-200, true)] {
        desk.setClock(by: seconds)
        try await inbox.tell(threads: ["\(seconds)": ["inbox"]])
        try await wait(until: isActive, "r1", in: inbox)
      }
      // A due change may be reported before the jump that made it due.
      var jumps: [Int64?] = []
      while jumps.count < 2 {
        jumps = try ticks(of: inbox.store).filter { $0.reason == .set }.map(\.jump)
        try await Task.sleep(for: .milliseconds(1))
      }
      #expect(jumps == [200_000, -200_000])
    }
  }

  @Test(.rule(5)) func clockThatIsSet_whileSuspended_isNoticedFirst() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, desk in
      try await tell(inbox, "r1", endingIn: 100)
      for seconds in [200.0, -200] {
        await inbox.store.suspend()
        desk.setClock(by: seconds)
        try await inbox.store.resume()
        #expect(try inbox.object(RichMessage.self, "r1")?.isActive == (seconds < 0))
      }
      #expect(try ticks(of: inbox.store).map(\.reason) == [.set, .set])
    }
  }

  /// A log that has no room for what is due keeps nobody from reading what is there.
  @Test func logThatIsFull_isOpenedAllTheSame() async throws {
    let desk = try TestDesk()
    var options = desk.options
    options.core.log.mapSizeMax = 1 << 20
    var store = try await InboxStore.open(at: desk.folder.path, options: options)
    let inbox = try await store.logIn("alice@example.com", policy: .marketingCloud)
    try await tell(inbox, "r1", endingIn: 100)
    await store.suspend()
    try await fill(desk, options)
    desk.advance(by: 101)
    try await store.resume()
    #expect(try inbox.object(RichMessage.self, "r1") != nil)
    #expect(try ticks(of: store).allSatisfy { $0.reason != .foreground })
    await store.close()
    store = try await InboxStore.open(at: desk.folder.path, options: options)
    #expect(try store.inbox(of: 1).object(RichMessage.self, "r1") != nil)
    #expect(try ticks(of: store).allSatisfy { $0.reason != .opened })
    await store.close()
  }

  /// Appends to a log, less and less at a time, until not even the time has room.
  private func fill(_ desk: TestDesk, _ options: InboxStore.Options) async throws {
    let log = try await Log.open(at: desk.folder.path(of: "log"), options: options.core.log)
    let last = try #require(try log.read { try $0.record(log.last) }).header
    let (time, login) = (last.recordedAt, last.login)
    for size in [1 << 16, 1 << 10, 0] {
      while true {
        var batch = Batch()
        if size == 0 {
          batch.add(ClockTicked { $0.reason = .due }, recordedAt: time, login: nil)
        } else {
          let fields = ObjectFields {
            $0.put(.id, "t1")
            $0.put(.subject, String(repeating: "x", count: size))
          }
          batch.add(ObjectFact(.thread, fields), recordedAt: time, login: login)
        }
        let isFull: Bool
        do throws(LogError) {
          try await log.append(batch)
          isFull = false
        } catch {
          guard case .mapFull = error else { throw error }
          isFull = true
        }
        if isFull { break }
      }
    }
    await log.close()
  }

  /// The clock was ahead in one run of the app, and is right in the next.
  ///
  /// Between the two, an extension may have left a push, which is recorded first.
  @Test(.feature(73), .rule(5), arguments: [false, true])
  func clockThatIsSetBack_betweenTwoRuns_isNoticed(hasPush: Bool) async throws {
    let desk = try TestDesk()
    var store = try await desk.open()
    let inbox = try await store.logIn("alice@example.com", policy: .marketingCloud)
    try await tell(inbox, "r1", endingIn: 100)
    let runs: [(Double, Bool, [ClockReason])] = [
      (200, false, [.opened]), (-200, true, [.opened, .set]), (-1.5, true, [.opened, .set]),
    ]
    for (seconds, isActive, reasons) in runs {
      await store.close()
      desk.setClock(by: seconds)
      if hasPush, seconds == -200 {
        let push = try PushPayload(json: Array(#"{"_sid":"SFMC","_mt":8,"_m":"m1"}"#.utf8))
        try desk.spool.receive(push, by: .marketingCloud, at: desk.now)
      }
      store = try await desk.open()
      let inbox = store.inbox(of: 1)
      #expect(try inbox.object(RichMessage.self, "r1")?.isActive == isActive)
      #expect(try ticks(of: store).map(\.reason) == reasons)
    }
    #expect(try store.inbox(of: 1).rich.contents().allCount == (hasPush ? 2 : 1))
    await store.close()
  }

  @Test(.rule(5)) func whatIsDueWithinASecond_isToldAtOnce() async throws {
    let desk = try TestDesk()
    let asked = Mutex(Duration.zero)
    var options = desk.options
    options.sleep = { [sleep = options.sleep] duration in
      asked.withLock { $0 = duration }
      try await sleep(duration)
    }
    let store = try await InboxStore.open(at: desk.folder.path, options: options)
    let inbox = try await store.logIn("alice@example.com", policy: .marketingCloud)
    for (id, seconds) in [("r1", 100.0), ("r2", 100.5), ("r3", 102)] {
      try await tell(inbox, id, endingIn: seconds)
    }
    while asked.withLock({ $0 }) != .seconds(100) { try await Task.sleep(for: .milliseconds(1)) }
    desk.advance(by: 100.25)
    // The first message is due, and the alarm then sleeps until the second.
    while asked.withLock({ $0 }) > .seconds(1) { try await Task.sleep(for: .milliseconds(1)) }
    desk.advance(by: 0.5)
    try await wait(until: false, "r2", in: inbox)
    #expect(try inbox.object(RichMessage.self, "r1")?.isActive == false)
    // State that is shown may not be written yet.
    try await store.core.log.flush()
    let reasons = try ticks(of: store).map(\.reason)
    #expect(reasons == [.due])
    await store.close()
  }

  /// Runs `body` with an inbox in which something is due, and with how long the waits begun so far
  /// were to take, and the number of those that go on.
  private func withWaits(
    _ body: (Inbox, () -> (begun: [Duration], count: Int)) async throws -> Void
  ) async throws {
    let desk = try TestDesk()
    let waits = Mutex((begun: [Duration](), count: 0))
    var options = desk.options
    options.sleep = { [sleep = options.sleep] duration in
      waits.withLock { $0 = ($0.begun + [duration], $0.count + 1) }
      defer { waits.withLock { $0.count -= 1 } }
      try await sleep(duration)
    }
    let store = try await InboxStore.open(at: desk.folder.path, options: options)
    let inbox = try await store.logIn("alice@example.com", policy: .marketingCloud)
    try await tell(inbox, "r1", endingIn: 100)
    try await body(inbox) { waits.withLock(\.self) }
    await store.close()
  }

  /// Otherwise each observer would begin a wait of its own.
  @Test func clockThatIsSet_severalTimesAtOnce_leavesOneObserver() async throws {
    try await withWaits { inbox, waits in
      for _ in 0..<100 {
        async let first: Void = inbox.store.clockWasSet()
        async let second: Void = inbox.store.clockWasSet()
        _ = try await (first, second)
      }
      try await tell(inbox, "r2", endingIn: 50)
      while !waits().begun.contains(.seconds(50)) { try await Task.sleep(for: .milliseconds(1)) }
      // By now, others would have begun to wait, too.
      try await Task.sleep(for: .milliseconds(20))
      #expect(waits().begun.filter { $0 == .seconds(50) }.count == 1)
    }
  }

  /// Otherwise the store would look at the time although it was suspended last.
  @Test func storeThatIsSuspended_whileItIsResumed_leavesNoWait() async throws {
    try await withWaits { inbox, waits in
      let store = inbox.store
      await store.suspend()
      for round in 0..<60 {
        let resumption = Task { try await store.resume() }
        try await Task.sleep(for: .microseconds(100 * round))
        await store.suspend()
        _ = await resumption.result
        // Whichever was called last has its way.
        if (try? store.core.log) != nil { await store.suspend() }
        while waits().count > 0 { try await Task.sleep(for: .milliseconds(1)) }
      }
      try await store.resume()
    }
  }

  /// Otherwise a suspended store would look at the time, again and again once something is due.
  @Test func clockThatIsSet_whileTheStoreIsBeingSuspended_leavesNoWait() async throws {
    try await withWaits { inbox, waits in
      for _ in 0..<50 {
        async let setting: Void? = try? inbox.store.clockWasSet()
        await inbox.store.suspend()
        _ = await setting
        while waits().count > 0 { try await Task.sleep(for: .milliseconds(1)) }
        try await inbox.store.resume()
      }
    }
  }
}
