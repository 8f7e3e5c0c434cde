import EventStore
import InboxHistories
import TestSupport
import Testing
import Tideline

/// Objects that were deleted, and that returned or never existed.
@Suite struct BurialScenarios {
  private static let own = InboxNames.local("d1")

  private func save(_ id: String, _ subject: String = "Hello") -> SaveDraft {
    SaveDraft {
      $0.draft.put(.id, id)
      $0.draft.put(.subject, subject)
    }
  }

  /// An older answer about a draft is out of date, although the draft exists again.
  @Test(.rule(14)) func staleFact_saysNothingOfADraft_thatWasSavedAgain() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    let before = scene.last
    scene.tell(.draft, "d1") { $0.put(.subject, "Hello") }
    scene.tell(.draft, "d1", .deleted)
    scene.acknowledge(scene.add(save("d1", "Hello again")))
    let stale = scene.answer(sentAfter: before)
    scene.tell(.draft, "d1", of: stale) { $0.put(.subject, "Old") }
    scene.tell(.draft, "d1", .deleted, of: stale)
    try await scene.expect { #expect($0.draft("d1")?.subject == "Hello again") }
    scene.tell(.draft, "d1") { $0.put(.subject, "New") }
    try await scene.expect { #expect($0.draft("d1")?.subject == "New") }
  }

  /// The same holds whichever ids the deletion and the fact use.
  @Test(.rule(14), .rule(18)) func staleFact_saysNothing_byAnotherID() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    scene.add(save(Self.own))
    scene.add(IDReplaced { ($0.old, $0.new) = (Self.own, "d1") })
    scene.acknowledge(scene.add(DeleteDraft { $0.id = Self.own }))
    let saving = scene.add(save(Self.own, "Hello again"))
    let answer = scene.answer(sentAfter: scene.last)
    scene.tell(.draft, "d1", .deleted, of: answer)
    scene.tell(.draft, "d1", of: answer) { $0.put(.subject, "Old") }
    scene.tell(.draft, "d1", of: answer) { $0.put(.snippet, "Old") }
    try await scene.expect { picture in
      #expect(picture.draft(Self.own)?.subject == "Hello again")
      #expect(picture.draft(Self.own)?.snippet == nil)
    }
    for saving in [saving, scene.add(save(Self.own))] { scene.acknowledge(saving) }
    let later = scene.answer()
    scene.tell(.draft, "d1", .deleted, of: later)
    scene.tell(.draft, "d1", of: later)
    try await scene.expect { #expect($0.drafts.isEmpty) }
  }

  /// Another draft takes over the server's id, but nothing else of the deleted draft.
  @Test func idOfADeletedDraft_givenToAnother_leavesItDeleted() async throws {
    let other = InboxNames.local("d2")
    var scene = InboxScene(InboxPolicies.mail)
    let before = scene.last
    scene.acknowledge(scene.add(save(Self.own)))
    scene.add(IDReplaced { ($0.old, $0.new) = (Self.own, "d1") })
    scene.acknowledge(scene.add(DeleteDraft { $0.id = Self.own }))
    scene.add(save(other, "Another"))
    scene.add(IDReplaced { ($0.old, $0.new) = (other, "d1") })
    scene.tell(.draft, Self.own, of: scene.answer(sentAfter: before)) { $0.put(.subject, "Old") }
    scene.add(DeleteDraft { $0.id = Self.own })
    try await scene.expect { picture in
      #expect(picture.draft(Self.own) == nil)
      #expect(picture.draft(other)?.subject == "Another")
    }
    scene.tell(.draft, Self.own, of: scene.answer()) { $0.put(.subject, "New") }
    try await scene.expect { picture in
      #expect(picture.draft(Self.own)?.subject == "New")
      #expect(picture.draft(other)?.subject == "Another")
    }
  }

  /// An answer from before the deletion may carry a higher version than was known when the deletion
  /// was reported.
  @Test(.rule(4)) func deletionWithoutAVersion_standsAgainstAnyOlderAnswer() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    scene.tell(.thread, "t1") { $0.put(.version, Int64(1)) }
    let stale = scene.answer(sentAfter: scene.last)
    scene.tell(.thread, "t1", .deleted)
    scene.tell(.thread, "t1", of: stale) { $0.put(.version, Int64(3)) }
    try await scene.expect { #expect($0.thread("t1") == nil) }
    scene.tell(.thread, "t1", of: scene.answer()) { $0.put(.version, Int64(3)) }
    try await scene.expect { #expect($0.thread("t1") != nil) }
  }

  /// Erasing a thread that was to be read leaves its messages as they were before.
  @Test(.feature(93)) func erasedThread_leavesItsMessagesAsTheyWere() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    scene.tell(.thread, "t1") { $0.put(.isUnread, true) }
    scene.tell(.message, "m1") {
      $0.put(.thread, "t1")
      $0.put(.isUnread, true)
    }
    scene.read(.thread, ["t1"])
    try await scene.expect { #expect($0.message("m1")?.isUnread == false) }
    scene.add(Erased { $0.name = ObjectName(.thread, "t1") })
    try await scene.expect { picture in
      #expect(picture.thread("t1") == nil)
      #expect(picture.message("m1")?.isUnread == true)
    }
  }

  /// A reading requested before a logout and confirmed after it takes effect as usual.
  @Test(.feature(36)) func readingThatIsConfirmed_whileNobodyIsLoggedIn_isReadInTheThread()
    async throws
  {
    var scene = InboxScene(InboxPolicies.mail)
    scene.tell(.thread, "t1") { $0.put(.messageIDs, ["m1"]) }
    scene.tell(.message, "m1") {
      $0.put(.thread, "t1")
      $0.put(.isUnread, true)
    }
    scene.tell(.thread, "t1") { $0.put(.isUnread, true) }
    let reading = scene.read(.message, ["m1"])
    scene.add(LoggedOut { $0.pending = .hold })
    scene.acknowledge(reading, version: 4)
    scene.logIn(InboxPolicies.mail)
    try await scene.expect { #expect($0.thread("t1")?.isUnread == false) }
  }

  /// After an erasure any fact about the object applies, whatever was deleted before.
  @Test(.feature(93)) func erasedObject_hasNoTombstone() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    let before = scene.last
    scene.add(save(Self.own))
    scene.add(IDReplaced { ($0.old, $0.new) = (Self.own, "d1") })
    scene.acknowledge(scene.add(DeleteDraft { $0.id = Self.own }))
    scene.add(Erased { $0.name = ObjectName(.draft, Self.own) })
    let stale = scene.answer(sentAfter: before)
    scene.tell(.draft, "d1", of: stale) { $0.put(.subject, "Old") }
    try await scene.expect { #expect($0.drafts.count == 1) }
  }

  /// The server's deletions are remembered for a limited time, the person's forever.
  @Test(.rule(4)) func oldTombstones_areRemoved_byTheNextRefresh() async throws {
    var policy = InboxPolicies.mail
    policy.tombstoneInterval = .seconds(1)
    var scene = InboxScene(policy)
    for number in 0..<40 { scene.tell(.thread, "t\(number)", .deleted) }
    scene.add(save("d1"))
    scene.acknowledge(scene.add(DeleteDraft { $0.id = "d1" }))
    scene.wait(500)
    scene.tell(.thread, "t40", .deleted)
    scene.wait(500)
    #expect(try await tombstones(of: scene) == 42)
    scene.add(RefreshEnded { _ in })
    #expect(try await tombstones(of: scene) == 2)
    scene.tell(.thread, "t40") { $0.put(.version, Int64(1)) }
    scene.tell(.draft, "d1", of: scene.answer(sentAfter: .zero))
    try await scene.expect { picture in
      #expect(picture.thread("t40") != nil)
      #expect(picture.draft("d1") == nil)
    }
  }

  /// Returns the number of tombstones that a history leaves.
  private func tombstones(of scene: InboxScene) async throws -> Int {
    let folder = try TemporaryFolder()
    let log = try await Log.open(at: folder.path)
    try await log.append(scene.history.batch, durability: .relaxed)
    let collection = try #require(InboxReducer().collections.first { $0.name == "tombstones" })
    let view = ViewDefinition("all tombstones", of: collection)
    let replay = try Replay(log, reducer: InboxReducer(views: [view]), at: scene.last)
    let count = try replay.views.rows(of: ListName(view.name), in: 0...).count
    await log.close()
    return count
  }
}
