import EventStore
import InboxHistories
import TestSupport
import Testing
import Tideline

/// Threads and their messages that are marked as read or unread at the same time.
@Suite struct MarkingScenarios {
  /// The ways in which an intent comes to nothing.
  enum End: CaseIterable { case withdrawal, rejection }

  private func scene(_ policy: PolicySwitches = InboxPolicies.mail, isUnread: Bool) -> InboxScene {
    var scene = InboxScene(policy)
    scene.tell(.thread, "t1") {
      let states = isUnread ? ["unread", "unseen"] : []
      $0.put(.tags, (["inbox"] + states).map { ObjectLabel($0) })
      $0.put(.messageIDs, ["m1", "m2"])
    }
    for id in ["m1", "m2"] {
      scene.tell(.message, id) {
        $0.put(.thread, "t1")
        $0.put(.isUnread, isUnread)
      }
    }
    return scene
  }

  private func end(_ intent: RecordNumber, by end: End, _ scene: inout InboxScene) {
    switch end {
    case .withdrawal: scene.add(Withdraw { $0.intents = [intent] })
    case .rejection: scene.reject(intent)
    }
  }

  /// A message that only looks read is still to be read.
  @Test(.feature(52), .rule(16), arguments: End.allCases)
  func messageOfAThreadBeingRead_isReadByItself(end: End) async throws {
    var scene = scene(isUnread: true)
    let first = scene.read(.thread, ["t1"])
    scene.read(.message, ["m1"])
    self.end(first, by: end, &scene)
    try await scene.expect { picture in
      #expect(picture.message("m1")?.isUnread == false && picture.message("m2")?.isUnread == true)
      #expect(picture.states == ["waiting"])
    }
  }

  /// A thread that only looks read is still to be read, whatever its own tags say.
  @Test(.feature(52), .rule(16), arguments: End.allCases, [false, true])
  func threadOfMessagesBeingRead_isReadByItself(end: End, isTagged: Bool) async throws {
    var scene = scene(isUnread: true)
    if !isTagged { scene.tell(.thread, "t1") { $0.put(.tags, [ObjectLabel("inbox")]) } }
    let first = scene.read(.message, ["m1", "m2"])
    scene.read(.thread, ["t1"])
    self.end(first, by: end, &scene)
    try await scene.expect { picture in
      #expect(picture.thread("t1")?.tagIDs == ["inbox"])
      #expect(picture.messages.values.allSatisfy { !$0.isUnread })
      #expect(picture.states == ["waiting"])
    }
  }

  /// What is so already, and only looks otherwise, is wanted.
  @Test(.rule(16)) func messageOfAThreadBeingRead_canBeMarkedAsUnread() async throws {
    var scene = scene(isUnread: true)
    scene.read(.thread, ["t1"])
    scene.read(.message, ["m1"], false)
    try await scene.expect { picture in
      #expect(picture.message("m1")?.isUnread == true && picture.message("m2")?.isUnread == false)
      #expect(picture.thread("t1")?.tagIDs == ["inbox", "unread"])
    }
  }

