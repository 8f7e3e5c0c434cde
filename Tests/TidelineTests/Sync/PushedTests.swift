import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineSync

/// A push makes the inbox ask the server, however it reaches the log.
@Suite(.timeLimit(.minutes(5))) struct PushedTests {
  /// How a push reaches the log.
  enum Way: CaseIterable {
    case app, spool, otherProcess
  }

  private static let alert = #"{"_sid":"SFMC","_mt":8,"_m":"m1","_r":"r1","aps":{"alert":"Hi"}}"#
  private static let refresh = #"{"_sid":"SFMC","aps":{"content-available":1}}"#
  private static let badge = #"{"_sid":"SFMC","aps":{"badge":2}}"#

  private func payload(_ json: String) throws -> PushPayload {
    try PushPayload(json: Array(json.utf8))
  }

  private func bring(
    _ json: String, by way: Way, to inbox: Inbox, _ desk: TestDesk
  ) async throws {
    switch way {
    case .app:
      let push = try await inbox.store.receive(payload(json), by: .marketingCloud)
      #expect(push.isRecorded && push.kind == (json == Self.refresh ? .refresh : .message))
    case .spool:
      try desk.spool.receive(payload(json), by: .marketingCloud, at: desk.now)
      #expect(try await inbox.store.drainSpool().records.count == 1)
    case .otherProcess:
      let log = desk.folder.path(of: "log")
      let lines = ["log \(log)", "receive \(desk.now.kept.rawValue) \(json)", "close"]
      #expect(try PushWorkerProcess.answers(to: lines).last == "done")
    }
  }

  /// Synchronization is not notified of the push.
  @Test(.feature(70), arguments: Way.allCases, [alert, refresh])
  func push_hasTheServerBeAsked_once(by way: Way, json: String) async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, desk in
      let server = PlayedServer(.rich)
      let sync = Sync(inbox, with: server)
      sync.start()
      try await sync.status { $0.upToDateAt != nil && !$0.isRefreshing }
      #expect(server.asked == [.all(.rich)])
      let notices = inbox.notices
      try await bring(json, by: way, to: inbox, desk)
      for await notice in notices where notice == .refreshCompleted { break }
      try await sync.status { !$0.isRefreshing }
      #expect(server.asked == [.all(.rich), .all(.rich)])
      sync.stop()
    }
  }

  /// A push that only concerns the device, or another person, gives no reason to ask the server.
  @Test(.feature(70)) func otherPushes_leaveTheServerAlone() async throws {
    try await TestDesk.withInbox(.marketingCloud) { inbox, desk in
      let store = inbox.store
      var watch = PushWatch(to: inbox, after: try store.core.read { $0.position.number })
      try await store.receive(payload(Self.badge), by: .marketingCloud)
      try await store.core.log.receive(
        payload(Self.alert), by: .marketingCloud, at: desk.now,
        for: .login(Login(account: 99, epoch: 1)))
      try await store.receive(payload(Self.refresh), by: .marketingCloud)
      #expect(try await watch.next() == store.core.log.last)
    }
  }
}
