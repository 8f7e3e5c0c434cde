import EventStore
import InboxHistories
import TestSupport
import Testing
import Tideline

/// Operations followed by others on the same object before the server reports their effects.
@Suite struct OvertakingScenarios {
  private func scene() -> InboxScene {
    var scene = InboxScene(InboxPolicies.mail)
    thread(["inbox", "unread", "unseen"], &scene)
    for id in ["m1", "m2"] { message(id, isUnread: true, &scene) }
    return scene
  }

  private func thread(_ tags: [String], of answer: RecordNumber? = nil, _ scene: inout InboxScene) {
    scene.tell(.thread, "t1", of: answer) {
      $0.put(.tags, tags.map { ObjectLabel($0) })
      $0.put(.messageIDs, ["m1", "m2"])
    }
  }

  private func message(
    _ id: String, isUnread: Bool, of answer: RecordNumber? = nil, _ scene: inout InboxScene
  ) {
    scene.tell(.message, id, of: answer) {
      $0.put(.thread, "t1")
      $0.put(.isUnread, isUnread)
    }
  }

  /// The base is unread only because the server has not reported the reading, not as confirmation.
  @Test(.rule(10)) func lastOfTwo_isWhatIsShown_untilTheServerTells() async throws {
    var scene = scene()
    for isRead in [true, false] { scene.acknowledge(scene.read(.message, ["m1"], isRead)) }
    try await scene.expect { picture in
      #expect(picture.message("m1")?.isUnread == true)
      #expect(picture.states == ["acknowledged", "acknowledged"])
    }
    let answer = scene.answer()
    message("m1", isUnread: true, of: answer, &scene)
    try await scene.expect { picture in
      #expect(picture.message("m1")?.isUnread == true && picture.operations.isEmpty)
    }
  }

  @Test(.rule(10)) func answerWithAVersion_endsWhatWasDoneBefore() async throws {
    var scene = scene()
    scene.acknowledge(scene.read(.message, ["m1"]))
    scene.acknowledge(scene.read(.message, ["m1"], false), version: 4)
    try await scene.expect { picture in
      #expect(picture.message("m1")?.isUnread == true && picture.operations.isEmpty)
    }
  }

  /// The first operation changes two tags, and the second overrides one of them.
  @Test(.rule(10)) func tags_areSaidByWhoeverWasLast() async throws {
    var scene = scene()
    scene.acknowledge(scene.tag("t1", adding: ["g1", "g2"]))
    scene.acknowledge(scene.tag("t1", removing: ["g1"]), version: 5)
    try await scene.expect { picture in
      #expect(picture.thread("t1")?.tagIDs == ["inbox", "unread", "unseen", "g2"])
      #expect(picture.states == ["acknowledged"])
    }
    let answer = scene.answer()
    thread(["inbox", "g2"], of: answer, &scene)
    try await scene.expect { picture in
      #expect(picture.thread("t1")?.tagIDs == ["inbox", "g2"] && picture.operations.isEmpty)
    }
  }

  /// An operation that a fact supersedes also takes its tags from those acknowledged before it.
  @Test(.rule(10)) func supersededTags_leaveWhatTheyDoNotSay() async throws {
    var policy = InboxPolicies.mail
    policy.readsOwnWrites = true
    var scene = InboxScene(policy)
    thread(["inbox", "unread", "unseen"], &scene)
    let first = scene.tag("t1", adding: ["g2"], removing: ["inbox", "unread"])
    scene.acknowledge(scene.tag("t1", removing: ["unseen", "g2"]))
    scene.acknowledge(first)
    try await scene.expect { #expect($0.states == ["acknowledged", "acknowledged"]) }
    let answer = scene.answer()
    thread(["g2"], of: answer, &scene)
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == ["g2"]) }
  }

  @Test(.rule(15)) func messageThatComesMeanwhile_hasItsThreadBeUnread() async throws {
    var scene = scene()
    let intent = scene.read(.thread, ["t1"])
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == ["inbox"]) }
    message("m3", isUnread: true, &scene)
    try await scene.expect { picture in
      #expect(picture.thread("t1")?.tagIDs == ["inbox", "unread", "unseen"])
      #expect(picture.message("m1")?.isUnread == false && picture.message("m3")?.isUnread == true)
    }
    scene.acknowledge(intent, version: 9)
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == ["inbox"]) }
  }

  @Test(.rule(15)) func threadThatIsToldAsRead_hasItsMessagesStayRead() async throws {
    var scene = scene()
    scene.acknowledge(scene.read(.thread, ["t1"]))
    let answer = scene.answer()
    thread(["inbox"], of: answer, &scene)
    try await scene.expect { picture in
      #expect(picture.operations.isEmpty)
      #expect(picture.message("m1")?.isUnread == false && picture.message("m2")?.isUnread == false)
    }
  }

  /// A message that can no longer be reported on stays visible to its reader.
  @Test(arguments: [false, true]) func reportOfWhatIsGone_isOver(isOpening: Bool) async throws {
    var scene = InboxScene(InboxPolicies.marketing)
    scene.tell(.rich, "r1", .whole) { $0.put(.subject, "Sale") }
    let intent =
      isOpening
      ? scene.add(MessageOpened { ($0.objectClass, $0.id) = (.rich, "r1") })
      : scene.add(MessageDownloaded { ($0.objectClass, $0.id) = (.rich, "r1") })
    try await scene.expect { #expect($0.states == ["waiting"]) }
    scene.add(OperationAcknowledged { ($0.intent, $0.isGone) = (intent, true) })
    try await scene.expect { picture in
      #expect(picture.rich("r1") != nil && picture.operations.isEmpty)
    }
  }

  /// Two people never share a login.
  @Test func loginOfAnotherPerson_underTheSameEpoch_isRefused() async throws {
    var scene = scene()
    scene.add(LoggedIn { ($0.person, $0.policy) = ("bob", InboxPolicies.mail) })
    try await scene.expect { #expect($0.accounts.values.map(\.person) == ["alice"]) }
  }
}
