import EventStore
import Foundation
import InboxHistories
import TestSupport
import Testing
import Tideline

/// Messages of marketing systems: alerts, deletions, time, logins.
@Suite struct RichScenarios {
  private static let hour: Int64 = 3_600_000

  private func alert(_ id: String, _ title: String) -> AlertArrived {
    AlertArrived {
      $0.message.put(.id, id)
      $0.message.put(.title, title)
    }
  }

  @Test(.feature(64, 65), .rule(1, 2)) func alert_isPartial_andTheAnswerFillsIt() async throws {
    var scene = InboxScene(InboxPolicies.marketing)
    scene.add(
      AlertArrived {
        $0.message.put(.id, "r1")
        $0.message.put(.title, "Sale")
        $0.message.put(.alert, "Today only")
      })
    let arrival = Date(kept: scene.now)
    try await scene.expect { picture in
      #expect(picture.rich("r1")?.isPartial == true && picture.rich("r1")?.isActive == true)
      #expect(picture.rich("r1")?.sendDateUtc == nil)
      #expect(picture.rich("r1")?.effectiveDate == arrival)
    }
    let sent = Timestamp(rawValue: scene.now.rawValue - 5000)
    let answer = scene.answer()
    scene.tell(.rich, "r1", .whole, of: answer) {
      $0.put(.date, sent)
      $0.put(.title, "Summer sale")
    }
    try await scene.expect { picture in
      #expect(picture.rich("r1")?.title == "Summer sale")
      #expect(picture.rich("r1")?.alert == "Today only" && picture.rich("r1")?.isPartial == false)
      #expect(picture.rich("r1")?.effectiveDate == Date(kept: sent))
    }
  }

  /// An empty text shows a person nothing, so the next text is used.
  @Test func line_isTheFirstThatIsNotEmpty() async throws {
    var scene = InboxScene(InboxPolicies.marketing)
    scene.tell(.rich, "r1") {
      $0.put(.subject, "")
      $0.put(.inboxMessage, "")
      $0.put(.title, "Sale")
    }
    scene.tell(.rich, "r2") { $0.put(.subject, "") }
    scene.tell(.tag, "work") { $0.put(.name, "") }
    scene.tell(.contact, "c1") {
      $0.put(.name, "")
      $0.put(.email, "Ann@x.com")
    }
    try await scene.expect { picture in
      #expect(picture.rich("r1")?.line == "Sale")
      #expect(picture.rich("r1")?.foldedSubject == FoldedText("Sale"))
      #expect(picture.rich("r2") != nil && picture.rich("r2")?.line == nil)
      #expect(picture.tags["1/work"]?.name == "Work")
      #expect(picture.contacts["1/c1"]?.foldedName == FoldedText("Ann@x.com"))
    }
  }

  @Test(.feature(67), .rule(2)) func alert_behindTheAnswer_takesNothingAway() async throws {
    var scene = InboxScene(InboxPolicies.engage)
    scene.tell(.rich, "r1") {
      $0.put(.subject, "Hello")
      $0.put(.isRead, true)
    }
    scene.add(
      AlertArrived {
        $0.message.put(.id, "r1")
        $0.message.put(.title, "Sale")
        $0.message.put(.subject, "Another")
        $0.message.put(.isRead, false)
      })
    try await scene.expect { picture in
      #expect(picture.rich("r1")?.subject == "Hello" && picture.rich("r1")?.title == "Sale")
      #expect(picture.rich("r1")?.isRead == true)
    }
  }

  /// An answer from before an alert doesn't remove the alert's message, even one that was known
  /// whole.
  @Test(.rule(2)) func alert_behindTheQuestion_keepsTheMessage() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    scene.tell(.rich, "r1", .whole)
    let answer = scene.answer()
    scene.add(alert("r1", "Sale"))
    scene.tell(.rich, "r1", .gone, of: answer)
    try await scene.expect { picture in #expect(picture.rich("r1") != nil) }
  }

