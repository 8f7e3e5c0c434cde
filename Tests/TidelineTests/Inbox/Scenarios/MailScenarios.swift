import EventStore
import InboxHistories
import TestSupport
import Testing
import Tideline

/// Threads, messages, and the operations that are open on them.
@Suite struct MailScenarios {
  private func scene() -> InboxScene {
    var scene = InboxScene(InboxPolicies.mail)
    scene.tell(.thread, "t1") {
      $0.put(.version, 3)
      $0.put(.tags, [ObjectLabel("inbox"), ObjectLabel("unread"), ObjectLabel("unseen")])
      $0.put(.messageIDs, ["m1", "m2"])
    }
    for id in ["m1", "m2"] {
      scene.tell(.message, id) {
        $0.put(.thread, "t1")
        $0.put(.isUnread, true)
      }
    }
    return scene
  }

  @Test(.rule(9), .defect(.powerSync, 3)) func lowerVersions_areDropped() async throws {
    var scene = scene()
    scene.tell(.thread, "t1") {
      $0.put(.version, 2)
      $0.put(.subject, "Old")
    }
    try await scene.expect { #expect($0.thread("t1")?.subject == nil) }
  }

  /// For a change after a cursor, a server sends the current state, and so sends it again later.
  @Test(.rule(9)) func whatWasToldAhead_isTheSame_whenItsTurnComes() async throws {
    var scene = scene()
    func tell(_ version: Int64, _ subject: String, _ tags: [String], of page: RecordNumber) {
      scene.tell(.thread, "t1", of: page) {
        $0.put(.version, version)
        $0.put(.subject, subject)
        $0.put(.tags, tags.map { ObjectLabel($0) })
      }
    }
    func read(of page: RecordNumber) {
      scene.tell(.message, "m1", of: page) {
        $0.put(.thread, "t1")
        $0.put(.isUnread, false)
      }
    }
    let first = scene.answer()
    tell(5, "New", ["archive"], of: first)
    read(of: first)
    let picture = scene.picture
    #expect(picture.thread("t1")?.tagIDs == ["archive"])
    #expect(picture.message("m1")?.isUnread == false)
    let second = scene.answer()
    tell(4, "Old", ["inbox", "unread"], of: second)
    try await scene.expect { #expect($0 == picture) }
    for _ in 0..<2 {
      tell(5, "New", ["archive"], of: second)
      read(of: second)
    }
    try await scene.expect { #expect($0 == picture) }
  }

  @Test(.rule(10), .defect(.powerSync, 3), .defect(.mailspring, 1))
  func staleEcho_doesNotEndAnAcknowledgedIntent() async throws {
    var scene = scene()
    let intent = scene.tag("t1", adding: ["archive"], removing: ["inbox"])
    let before = scene.last
    scene.acknowledge(intent)
    let stale = scene.answer(sentAfter: before)
    scene.tell(.thread, "t1", of: stale) { $0.put(.tags, [ObjectLabel("inbox")]) }
    try await scene.expect { picture in
      #expect(picture.thread("t1")?.tagIDs == ["archive"] && picture.states == ["acknowledged"])
    }
    let echo = scene.answer()
    scene.tell(.thread, "t1", of: echo) { $0.put(.tags, [ObjectLabel("archive")]) }
    try await scene.expect { picture in
      #expect(picture.thread("t1")?.tagIDs == ["archive"] && picture.operations.isEmpty)
    }
  }

  @Test(.rule(10)) func acknowledgedIntent_endsAtItsDeadline_orByAHigherVersion() async throws {
    var scene = scene()
    let intent = scene.tag("t1", removing: ["inbox"])
    scene.acknowledge(intent)
    var other = scene
    scene.wait(600_000)
    try await scene.expect { #expect($0.thread("t1")?.tagIDs.contains("inbox") == true) }
    let answer = other.answer()
    other.tell(.thread, "t1", of: answer) {
      $0.put(.version, 4)
      $0.put(.tags, [ObjectLabel("inbox")])
    }
    try await other.expect { picture in
      #expect(picture.thread("t1")?.tagIDs == ["inbox"] && picture.operations.isEmpty)
    }
  }

  /// A thread has a tag once, whichever of the tag's ids is named.
  @Test(.feature(54), arguments: [false, true])
  func tagWithTwoIDs_isOneTag_inWhatIsWantedOfThreads(isNamedLater: Bool) async throws {
    let own = InboxNames.local("e1")
    var scene = scene()
    scene.acknowledge(
      scene.add(
        SaveTag {
          $0.tag.put(.id, own)
          $0.tag.put(.name, "Work")
        }))
    let replaced = IDReplaced { ($0.objectClass, $0.old, $0.new) = (.tag, own, "g1") }
    if !isNamedLater { scene.add(replaced) }
    let intent = scene.tag("t1", adding: ["g1"], removing: ["inbox"])
    if isNamedLater { scene.add(replaced) }
    scene.acknowledge(intent)
    let echo = scene.answer()
    scene.tell(.thread, "t1", of: echo) { $0.put(.tags, [ObjectLabel("g1")]) }
    try await scene.expect { picture in
      #expect(picture.thread("t1")?.tagIDs == [own] && picture.operations.isEmpty)
    }
    scene.tag("t1", removing: ["g1"])
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == []) }
  }

  /// A message that is being deleted doesn't count as unread.
  @Test func threadWhoseOnlyUnreadMessageIsBeingDeleted_isReadAlready() async throws {
    var scene = InboxScene(InboxPolicies.engage)
    scene.tell(.message, "m1") {
      $0.put(.thread, "t1")
      $0.put(.isUnread, true)
    }
    scene.add(DeleteObjects { ($0.objectClass, $0.ids) = (.message, ["m1"]) })
    scene.tell(.thread, "t1") { $0.put(.messageIDs, ["m1"]) }
    scene.read(.thread, ["t1"])
    try await scene.expect { #expect($0.states == ["waiting"]) }
  }

  /// Deleting a message that was read doesn't make its thread unread again.
  @Test(.rule(15)) func messageThatIsReadAndThenDeleted_leavesItsThreadRead() async throws {
    var scene = scene()
    scene.read(.message, ["m1"])
    scene.read(.message, ["m2"])
    scene.add(DeleteObjects { ($0.objectClass, $0.ids) = (.message, ["m1", "m2"]) })
    scene.tell(.message, "m1") { $0.put(.subject, "Hello") }
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == ["inbox"]) }
  }

  /// A refused reading leaves messages unread, even if nobody is logged in when it is refused.
  @Test func refusedReadingOfAThread_isOverForItsMessages_atTheNextLogin() async throws {
    var scene = scene()
    let intent = scene.read(.thread, ["t1"])
    scene.tell(.thread, "t1") { $0.put(.messageIDs, ["m2"]) }
    scene.add(LoggedOut { $0.pending = .hold })
    scene.reject(intent)
    scene.logIn(InboxPolicies.mail)
    try await scene.expect { #expect($0.message("m1")?.isUnread == true) }
  }

  /// Listing an object as unchanged says as little as a fact would.
  @Test func listedMessage_endsNothing_whereEditsDontApply() async throws {
    var policy = InboxPolicies.engage
    var scene = InboxScene(policy)
    scene.tell(.rich, "r1", .whole) { $0.put(.isDeleted, false) }
    scene.acknowledge(scene.add(DeleteObjects { ($0.objectClass, $0.ids) = (.rich, ["r1"]) }))
    policy.serverEditsApply = false
    scene.logIn(policy)
    let before = scene.last
    scene.add(
      Exchange {
        $0.sentAfter = before
        $0.unchanged = [ObjectNames(.rich, ["r1"])]
      })
    try await scene.expect { picture in
      #expect(picture.rich("r1")?.isDeleted == true && picture.states == ["acknowledged"])
    }
  }

  @Test(.feature(25, 31), .rule(11))
  func createdChangedAndDeleted_inOneAnswer_countInTheirOrder() async throws {
    var scene = scene()
    let answer = scene.answer()
    scene.tell(.message, "m3", .created, of: answer)
    scene.tell(.message, "m3", of: answer) { $0.put(.subject, "Hello") }
    scene.tell(.message, "m3", .deleted, of: answer)
    try await scene.expect { #expect($0.message("m3") == nil) }
    scene.tell(.message, "m3", .created, of: answer)
    try await scene.expect { #expect($0.message("m3") != nil) }
  }

  /// A draft sent elsewhere, for example, is first reported as a change.
  @Test(.rule(11)) func changeOfAMessage_thatNobodyToldOf_isItsBeginning() async throws {
    var scene = scene()
    let answer = scene.answer()
    scene.tell(.message, "m3", .changed, of: answer) {
      $0.put(.thread, "t1")
      $0.put(.subject, "Hello")
    }
    try await scene.expect { picture in
      #expect(picture.message("m3")?.subject == "Hello")
      #expect(picture.thread("t1")?.messageIDs.contains("m3") == true)
    }
  }

  /// Only the answer says which version the person deleted: the object may have changed before.
  @Test(.rule(4), .defect(.mailspring, 6), arguments: [nil, 5] as [Int64?])
  func deletedByThePerson_isNotBroughtBack_byAChangeBeforeThat(version: Int64?) async throws {
    var scene = scene()
    let before = scene.last
    let deletion = scene.add(
      DeleteObjects { ($0.objectClass, $0.ids) = (.thread, ["t1"]) })
    scene.acknowledge(deletion, version: version)
    for (told, isThere) in [(5, false), (6, version != nil)] {
      let stale = scene.answer(sentAfter: before)
      scene.tell(.thread, "t1", of: stale) { $0.put(.version, Int64(told)) }
      try await scene.expect { #expect(($0.thread("t1") != nil) == isThere) }
    }
    let later = scene.answer()
    scene.tell(.thread, "t1", of: later) { $0.put(.version, 7) }
    try await scene.expect { #expect($0.thread("t1") != nil) }
  }

  @Test(.feature(32), .defect(.mailspring, 6))
  func deletedByTheServer_isNotBroughtBackByAnOlderAnswer() async throws {
    var scene = scene()
    let before = scene.last
    scene.tell(.message, "m1", .deleted)
    let stale = scene.answer(sentAfter: before)
    scene.tell(.message, "m1", .whole, of: stale)
    try await scene.expect { #expect($0.message("m1") == nil) }
    let later = scene.answer()
    scene.tell(.message, "m1", .whole, of: later)
    try await scene.expect { #expect($0.message("m1") != nil) }
  }

  @Test(.feature(23, 24), .rule(14))
  func gone_spares_whatWasToldOfMeanwhile_orIsUnderAnOperation() async throws {
    var scene = scene()
    let before = scene.last
    scene.tell(.message, "m1") { $0.put(.subject, "New") }
    scene.read(.message, ["m2"])
    scene.tell(.message, "m3")
    let stale = scene.answer(sentAfter: before)
    for id in ["m1", "m2", "m3"] { scene.tell(.message, id, .gone, of: stale) }
    try await scene.expect { #expect($0.messages.count == 3) }
    let fresh = scene.answer()
    scene.tell(.message, "m3", .gone, of: fresh)
    try await scene.expect { #expect($0.message("m3") == nil) }
  }

  @Test(.rule(15)) func threadIsUnread_untilEveryIdOfItIsRead() async throws {
    var scene = scene()
    scene.read(.message, ["m1"])
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == ["inbox", "unread"]) }
    let second = scene.read(.message, ["m2"])
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == ["inbox"]) }
    scene.reject(second)
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == ["inbox", "unread"]) }
    scene.tell(.message, "m3") {
      $0.put(.thread, "t1")
      $0.put(.isUnread, true)
    }
    try await scene.expect { #expect($0.thread("t1")?.isUnread == true) }
  }

  /// A thread lists all of its messages, including those that no fact has reported yet.
  @Test(.rule(15)) func messageThatNobodyToldOf_countsAsUnread() async throws {
    var scene = scene()
    scene.tell(.thread, "t1") { $0.put(.messageIDs, ["m1", "m2", "m9"]) }
    scene.read(.message, ["m1", "m2"])
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == ["inbox", "unread"]) }
    scene.tell(.message, "m9") {
      $0.put(.thread, "t1")
      $0.put(.isUnread, false)
    }
    try await scene.expect { #expect($0.thread("t1")?.tagIDs == ["inbox"]) }
  }

  @Test(.feature(35), .rule(15), .defect(.inboxKit, 11)) func threadRead_meansItsMessagesSoFar()
    async throws
  {
    var scene = scene()
    let intent = scene.read(.thread, ["t1"])
    scene.tell(.message, "m3") {
      $0.put(.thread, "t1")
      $0.put(.isUnread, true)
    }
    try await scene.expect { picture in
      #expect(picture.message("m1")?.isUnread == false && picture.message("m3")?.isUnread == true)
      #expect(picture.operations.count == 1)
    }
    scene.reject(intent)
    try await scene.expect { picture in
      #expect(picture.message("m1")?.isUnread == true && picture.thread("t1")?.isUnread == true)
    }
  }

  @Test(.feature(52), .rule(16), .defect(.inboxKit, 5))
  func rejection_isNoInverse_andLaterIntentsStay() async throws {
    var scene = scene()
    scene.tell(.thread, "t2") { $0.put(.tags, [ObjectLabel("starred")]) }
    let first = scene.tag("t2", adding: ["starred", "work"])
    scene.tag("t2", adding: ["inbox"])
    scene.reject(first)
    try await scene.expect { #expect($0.thread("t2")?.tagIDs == ["starred", "inbox"]) }
  }

  @Test(.rule(17)) func withdrawal_isExact_butNotOfWhatWasBegun() async throws {
    var scene = scene()
    let star = scene.tag("t1", adding: ["starred"])
    let unstar = scene.tag("t1", removing: ["starred"])
    scene.add(OperationStarted { $0.intent = star })
    scene.add(Withdraw { $0.intents = [star, unstar] })
    try await scene.expect { picture in
      #expect(picture.thread("t1")?.isStarred == true && picture.states == ["started"])
    }
  }

  @Test func policy_beginsToCouple_whatIsBeingRead() async throws {
    var policy = InboxPolicies.mail
    policy.couplesUnread = false
    var scene = InboxScene(policy)
    scene.tell(.thread, "t1") { $0.put(.tags, [ObjectLabel("unread")]) }
    scene.tell(.message, "m1") {
      $0.put(.thread, "t1")
      $0.put(.isUnread, true)
    }
    scene.read(.message, ["m1"])
    try await scene.expect { #expect($0.thread("t1")?.isUnread == true) }
    scene.add(ConfigurationChanged { $0.policy = InboxPolicies.mail })
    try await scene.expect { #expect($0.thread("t1")?.isUnread == false) }
  }

  @Test(.feature(88), .rule(20)) func epochs_ofOthers_countForNothing() async throws {
    var scene = scene()
    let old = scene
    scene.logIn(InboxPolicies.mail)
    let fact = ObjectFact(.thread, ObjectFields { $0.put(.id, "t9") })
    scene.add(InboxHistory.Step(fact, at: scene.now, old.login))
    try await scene.expect { #expect($0.thread("t9") == nil && $0.thread("t1") != nil) }
  }
}
