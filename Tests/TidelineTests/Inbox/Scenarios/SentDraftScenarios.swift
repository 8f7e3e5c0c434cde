import EventStore
import InboxHistories
import TestSupport
import Testing
import Tideline

/// Where a draft appears after it was sent.
@Suite struct SentDraftScenarios {
  private static let own = InboxNames.local("d1")

  /// The first list was requested before the draft was sent.
  @Test func listFromBeforeItWasSent_goesWithTheNext() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    scene.tell(.thread, "t1")
    let saving = scene.add(
      SaveDraft {
        $0.draft.put(.id, Self.own)
        $0.draft.put(.subject, "Hello")
        $0.draft.put(.thread, "t1")
      })
    scene.acknowledge(saving)
    scene.add(IDReplaced { ($0.old, $0.new) = (Self.own, "d1") })
    scene.acknowledge(scene.add(SendDraft { $0.id = Self.own }))
    scene.tell(.thread, "t1") {
      $0.put(.messageIDs, ["m1"])
      $0.put(.draftIDs, ["d1"])
    }
    scene.tell(.message, "d1") { $0.put(.thread, "t1") }
    scene.tell(.thread, "t1") {
      $0.put(.messageIDs, ["d1", "m1"])
      $0.put(.draftIDs, [String]())
    }
    try await scene.expect { picture in
      #expect(picture.thread("t1")?.messageIDs == [Self.own, "m1"])
      #expect(picture.thread("t1")?.draftIDs == [])
    }
  }

  /// The person gave up the draft's text, which would return once the message is deleted.
  @Test func draftThatWasSentElsewhere_staysAway_whereItWasToBeDeleted() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    scene.tell(.draft, "d1") { $0.put(.subject, "Hello") }
    scene.add(
      SaveDraft {
        $0.draft.put(.id, "d1")
        $0.draft.put(.subject, "More")
      })
    let deletion = scene.add(DeleteDraft { $0.id = "d1" })
    scene.tell(.message, "d1")
    scene.add(OperationAcknowledged { ($0.intent, $0.isGone) = (deletion, true) })
    try await scene.expect { picture in
      #expect(picture.message("d1")?.subject == "Hello" && picture.operations.isEmpty)
    }
    scene.tell(.message, "d1", .deleted)
    try await scene.expect { picture in
      #expect(picture.drafts.isEmpty && picture.messages.isEmpty)
    }
  }

  /// What was not sent is another draft from then on, and the message has the id of the one sent.
  @Test func draftThatWasSentElsewhere_isAMessage_besideTheTextSavedAnew() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    let first = scene.save(Self.own, "Hello")
    scene.add(IDReplaced { ($0.old, $0.new) = (Self.own, "d1") })
    scene.acknowledge(first)
    scene.tell(.draft, "d1") { $0.put(.subject, "Hello") }
    let second = scene.save(Self.own, "More")
    scene.tell(.draft, "d1", .deleted)
    scene.tell(.draft, "d2") { $0.put(.subject, "More") }
    scene.add(IDReplaced { ($0.old, $0.new) = (Self.own, "d2") })
    scene.acknowledge(second)
    scene.tell(.message, "d1") { $0.put(.subject, "Hello") }
    try await scene.expect { picture in
      #expect(picture.message("d1")?.subject == "Hello")
      #expect(picture.draft(Self.own)?.subject == "More" && picture.drafts.count == 1)
    }
  }
}

extension InboxScene {
  /// Saves a draft.
  fileprivate mutating func save(_ id: String, _ subject: String) -> RecordNumber {
    add(
      SaveDraft {
        $0.draft.put(.id, id)
        $0.draft.put(.subject, subject)
      })
  }
}
