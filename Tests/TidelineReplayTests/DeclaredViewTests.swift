import EventStore
import Foundation
import Synchronization
import TestSupport
import Testing
import Tideline
import TidelineReplay

/// The past of an open store is replayed with the views that its app declares.
@Suite(.timeLimit(.minutes(5))) struct DeclaredViewTests {
  private let folder: TemporaryFolder
  private let views: [DeclaredView]

  init() throws {
    folder = try TemporaryFolder()
    views = [
      try DeclaredView("starred", of: MailThread.self, where: #Predicate { $0.isStarred })
    ]
  }

  /// Stars and unstars a thread in an open store, for `body`.
  private func withStar(
    _ body: (InboxStore, RecordNumber) async throws -> Void
  ) async throws {
    var options = InboxStore.Options()
    options.views = views
    let store = try await InboxStore.open(at: folder.path, options: options)
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    let thread = MailThread(id: "t1", account: inbox.account)
    try await inbox.apply(Delivery { $0.add(thread) })
    let starred = try await inbox.perform(.star(thread)).number
    try await inbox.perform(.unstar(thread))
    try await body(store, starred)
    await store.close()
  }

  @Test func replay_ofAnOpenStore_hasTheAppsViews() async throws {
    try await withStar { store, starred in
      let past = try InboxReplay(store, at: starred)
      let list = try past.list("app: starred:1")
      #expect(try past.replay.count(of: list) == 1)
      #expect(try past.blame(list).map(\.testimony.number) == [starred])
      let now = try InboxReplay(store)
      #expect(try now.replay.count(of: list) == 0)
      let last = try store.core.log.last
      #expect(now.number == last)
    }
  }

  @Test func replay_ofAMoment_asADocumentShows() async throws {
    let clock = Mutex(Date(timeIntervalSince1970: 1_750_000_000))
    var options = InboxStore.Options()
    options.views = views
    options.now = { clock.withLock(\.self) }
    let store = try await InboxStore.open(at: folder.path, options: options)
    let inbox = try await store.logIn("alice@example.com", policy: .inbox)
    let thread = MailThread(id: "t1", account: inbox.account)
    try await inbox.apply(Delivery { $0.add(thread) })
    try await inbox.perform(.star(thread))
    clock.withLock { $0 += 3_600 }
    try await inbox.perform(.unstar(thread))
    let yesterday = Date(timeIntervalSince1970: 1_750_000_001)
    // TidelineReplay.md begins
    let past = try InboxReplay(store, at: yesterday)
    let unread = try past.replay.count(of: past.list("unread inbox:1"))
    let starred = try past.replay.rows(of: past.list("app: starred:1"), in: 0..<50)
    let threads = starred.compactMap(MailThread.init)
    // TidelineReplay.md ends
    #expect(unread == 0 && threads.map(\.id) == ["t1"])
    let before = try InboxReplay(store, at: yesterday - 3_600)
    #expect(before.number == 0)
    await store.close()
  }

  @Test func snapshots_andFixtures_haveTheAppsViews() async throws {
    try await withStar { store, starred in
      let log = try store.core.log
      let path = folder.path(of: "snapshots")
      try SnapshotFolder.makeOfInboxes(log, at: path, views: views)
      let snapshots = try SnapshotFolder(ofInboxes: log, at: path, views: views)
      let past = try InboxReplay(log, at: starred, from: snapshots, views: views)
      let question = try PastQuestion("count(app: starred:1) == 1", of: past.replay)
      let found = try past.minimized(question)
      let bug = folder.path(of: "bug")
      let fixture = try await Fixture.write(found.numbers, of: log, question, to: bug, views: views)
      #expect(try fixture.isSo)
      await fixture.log.close()
      let opened = try await Fixture.open(at: bug, views: views)
      #expect(try opened.isSo)
      await opened.log.close()
      snapshots.close()
    }
  }
}
