import EventStore
import Foundation
import TestSupport
import Testing
import Tideline

/// Pushes that the app or another process receives are shown and counted.
@Suite(.timeLimit(.minutes(5))) struct InboxPushTests {
  private static let alert =
    #"{"_sid":"SFMC","_mt":8,"_m":"m1","_r":"r1","aps":{"alert":"Hi"}}"#

  private func payload(_ json: String = alert) throws -> PushPayload {
    try PushPayload(json: Array(json.utf8))
  }

  @Test(.feature(64, 69, 71), .defect(.airship, 6, 7), .defect(.cleverTap, 4))
  func push_isShownAtOnce() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, _ in
      let push = try await inbox.store.receive(payload(), by: .marketingCloud)
      #expect(push.kind == .message && push.isRecorded)
      let message = try #require(try inbox.rich.contents(of: .unread).messages.first)
      #expect(message.id == "m1" && message.alert == "Hi" && message.isPartial)
      let last = try inbox.store.core.log.last
      let other = try await inbox.store.receive(payload(#"{"a":1}"#), by: .marketingCloud)
      #expect(other.kind == .notOurs && !other.isRecorded)
      #expect(try inbox.store.core.log.last == last)
    }
  }

  @Test(.feature(68), .rule(7), arguments: [nil, true, false])
  func opening_reads_asConfigured(marks: Bool?) async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, _ in
      if let marks { try await inbox.configure(marksReadOnOpening: marks) }
      try await inbox.store.receive(PushResponse(payload()), by: .marketingCloud)
      #expect(try inbox.object(RichMessage.self, "m1")?.isRead == (marks ?? true))
      // A new configuration doesn't affect messages that were opened before.
      try await inbox.configure(marksReadOnOpening: true)
      #expect(try inbox.object(RichMessage.self, "m1")?.isRead == (marks ?? true))
    }
  }

  @Test(.feature(88), .rule(20)) func push_forNobody_isNotKept() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, desk in
      try await inbox.logOut(pending: .drop)
      let last = try inbox.store.core.log.last
      let push = try await inbox.store.receive(payload(), by: .marketingCloud)
      #expect(push.isOurs && !push.isRecorded)
      let left = try desk.spool.receive(payload(), by: .marketingCloud, at: desk.now)
      #expect(left.isOurs && !left.isRecorded)
      try await inbox.store.drainSpool()
      #expect(try inbox.store.core.log.last == last)
      await inbox.store.close()
      await #expect(throws: PushError.notRecorded(.closed(path: inbox.store.core.path))) {
        try await inbox.store.receive(payload(), by: .marketingCloud)
      }
    }
  }

  /// With several people logged in, a push belongs to the named account or to the given inbox.
  @Test func push_thatNamesItsAccount_isThatOnes() async throws {
    try await TestDesk.withInbox { inbox, _ in
      var profile = Account(id: "1", account: 1)
      profile.serverID = "n1"
      try await inbox.apply(Delivery { $0.add(profile) })
      let later = try await inbox.store.logIn("bob@example.com", policy: .inbox)
      func push(
        _ id: String, _ account: String, for inbox: Inbox? = nil, is number: UInt32?
      ) async throws {
        let json = #"{"inbox":{"id":"\#(id)","account":"\#(account)","alert":"Hi"}}"#
        let push = try await later.store.receive(payload(json), by: .tideline, for: inbox)
        let response = try PushResponse(payload(json))
        let opened = try await later.store.receive(response, by: .tideline, for: inbox)
        #expect(push.account == number && opened.account == number)
      }
      try await push("named", "n1", is: inbox.account)
      try await push("unknown", "n2", is: nil)
      try await push("given", "n2", for: inbox, is: inbox.account)
      let shown = try [inbox, later].map { try Set($0.rich.provider().start.list.map(\.id)) }
      #expect(shown == [["named", "given"], ["unknown"]])
    }
  }

  /// Whichever of the two logged in last, and whether the app or an extension gets the push.
  @Test func push_isTheOnlyRichInboxs_whateverElseIsLoggedIn() async throws {
    try await TestDesk.withInbox(.marketingCloud) { offers, desk in
      let store = offers.store
      let mail = try await store.logIn("alice@example.com", at: "mail", policy: .inbox)
      let open = try desk.spool.receive(payload(), by: .marketingCloud, at: desk.now)
      #expect(open.account == nil)
      try await mail.configure(isInboxEnabled: false)
      let left = try desk.spool.receive(payload(), by: .marketingCloud, at: desk.now)
      let second = #"{"_sid":"SFMC","_mt":8,"_m":"m2"}"#
      let shown = try await store.receive(payload(second), by: .marketingCloud)
      #expect([left, shown].map(\.account) == [offers.account, offers.account])
      try await store.drainSpool()
      #expect(try Set(offers.rich.contents().messages.map(\.id)) == ["m1", "m2"])
      try await mail.configure(isInboxEnabled: true)
      #expect(try desk.spool.recipient() == .unknown)
    }
  }

  /// The device's token still gets the pushes of a person who has left.
  @Test func push_forAPersonWhoHasLeft_isNobodys() async throws {
    try await TestDesk.withInbox { inbox, desk in
      var profile = Account(id: "1", account: 1)
      profile.serverID = "n1"
      try await inbox.apply(Delivery { $0.add(profile) })
      let later = try await inbox.store.logIn("bob@example.com", policy: .marketingCloud)
      try await inbox.logOut(pending: .drop)
      let json = #"{"inbox":{"id":"m1","account":"n1","alert":"Hi"}}"#
      let push = try await inbox.store.receive(payload(json), by: .tideline)
      #expect(push.account == nil && !push.isRecorded)
      let response = try PushResponse(payload(json))
      #expect(try await !inbox.store.receive(response, by: .tideline).isRecorded)
      // An extension can't know.
      try desk.spool.receive(payload(json), by: .tideline, at: desk.now)
      #expect(try desk.spool.receive(response, by: .tideline, at: desk.now).isRecorded)
      try await inbox.store.drainSpool()
      #expect(try later.rich.provider().start.list.isEmpty)
      #expect(try later.openOperations().isEmpty)
    }
  }

  /// A notification may be tapped after somebody else has logged in.
  @Test func response_toAPushFromBeforeTheLogin_isNobodys() async throws {
    try await TestDesk.withInbox { inbox, desk in
      let arrived = desk.now
      try await inbox.logOut(pending: .drop)
      desk.advance(by: 60)
      let later = try await inbox.store.logIn("bob@example.com", policy: .inbox)
      var response = try PushResponse(payload())
      response.arrivedAt = arrived
      #expect(try await !inbox.store.receive(response, by: .marketingCloud).isRecorded)
      #expect(try later.rich.provider().start.list.isEmpty)
      response.arrivedAt = desk.now
      #expect(try await inbox.store.receive(response, by: .marketingCloud).isRecorded)
    }
  }

  /// Nor that of an account which logged in before another.
  @Test func response_toAPushFromBeforeTheLatestLogin_isNobodys() async throws {
    try await TestDesk.withInbox(.marketingCloud) { offers, desk in
      let arrived = desk.now
      try await offers.logOut(pending: .drop)
      desk.advance(by: 60)
      let later = try await offers.store.logIn("bob@example.com", policy: .marketingCloud)
      let mail = try await offers.store.logIn("bob@example.com", at: "mail", policy: .inbox)
      try await mail.configure(isInboxEnabled: false)
      var response = try PushResponse(payload())
      response.arrivedAt = arrived
      #expect(try await !offers.store.receive(response, by: .marketingCloud).isRecorded)
      #expect(try later.rich.provider().start.list.isEmpty)
    }
  }

  /// It may be that of either of two people, unless it names one or came before both were here.
  @Test func response_amongSeveralLogins_isTheNamedOnesOrNobodys() async throws {
    try await TestDesk.withInbox(.marketingCloud) { alice, desk in
      let store = alice.store
      for (inbox, id) in [
        (alice, "n1"), (try await store.logIn("eve@example.com", policy: .marketingCloud), "n3"),
      ] {
        var profile = Account(id: "\(inbox.account)", account: inbox.account)
        profile.serverID = id
        let told = profile
        try await inbox.apply(Delivery { $0.add(told) })
        if id == "n3" { try await inbox.logOut(pending: .drop) }
      }
      let arrived = desk.now
      desk.advance(by: 60)
      let bob = try await store.logIn("bob@example.com", policy: .marketingCloud)
      let last = try store.core.log.last
      for name in ["", #","account":"n3""#] {
        var response = try PushResponse(payload(#"{"inbox":{"id":"m1","alert":"Hi"\#(name)}}"#))
        if name.isEmpty { response.arrivedAt = arrived }
        let push = try await store.receive(response, by: .tideline)
        #expect(push.account == nil && !push.isRecorded)
      }
      #expect(try store.core.log.last == last)
      var response = try PushResponse(
        payload(#"{"inbox":{"id":"m1","account":"n1","alert":"Hi"}}"#))
      response.arrivedAt = arrived
      #expect(try await store.receive(response, by: .tideline).account == alice.account)
      #expect(try alice.rich.contents().allCount == 1 && bob.rich.contents().allCount == 0)
    }
  }

  /// A push of somebody else is passed on, whatever the state of the store.
  @Test func foreignPush_isKnown_whileTheStoreIsSuspended() async throws {
    try await TestDesk.withInbox { inbox, _ in
      await inbox.store.suspend()
      let push = try await inbox.store.receive(payload(#"{"other":1}"#), by: .marketingCloud)
      #expect(!push.isOurs)
      try await inbox.store.resume()
    }
  }

  /// Somebody else had the device when the push arrived.
  @Test func push_fromBeforeTheLogin_isNobodys() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, desk in
      for (seconds, count) in [(-1, 0), (0, 1)] {
        let time = desk.now + TimeInterval(seconds)
        try desk.spool.receive(payload(), by: .marketingCloud, at: time, for: .unknown)
        try await inbox.store.drainSpool()
        #expect(try inbox.rich.contents().allCount == count)
      }
    }
  }

  /// An open app shows a push that an extension leaves, without being asked.
  @Test func push_ofAnotherProcess_comesThroughTheSpool() async throws {
    let desk = try TestDesk()
    let store = try await desk.open()
    let inbox = try await store.logIn("alice@example.com", policy: .marketingCloud)
    let list = try inbox.rich.provider(of: .unread)
    var (changes, numbers) = (
      list.changes.makeAsyncIterator(), try inbox.badge().makeAsyncIterator()
    )
    #expect(await numbers.next() == 0)
    let lines = ["spool \(try desk.spool.path)", "receive 5 \(Self.alert)"]
    #expect(try PushWorkerProcess.answers(to: lines) == ["done", "message recorded"])
    #expect(await changes.next()?.list.map(\.id) == ["m1"])
    #expect(await numbers.next() == 1)
    // The same holds after a suspension, and a push left before that is there at once.
    await store.suspend()
    try await store.resume()
    let second = #"{"_sid":"SFMC","_mt":8,"_m":"m2"}"#
    let time = Date(kept: Timestamp(rawValue: 6))
    try desk.spool.receive(payload(second), by: .marketingCloud, at: time)
    #expect(await numbers.next() == 2)
    await store.close()
  }

  /// What an extension left for the app reaches it, whether it was running or not.
  @Test(.feature(70)) func pushForTheApp_isTold_howeverItArrived() async throws {
    let desk = try TestDesk()
    var store = try await desk.open()
    try await store.logIn("alice@example.com", policy: .marketingCloud)
    await store.close()
    let (spool, json) = (try desk.spool, #"{"inbox":{"privacy":"forget"}}"#)
    let time = Date(kept: Timestamp(rawValue: 5))
    try spool.receive(payload(json), by: .tideline, at: time)
    store = try await desk.open()
    let inbox = store.inbox(of: 1)
    var notices = inbox.noticesSinceOpening.makeAsyncIterator()
    #expect(await notices.next() == .silentPush(.privacy, members: json))
    var later = inbox.notices.makeAsyncIterator()
    let own = #"{"inbox":{"refresh":1}}"#
    try spool.receive(payload(own), by: .tideline, at: time)
    let silent = #"{"aps":{"content-available":1},"inbox":{"k":1}}"#
    try spool.receive(payload(silent), by: .tideline, at: time)
    try await store.drainSpool()
    let told = InboxNotice.silentPush(.silent, members: silent)
    #expect(await notices.next() == told)
    #expect(await later.next() == told)
    await store.close()
  }

  @Test(.feature(98), .defect(.oneSignal, 1)) func push_isDrained_whenTheStoreOpensOrResumes()
    async throws
  {
    let desk = try TestDesk()
    var store = try await desk.open()
    try await store.logIn("alice@example.com", policy: .marketingCloud)
    let spool = try desk.spool
    let time = Date(kept: Timestamp(rawValue: 5))
    await store.close()
    try spool.receive(payload(), by: .marketingCloud, at: time)
    store = try await desk.open()
    let rich = store.inbox(of: 1).rich
    #expect(try rich.contents().allCount == 1)
    await store.suspend()
    let second = #"{"_sid":"SFMC","_mt":8,"_m":"m2"}"#
    try spool.receive(payload(second), by: .marketingCloud, at: time)
    try await store.resume()
    #expect(try rich.contents().allCount == 2)
    await store.close()
  }

  /// A device's files can't be read before its first unlock.
  @Test(.feature(98), arguments: ["log/data.mdb", "log"])
  func store_thatMayNotBeReadYet_saysSo_andOpensLater(locked: String) async throws {
    let desk = try TestDesk()
    var store = try await desk.open()
    try await store.logIn("alice@example.com", policy: .marketingCloud).tell(rich: "a")
    await store.close()
    // The superuser may read any file, so another process gives up those rights.
    for name in try FileManager.default.subpathsOfDirectory(atPath: desk.folder.path) + [""] {
      try setMode(0o777, desk.folder.path(of: name))
    }
    let lines = (getuid() == 0 ? ["become 65534"] : []) + ["inbox \(desk.folder.path)"]
    try setMode(0, desk.folder.path(of: locked))
    let refused = StoreError.log(.notPermitted(path: desk.folder.path(of: "log")))
    #expect(try PushWorkerProcess.answers(to: lines).last == "error \(refused)")
    try setMode(0o777, desk.folder.path(of: locked))
    #expect(try PushWorkerProcess.answers(to: lines).last == "done")
    store = try await desk.open()
    #expect(try store.inbox(of: 1).rich.contents().allCount == 1)
    await store.close()
  }

  private func setMode(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  /// An open app shows a push that any process appends to the log, without being asked.
  @Test func push_ofAnotherProcess_comesThroughTheLog() async throws {
    let desk = try TestDesk()
    let store = try await desk.open()
    let inbox = try await store.logIn("alice@example.com", policy: .marketingCloud)
    let list = try inbox.rich.provider(of: .unread)
    var (changes, numbers) = (
      list.changes.makeAsyncIterator(), try inbox.badge().makeAsyncIterator()
    )
    var notices = inbox.notices.makeAsyncIterator()
    #expect(await numbers.next() == 0)
    let lines = [
      "log \(desk.folder.path(of: "log"))", "receive 1750000000005 \(Self.alert)", "close",
    ]
    #expect(try PushWorkerProcess.answers(to: lines) == ["done", "message recorded", "done"])
    #expect(await changes.next()?.list.map(\.id) == ["m1"])
    #expect(await numbers.next() == 1)
    #expect(await notices.next() == .newRichMessages(ids: ["m1"]))
    await store.close()
  }
}
