import EventStore
import Foundation
import InboxHistories
import TestSupport
import Testing
import Tideline

/// Facts from servers and pushes, and the state that they lead to.
@Suite struct FactFeatures {
  private static let hour: Int64 = 3_600_000

  @Test(.feature(21)) func absent_stays_andNullClears() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    scene.tell(.thread, "t1") {
      $0.put(.subject, "Lunch?")
      $0.put(.snippet, "At one.")
    }
    scene.tell(.thread, "t1") { $0.putNull(.subject) }
    try await scene.expect { picture in
      #expect(picture.thread("t1")?.subject == nil)
      #expect(picture.thread("t1")?.snippet == "At one.")
      #expect(picture.thread("t1")?.knows(\.subject) == true)
      #expect(picture.thread("t1")?.knows(\.lastMessageDate) == false)
    }
  }

  @Test(.feature(22)) func oneObject_askedForAnew_mayBeGone() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    let before = scene.last
    scene.tell(.message, "m1")
    scene.tell(.message, "m2")
    let page = scene.add(
      Exchange {
        $0.request = .page
        $0.sentAfter = before
      })
    scene.tell(.message, "m1", .gone, of: page)
    let told = scene.last
    let reload = scene.add(
      Exchange {
        $0.request = .object
        $0.sentAfter = told
      })
    scene.tell(.message, "m2", .gone, of: reload)
    try await scene.expect { #expect($0.message("m1") != nil && $0.message("m2") == nil) }
  }

  @Test(.feature(30), .defect(.liveStore, 8)) func unknownTypes_areKept_andHinderNothing()
    async throws
  {
    try await TestDesk.withInbox { inbox, _ in
      var event = ObjectFact(.other, ObjectFields { $0.put(.id, "e1") })
      event.fields.put(.className, "event")
      event.fields.put(.unknown, json: Array(#"{"when":1}"#.utf8))
      let (fact, thread) = (event, MailThread(id: "t1", account: inbox.account))
      try await inbox.apply(
        Delivery { delivery in
          delivery.add(fact)
          delivery.add(thread)
          delivery.setCursor("a9", of: "deltas")
        })
      let events = try records(of: inbox).suffix(3)
      #expect(events.first.map { AnyHashable($0) } == AnyHashable(fact))
      #expect(events.last is CursorSet)
      #expect(try inbox.object(MailThread.self, "t1") != nil)
    }
  }

  @Test(.feature(26), .defect(.airship, 3), .defect(.liveStore, 1))
  func cursor_isRecordedWithItsPage_orNotAtAll() async throws {
    try await TestDesk.withInbox { inbox, _ in
      let page = Delivery { delivery in
        delivery.add(MailThread(id: "t1", account: inbox.account))
        delivery.setCursor("a9", of: "deltas")
      }
      try await inbox.apply(page)
      let kinds = try records(of: inbox).suffix(3).map(\.kind)
      #expect(kinds == [Exchange.kind, ObjectClass.thread.kind, CursorSet.kind])
      try await inbox.logOut(pending: .drop)
      let last = try inbox.store.core.log.last
      await #expect(throws: IntentError.loggedOut) { try await inbox.apply(page) }
      #expect(try inbox.store.core.log.last == last)
    }
  }

  private func records(of inbox: Inbox) throws -> [any InboxEvent] {
    try inbox.store.core.log.read { snapshot in
      try (1...snapshot.last.rawValue).compactMap { number in
        try snapshot.record(RecordNumber(rawValue: number)).map { try EventCatalog.event(of: $0) }
      }
    }
  }

  @Test(.feature(66), .rule(2)) func alert_ofAnotherRequest_isTheSameMessage() async throws {
    var scene = InboxScene(InboxPolicies.marketing)
    for (request, title) in [("q1", "Sale"), ("q2", "Sail")] {
      scene.add(
        AlertArrived {
          $0.message.put(.id, "r1")
          $0.message.put(.requestID, request)
          $0.message.put(.title, title)
        })
    }
    try await scene.expect { picture in
      #expect(picture.rich.count == 1 && picture.rich("r1")?.title == "Sale")
    }
  }

  @Test(.feature(41), .rule(6)) func deleteAll_meansWhatIsActiveThen() async throws {
    var scene = InboxScene(InboxPolicies.marketing)
    scene.tell(.rich, "now")
    let start = Timestamp(rawValue: scene.now.rawValue + Self.hour)
    scene.tell(.rich, "later") { $0.put(.startDate, start) }
    scene.add(MarkAll { $0.action = .deleted })
    scene.wait(2 * Self.hour)
    try await scene.expect { picture in
      #expect(picture.rich("now")?.isDeleted == true)
      #expect(picture.rich("later")?.isDeleted == false && picture.rich("later")?.isActive == true)
    }
  }

  @Test(.feature(79, 93)) func opening_isReported_whereThatIsAllowed() async throws {
    for (mode, states) in [(PrivacyMode.unrestricted, ["waiting"]), (.doNotTrack, [])] {
      var scene = InboxScene(InboxPolicies.marketing)
      scene.tell(.rich, "r1")
      scene.add(PrivacyChanged { $0.mode = mode })
      scene.add(MessageOpened { $0.id = "r1" })
      try await scene.expect { picture in
        #expect(picture.rich("r1")?.isOpened == true && picture.states == states)
      }
    }
  }

  @Test(.feature(80, 93)) func receiving_isReportedOnce_whereThatIsAllowed() async throws {
    for (mode, states) in [(PrivacyMode.unrestricted, ["waiting"]), (.doNotTrack, [])] {
      var scene = InboxScene(InboxPolicies.marketing)
      scene.tell(.rich, "r1", .whole)
      scene.add(PrivacyChanged { $0.mode = mode })
      scene.add(MessageDownloaded { $0.id = "r1" })
      scene.add(PrivacyChanged { $0.mode = .unrestricted })
      scene.add(MessageDownloaded { $0.id = "r1" })
      try await scene.expect { #expect($0.states == states) }
    }
  }

  @Test(.feature(81), .defect(.iterable, 3)) func laterEdits_count_whereThePolicySaysSo()
    async throws
  {
    for (policy, title) in [(InboxPolicies.marketing, "First"), (InboxPolicies.engage, "Second")] {
      var scene = InboxScene(policy)
      for title in ["First", "Second"] {
        scene.tell(.rich, "r1", .whole) { $0.put(.title, title) }
      }
      try await scene.expect { #expect($0.rich("r1")?.title == title) }
    }
  }

  @Test(.feature(82), .rule(4)) func missing_isGone_whereThePolicySaysSo() async throws {
    for (policy, count) in [(PolicySwitches.marketingCloud, 2), (.engage, 1), (.inbox, 1)] {
      try await TestDesk.withInbox(policy) { inbox, _ in
        try await inbox.tell(rich: "a", "b")
        var whole = Delivery { $0.add(RichMessage(id: "a", account: inbox.account)) }
        whole.extent = .whole
        try await inbox.apply(whole)
        #expect(try inbox.rich.contents().allCount == count)
      }
    }
  }

  @Test(.feature(83)) func types_areKept_alsoUnknownOnes() async throws {
    var scene = InboxScene(InboxPolicies.marketing)
    for type in [1, 2, 3, 99, -7] as [Int64] {
      scene.tell(.rich, "r\(type)") { $0.put(.inboxMessageType, type) }
    }
    try await scene.expect { picture in
      #expect(picture.rich.values.compactMap(\.messageType).sorted() == [-7, 1, 2, 3, 99])
    }
  }

  @Test(.feature(91)) func newDevice_beginsWithWhatTheServerSays() async throws {
    var scene = InboxScene(InboxPolicies.engage)
    let answer = scene.answer()
    scene.tell(.rich, "r1", .whole, of: answer) { $0.put(.isRead, true) }
    try await scene.expect { #expect($0.rich("r1")?.isRead == true && $0.operations.isEmpty) }
  }

  @Test(.feature(99)) func link_isLookedAtWithoutEffect() async throws {
    try await TestDesk.withInbox(.engage) { inbox, _ in
      var message = RichMessage(id: "r", account: inbox.account)
      (message.messageLink, message.url, message.deepLink) = ("m:1", "https://x.example", "app:1")
      let told = message
      try await inbox.apply(Delivery { $0.add(told) })
      let shown = try #require(try inbox.rich.contents().messages.first)
      #expect(shown.messageLink == "m:1" && shown.url == told.url && shown.deepLink == "app:1")
      #expect(try inbox.rich.contents(of: .unread).unreadCount == 1)
      let opened = try await inbox.rich.open("r", marksRead: true)
      #expect(opened.messageLink == "m:1" && opened.isRead)
    }
  }

  @Test(.feature(100)) func deletedThread_goes_andDraftsTextStays() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    scene.tell(.thread, "t1")
    scene.tell(.message, "m1") { $0.put(.thread, "t1") }
    scene.add(
      SaveDraft {
        $0.draft.put(.id, InboxNames.local("d1"))
        $0.draft.put(.thread, "t1")
        $0.draft.put(.subject, "Hello")
      })
    scene.tell(.message, "m1", .deleted)
    scene.tell(.thread, "t1", .deleted)
    try await scene.expect { picture in
      #expect(picture.threads.isEmpty && picture.messages.isEmpty)
      #expect(picture.draft(InboxNames.local("d1"))?.subject == "Hello")
    }
  }
}
