import EventStore
import InboxHistories
import TestSupport
import Testing
import Tideline

/// Operations that one record ends: they end at once, and lists match the state after the record.
@Suite struct EndingScenarios {
  /// The ways to end all open operations.
  enum End: CaseIterable { case dropping, flushing, withdrawing }

  private static let (own, other) = (InboxNames.local("d1"), InboxNames.local("d2"))
  private static let tag = InboxNames.local("e1")

  private func save(_ id: String, in thread: String? = nil) -> SaveDraft {
    SaveDraft {
      $0.draft.put(.id, id)
      if let thread { $0.draft.put(.thread, thread) }
    }
  }

  private func end(_ intents: [RecordNumber], by end: End, _ scene: inout InboxScene) {
    let until = scene.now
    switch end {
    case .dropping: scene.add(LoggedOut { $0.pending = .drop })
    case .flushing:
      scene.add(LoggedOut { ($0.pending, $0.flushUntil) = (.flush, until) })
      scene.wait(1000)
    case .withdrawing: return _ = scene.add(Withdraw { $0.intents = intents })
    }
    scene.logIn(InboxPolicies.mail)
  }

  /// The clock was ahead at the logout: the operations are sent for as long as was wanted, and not
  /// until the clock is there again.
  @Test func clockThatIsSetBack_doesNotProlongTheFlush() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    scene.tell(.thread, "t1") { $0.put(.tags, [ObjectLabel("inbox"), ObjectLabel("unread")]) }
    scene.read(.thread, ["t1"])
    let until = Timestamp(rawValue: scene.now.rawValue + 10_000)
    scene.add(LoggedOut { ($0.pending, $0.flushUntil) = (.flush, until) })
    scene.wait(-3_600_000, .set)
    scene.wait(9_000, .set)
    try await scene.expect { #expect($0.states == ["waiting"]) }
    scene.wait(1_000)
    try await scene.expect { #expect($0.states == []) }
  }

  /// Otherwise, a list would forever name objects that go a moment later, and omit the server's.
  @Test(arguments: End.allCases) func whatGoesAlong_isNotNamedByLists(end: End) async throws {
    var scene = InboxScene(InboxPolicies.mail)
    scene.tell(.thread, "t1") {
      $0.put(.tags, [ObjectLabel("inbox"), ObjectLabel("g1")])
      $0.put(.draftIDs, ["d2"])
    }
    let listed = scene.add(save(Self.own, in: "t1"))
    let other = scene.add(save(Self.other))
    let tag = scene.add(
      SaveTag {
        $0.tag.put(.id, Self.tag)
        $0.tag.put(.name, "Play")
      })
    scene.add(IDReplaced { ($0.objectClass, $0.old, $0.new) = (.draft, Self.other, "d2") })
    scene.add(IDReplaced { ($0.objectClass, $0.old, $0.new) = (.tag, Self.tag, "g1") })
    try await scene.expect { #expect($0.thread("t1")?.draftIDs == ["d2", Self.own]) }
    self.end([listed, other, tag], by: end, &scene)
    try await scene.expect { picture in
      #expect(picture.drafts.isEmpty && picture.tags.isEmpty)
      #expect(picture.thread("t1")?.tagIDs == ["inbox", "g1"])
      #expect(picture.thread("t1")?.draftIDs == ["d2"])
    }
  }

  /// The server has done an acknowledged operation, so that nothing of it is abandoned.
  @Test(.feature(88), .rule(10), arguments: End.allCases)
  func acknowledged_waitsForItsEcho_overALogout(end: End) async throws {
    var scene = InboxScene(InboxPolicies.mail)
    for id in ["t1", "t2"] { scene.tell(.thread, id) { $0.put(.tags, [ObjectLabel("inbox")]) } }
    scene.acknowledge(scene.tag("t1", adding: ["archive"], removing: ["inbox"]))
    let other = scene.tag("t2", adding: ["starred"])
    self.end([other], by: end, &scene)
    try await scene.expect { picture in
      #expect(picture.thread("t1")?.tagIDs == ["archive"] && picture.states == ["acknowledged"])
      #expect(picture.thread("t2")?.tagIDs == ["inbox"])
    }
    var late = scene
    late.wait(600_000)
    try await late.expect { #expect($0.thread("t1")?.tagIDs == ["inbox"] && $0.states == []) }
    let echo = scene.answer()
    scene.tell(.thread, "t1", of: echo) { $0.put(.tags, [ObjectLabel("archive")]) }
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == ["archive"] && $0.states == []) }
  }

  /// A single record may be both the end of a flush and the deadline of what was acknowledged.
  @Test func endOfAFlush_atTheDeadline_endsAll() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    for id in ["t1", "t2"] { scene.tell(.thread, id) { $0.put(.tags, [ObjectLabel("inbox")]) } }
    scene.acknowledge(scene.tag("t1", removing: ["inbox"]))
    scene.tag("t2", removing: ["inbox"])
    let until = scene.now
    scene.add(LoggedOut { ($0.pending, $0.flushUntil) = (.flush, until) })
    scene.wait(600_000)
    scene.logIn(InboxPolicies.mail)
    try await scene.expect { picture in
      #expect(["t1", "t2"].map { picture.thread($0)?.tagIDs } == [["inbox"], ["inbox"]])
      #expect(picture.states == [])
    }
  }

  /// Otherwise, the draft would join the thread it was saved in, leave it, and be lost from the
  /// list.
  @Test(arguments: End.allCases) func draftBeingDeleted_isNeverInItsThread(end: End) async throws {
    var scene = InboxScene(InboxPolicies.mail)
    scene.tell(.draft, "d1")
    let deletion = scene.add(DeleteDraft { $0.id = "d1" })
    let saving = scene.add(save(Self.own, in: "t1"))
    scene.add(IDReplaced { ($0.objectClass, $0.old, $0.new) = (.draft, Self.own, "d1") })
    scene.tell(.thread, "t1") { $0.put(.draftIDs, ["d1"]) }
    self.end([deletion, saving], by: end, &scene)
    try await scene.expect { picture in
      #expect(picture.draft(Self.own)?.threadID == nil)
      #expect(picture.thread("t1")?.draftIDs == [Self.own])
    }
  }
}