  /// A message that is merely to be read doesn't count as read for the server.
  @Test(.rule(15, 16), arguments: End.allCases)
  func acknowledgedReading_takesNothingOfAnother(end: End) async throws {
    var scene = scene(isUnread: true)
    let first = scene.read(.message, ["m1"])
    let second = scene.read(.message, ["m2"])
    let answer = scene.answer()
    scene.tell(.message, "m1", of: answer) { $0.put(.isUnread, false) }
    scene.add(OperationAcknowledged { $0.intent = first }, of: answer)
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == ["inbox"]) }
    var other = scene
    self.end(second, by: end, &scene)
    try await scene.expect { picture in
      #expect(picture.thread("t1")?.tagIDs == ["inbox", "unread"] && picture.operations.isEmpty)
    }
    other.acknowledge(second, version: 1)
    try await other.expect { picture in
      #expect(picture.thread("t1")?.tagIDs == ["inbox"] && picture.operations.isEmpty)
    }
  }

  /// A message that is to be unread again is still read for the server.
  @Test(.rule(15, 16)) func acknowledgedReading_countsBesideALaterIntent() async throws {
    var scene = scene(isUnread: true)
    scene.acknowledge(scene.read(.message, ["m2"]), version: 1)
    let reading = scene.read(.message, ["m1"])
    let later = scene.read(.message, ["m1"], false)
    scene.acknowledge(reading, version: 1)
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == ["inbox", "unread"]) }
    scene.add(Withdraw { $0.intents = [later] })
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == ["inbox"]) }
  }

  @Test(.rule(15, 16)) func threadOfAMessageMarkedAsUnread_isUnread() async throws {
    var scene = scene(isUnread: false)
    let intent = scene.read(.message, ["m1"], false)
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == ["inbox", "unread"]) }
    var (withdrawn, deleted) = (scene, scene)
    withdrawn.add(Withdraw { $0.intents = [intent] })
    try await withdrawn.expect { #expect($0.thread("t1")?.tagIDs == ["inbox"]) }
    deleted.add(DeleteObjects { ($0.objectClass, $0.ids) = (.message, ["m1"]) })
    try await deleted.expect { #expect($0.thread("t1")?.tagIDs == ["inbox"]) }
    scene.acknowledge(intent, version: 1)
    try await scene.expect { picture in
      #expect(picture.thread("t1")?.tagIDs == ["inbox", "unread"] && picture.operations.isEmpty)
    }
  }

  /// A fact from before the answer that says so already leaves the thread to facts as well.
  @Test(.rule(15)) func threadOfAMessageToldAsUnread_isAsTold() async throws {
    var scene = scene(isUnread: false)
    let intent = scene.read(.message, ["m1"], false)
    scene.tell(.message, "m1") { $0.put(.isUnread, true) }
    scene.tell(.thread, "t1") { $0.put(.tags, [ObjectLabel("inbox")]) }
    scene.acknowledge(intent)
    try await scene.expect { picture in
      #expect(picture.thread("t1")?.tagIDs == ["inbox"] && picture.operations.isEmpty)
    }
  }

  /// The later intent counts.
  @Test(.rule(15, 16)) func threadThatIsReadAfterAMessageIsMarkedAsUnread_isRead() async throws {
    var scene = scene(isUnread: false)
    let unread = scene.read(.message, ["m1"], false)
    let read = scene.read(.thread, ["t1"])
    try await scene.expect { picture in
      #expect(picture.thread("t1")?.tagIDs == ["inbox"])
      #expect(picture.message("m1")?.isUnread == false)
    }
    scene.add(Withdraw { $0.intents = [read] })
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == ["inbox", "unread"]) }
    scene.acknowledge(unread, version: 1)
    scene.read(.thread, ["t1"])
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == ["inbox"]) }
  }

  /// A message that came after the intent to read its thread keeps that unread when it is marked.
  @Test(.rule(15)) func threadBeingRead_isUnread_byALaterMessageMarkedAsUnread() async throws {
    var scene = scene(isUnread: true)
    scene.read(.thread, ["t1"])
    scene.tell(.message, "m3") { $0.put(.thread, "t1") }
    let intent = scene.read(.message, ["m3"], false)
    try await scene.expect { #expect($0.thread("t1")?.isUnread == true) }
    scene.acknowledge(intent, version: 1)
    try await scene.expect { #expect($0.thread("t1")?.isUnread == true) }
  }

  @Test func policy_beginsToCouple_whatIsMarkedAsUnread() async throws {
    var policy = InboxPolicies.mail
    policy.couplesUnread = false
    var scene = scene(policy, isUnread: false)
    scene.read(.message, ["m1"], false)
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == ["inbox"]) }
    scene.add(ConfigurationChanged { $0.policy = InboxPolicies.mail })
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == ["inbox", "unread"]) }
  }
}