  @Test(.rule(2, 3)) func reading_whilePartial_isStillToBeSentBehindTheAnswer() async throws {
    var scene = InboxScene(InboxPolicies.marketing)
    scene.add(alert("r1", "Sale"))
    scene.read(.rich, ["r1"])
    scene.tell(.rich, "r1", .whole) { $0.put(.isRead, false) }
    try await scene.expect { picture in
      #expect(picture.rich("r1")?.isRead == true && picture.states == ["waiting"])
    }
  }

  @Test(.feature(40, 43), .rule(4), .defect(.braze, 5)) func deletion_sticks_whateverTheServerSays()
    async throws
  {
    var scene = InboxScene(InboxPolicies.marketing)
    scene.tell(.rich, "r1")
    let intent = scene.add(DeleteObjects { $0.ids = ["r1"] })
    scene.tell(.rich, "r1") { $0.put(.isDeleted, false) }
    try await scene.expect { #expect($0.rich("r1")?.isDeleted == true) }
    scene.acknowledge(intent)
    scene.tell(.rich, "r1") { $0.put(.isDeleted, false) }
    scene.wait(10 * Self.hour)
    try await scene.expect { picture in
      #expect(picture.rich("r1")?.isDeleted == true && picture.operations.isEmpty)
    }
  }

  /// A complete answer may lack a message that is in the next one again.
  @Test(.feature(40, 43), .rule(4), arguments: [false, true])
  func deletion_sticks_whenTheMessageWasGoneMeanwhile(deletionSticks: Bool) async throws {
    var policy = InboxPolicies.engage
    policy.deletionSticks = deletionSticks
    var scene = InboxScene(policy)
    scene.tell(.rich, "r1", .whole)
    scene.acknowledge(scene.add(DeleteObjects { $0.ids = ["r1"] }))
    let echo = scene.answer()
    scene.tell(.rich, "r1", .whole, of: echo) { $0.put(.isDeleted, true) }
    let without = scene.answer()
    scene.tell(.rich, "r1", .gone, of: without)
    try await scene.expect { #expect($0.rich.isEmpty && $0.operations.isEmpty) }
    scene.wait(10 * Self.hour)
    scene.add(RefreshEnded { _ in })
    for version in [nil, 9] as [Int64?] {
      let with = scene.answer()
      scene.tell(.rich, "r1", .whole, of: with) { if let version { $0.put(.version, version) } }
      try await scene.expect { #expect($0.rich.isEmpty == deletionSticks) }
    }
  }

  @Test(.feature(72), .rule(5), .defect(.iterable, 5), .defect(.braze, 4))
  func window_movesMessagesByTheClockAlone() async throws {
    var scene = InboxScene(InboxPolicies.marketing)
    let (start, end) = (scene.now.rawValue + Self.hour, scene.now.rawValue + 2 * Self.hour)
    scene.tell(.rich, "r1") {
      $0.put(.startDate, Timestamp(rawValue: start))
      $0.put(.endDate, Timestamp(rawValue: end))
    }
    var expected = [false]
    for reason in [ClockReason.due, .due, .set] {
      try await scene.expect { #expect($0.rich("r1")?.isActive == expected.last) }
      scene.wait(reason == .set ? -Self.hour : Self.hour, reason)
      expected.append(!(expected.last ?? false))
    }
    try await scene.expect { #expect($0.rich("r1")?.isActive == true) }
  }

  @Test(.feature(39), .rule(6)) func markAll_meansWhatIsActiveThen() async throws {
    var scene = InboxScene(InboxPolicies.marketing)
    scene.tell(.rich, "now")
    let start = Timestamp(rawValue: scene.now.rawValue + Self.hour)
    scene.tell(.rich, "later") { $0.put(.startDate, start) }
    scene.add(MarkAll { $0.action = .read })
    scene.tell(.rich, "new")
    scene.wait(2 * Self.hour)
    try await scene.expect { picture in
      #expect(picture.rich("now")?.isRead == true)
      #expect(picture.rich("later")?.isRead == false && picture.rich("later")?.isActive == true)
      #expect(picture.rich("new")?.isRead == false)
    }
  }

  @Test(.feature(68, 79), .rule(7)) func opened_isNotRead_andATapReadsByTheSwitch() async throws {
    var scene = InboxScene(InboxPolicies.engage)
    scene.tell(.rich, "r1")
    scene.add(MessageOpened { $0.id = "r1" })
    scene.add(AlertOpened { $0.id = "r1" })
    try await scene.expect { picture in
      #expect(picture.rich("r1")?.isOpened == true && picture.rich("r1")?.isRead == false)
    }
    scene.add(ConfigurationChanged { $0.marksReadOnOpening = true })
    scene.add(AlertOpened { $0.id = "r1" })
    try await scene.expect { #expect($0.rich("r1")?.isRead == true) }
  }

  @Test func tap_beforeTheMessage_staysRead() async throws {
    var scene = InboxScene(InboxPolicies.marketing)
    let tap = scene.add(AlertOpened { $0.id = "r1" })
    try await scene.expect { #expect($0.rich.isEmpty && $0.states == ["waiting"]) }
    scene.acknowledge(tap)
    scene.tell(.rich, "r1") { $0.put(.isRead, false) }
    try await scene.expect { #expect($0.rich("r1")?.isRead == true) }
  }

  @Test(.feature(89), .rule(20))
  func login_withItsOwnReading_isUnreadAgain_andTheDevicesIsNot() async throws {
    for (policy, isRead) in [(InboxPolicies.engage, false), (InboxPolicies.marketing, true)] {
      var scene = InboxScene(policy)
      scene.tell(.rich, "r1")
      let intent = scene.read(.rich, ["r1"])
      scene.acknowledge(intent)
      scene.add(LoggedOut { $0.pending = .hold })
      try await scene.expect { #expect($0.rich.isEmpty) }
      scene.logIn(policy)
      try await scene.expect { #expect($0.rich("r1")?.isRead == isRead) }
    }
  }

  /// A new identity doesn't change the state that the device owns.
  @Test(.feature(89), .rule(20))
  func devicesReadingAndDeletions_outliveAnotherName_whateverTheServerSays() async throws {
    var scene = InboxScene(InboxPolicies.marketing)
    for id in ["r1", "r2", "r3"] { scene.tell(.rich, id) }
    scene.acknowledge(scene.read(.rich, ["r1"]))
    scene.acknowledge(scene.add(DeleteObjects { $0.ids = ["r2"] }))
    scene.add(IdentityChanged { $0.person = "another contact" })
    for id in ["r1", "r2", "r3"] { scene.tell(.rich, id) { $0.put(.isRead, false) } }
    try await scene.expect { picture in
      #expect(picture.rich("r1")?.isRead == true && picture.rich("r3")?.isRead == false)
      #expect(picture.rich("r2")?.isDeleted == true)
    }
  }

  /// Listing an object as unchanged says no more about the device's own state than a fact does.
  @Test func unchanged_saysNothingOfWhatTheDeviceOwns() async throws {
    var policy = InboxPolicies.mail
    policy.readsOwnWrites = true
    var scene = InboxScene(InboxPolicies.marketing)
    scene.tell(.rich, "r1") { $0.put(.isRead, false) }
    scene.acknowledge(scene.read(.rich, ["r1"]))
    try await scene.expect { #expect($0.states == []) }
    scene.add(ConfigurationChanged { $0.policy = policy })
    scene.acknowledge(scene.read(.rich, ["r1"], false))
    let last = scene.last
    scene.add(
      Exchange {
        ($0.request, $0.sentAfter) = (.page, last)
        $0.unchanged = [ObjectNames { ($0.objectClass, $0.ids) = (.rich, ["r1"]) }]
      })
    try await scene.expect { #expect($0.states == ["acknowledged"]) }
  }

  @Test(.feature(88), .rule(20)) func logout_saysWhatBecomesOfIntents() async throws {
    let states: [(PendingIntents, [String])] = [(.drop, []), (.hold, ["waiting"]), (.flush, [])]
    for (pending, expected) in states {
      var scene = InboxScene(InboxPolicies.marketing)
      scene.tell(.rich, "r1")
      scene.read(.rich, ["r1"])
      let until = Timestamp(rawValue: scene.now.rawValue + 1000)
      scene.add(LoggedOut { ($0.pending, $0.flushUntil) = (pending, until) })
      scene.wait(2000)
      try await scene.expect { #expect($0.states == expected) }
    }
  }
}
