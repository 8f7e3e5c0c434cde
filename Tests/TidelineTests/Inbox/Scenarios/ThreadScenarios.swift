import EventStore
import InboxHistories
import TestSupport
import Testing
import Tideline

/// Messages that move into another thread, or enter a thread under another id.
@Suite struct ThreadScenarios {
  private static let own = InboxNames.local("d1")

  private func thread(_ id: String, _ scene: inout InboxScene, lists: [String] = []) {
    scene.tell(.thread, id) {
      $0.put(.tags, [ObjectLabel("inbox"), ObjectLabel("unread"), ObjectLabel("unseen")])
      $0.put(.messageIDs, lists)
    }
  }

  private func message(_ id: String, in thread: String?, _ scene: inout InboxScene) {
    scene.tell(.message, id) {
      if let thread { $0.put(.thread, thread) }
      $0.put(.isUnread, true)
    }
  }

  private func save(in thread: String?) -> SaveDraft {
    SaveDraft {
      $0.draft.put(.id, Self.own)
      if let thread { $0.draft.put(.thread, thread) }
    }
  }

  /// A pending change moves with its message, even if the message is no longer shown.
  @Test(.rule(15), arguments: [nil, "t1"], [false, true])
  func messageBeingRead_thatComesIntoAThread_readsIt(from: String?, isDeleted: Bool) async throws {
    var scene = InboxScene(InboxPolicies.mail)
    for id in ["t1", "t2"] { thread(id, &scene) }
    message("m1", in: from, &scene)
    scene.read(.message, ["m1"])
    if isDeleted {
      scene.add(DeleteObjects { ($0.objectClass, $0.ids) = (.message, ["m1"]) })
    }
    scene.tell(.message, "m1") { $0.put(.thread, "t2") }
    try await scene.expect { picture in
      #expect(picture.thread("t1")?.tagIDs == ["inbox", "unread", "unseen"])
      #expect(picture.thread("t2")?.tagIDs == ["inbox"])
    }
  }

  @Test(.rule(15)) func draftThatBecomesAMessage_isReadWithItsThread() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    thread("t1", &scene)
    scene.tell(.draft, "d1") {
      $0.put(.thread, "t1")
      $0.put(.isUnread, true)
    }
    scene.read(.thread, ["t1"])
    try await scene.expect { #expect($0.draft("d1")?.isUnread == true) }
    scene.tell(.message, "d1") { $0.put(.thread, "t1") }
    try await scene.expect { #expect($0.message("d1")?.isUnread == false) }
  }

  /// The server marks the messages that it has in the thread, wherever the person moved them.
  @Test(.rule(15)) func messageBeingSavedInAnotherThread_isReadWithTheServers() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    for id in ["t1", "t2"] { thread(id, &scene) }
    scene.tell(.draft, Self.own)
    scene.add(save(in: "t2"))
    message(Self.own, in: "t1", &scene)
    var other = scene
    let reading = scene.read(.thread, ["t1"])
    try await scene.expect { picture in
      #expect(picture.message(Self.own)?.threadID == "t2")
      #expect(picture.message(Self.own)?.isUnread == false)
    }
    scene.add(OperationAbandoned { $0.intent = reading })
    try await scene.expect { #expect($0.message(Self.own)?.isUnread == true) }
    other.read(.thread, ["t2"])
    try await other.expect { #expect($0.message(Self.own)?.isUnread == true) }
  }

  /// The message was hidden while nobody was logged in.
  @Test func messageBeingReadInTheThreadThatItIsSavedIn_readsItAfterALogin() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    scene.add(save(in: "t1"))
    scene.tell(.message, "d1")
    scene.add(IDReplaced { ($0.objectClass, $0.old, $0.new) = (.draft, Self.own, "d1") })
    thread("t1", &scene)
    scene.read(.message, [Self.own])
    scene.add(LoggedOut { $0.pending = .hold })
    scene.logIn(InboxPolicies.mail)
    message("m1", in: "t1", &scene)
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == ["inbox", "unread"]) }
  }

  /// A thread lists a draft once, whichever id it used while the draft was gone.
  @Test(.feature(54)) func draftThatReturnsUnderAnotherID_isListedOnce() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    scene.acknowledge(scene.add(save(in: nil)))
    scene.add(IDReplaced { ($0.old, $0.new) = (Self.own, "d1") })
    scene.tell(.draft, "d1", .deleted)
    scene.tell(.thread, "t1") { $0.put(.draftIDs, ["d1"]) }
    scene.tell(.draft, "d1") { $0.put(.thread, "t1") }
    try await scene.expect { #expect($0.thread("t1")?.draftIDs == [Self.own]) }
    scene.add(DeleteDraft { $0.id = Self.own })
    try await scene.expect { #expect($0.thread("t1")?.draftIDs == []) }
  }

  /// A draft that returned and was deleted again stays deleted under each of its ids.
  @Test(.feature(32, 54)) func draftThatReturned_staysDeleted() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    scene.acknowledge(scene.add(save(in: nil)))
    scene.add(IDReplaced { ($0.old, $0.new) = (Self.own, "d1") })
    scene.tell(.draft, "d1", .deleted)
    let before = scene.last
    scene.tell(.draft, "d1")
    try await scene.expect { #expect($0.draft(Self.own) != nil) }
    scene.tell(.draft, "d1", .deleted)
    let stale = scene.answer(sentAfter: before)
    scene.tell(.draft, "d1", of: stale)
    try await scene.expect { #expect($0.drafts.isEmpty) }
  }
}
