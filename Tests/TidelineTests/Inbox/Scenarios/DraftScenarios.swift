import EventStore
import InboxHistories
import TestSupport
import Testing
import Tideline

/// Drafts are never lost, are sent once, and stay in place under any id.
@Suite struct DraftScenarios {
  private static let own = InboxNames.local("d1")

  private func save(_ subject: String) -> SaveDraft {
    SaveDraft {
      $0.draft.put(.id, Self.own)
      $0.draft.put(.subject, subject)
      $0.draft.put(.thread, "t1")
    }
  }

  private func scene() -> InboxScene {
    var scene = InboxScene(InboxPolicies.mail)
    scene.tell(.thread, "t1")
    return scene
  }

  @Test(.feature(57), .rule(12), .defect(.inboxKit, 10)) func sentDraft_becomesAMessageInPlace()
    async throws
  {
    var scene = scene()
    let saving = scene.add(save("Hello"))
    scene.acknowledge(saving)
    scene.add(IDReplaced { ($0.old, $0.new) = (Self.own, "d1") })
    let sending = scene.add(SendDraft { $0.id = Self.own })
    try await scene.expect { picture in
      #expect(picture.draft(Self.own)?.state == .sending)
      #expect(picture.thread("t1")?.draftIDs == [Self.own])
    }
    scene.acknowledge(sending)
    try await scene.expect { picture in
      #expect(picture.drafts.isEmpty && picture.messages.isEmpty)
      #expect(picture.thread("t1")?.draftIDs == [])
    }
    scene.tell(.message, "d1") { $0.put(.thread, "t1") }
    try await scene.expect { picture in
      #expect(picture.drafts.isEmpty && picture.message(Self.own)?.subject == "Hello")
      #expect(picture.thread("t1")?.messageIDs == [Self.own])
    }
  }

  /// A draft that was deleted before its creation was confirmed stays deleted, whoever deleted it.
  @Test(.rule(18), arguments: [true, false])
  func draftThatWasDeleted_staysSo_whenItsAnswerIsLate(isByServer: Bool) async throws {
    var scene = scene()
    let saving = scene.add(save("Hello"))
    scene.add(OperationStarted { $0.intent = saving })
    scene.tell(.draft, "d1") { $0.put(.subject, "Hello") }
    if isByServer {
      scene.tell(.draft, "d1", .deleted)
    } else {
      scene.acknowledge(scene.add(DeleteDraft { $0.id = "d1" }))
    }
    scene.add(IDReplaced { ($0.old, $0.new) = (Self.own, "d1") })
    scene.acknowledge(saving, version: 0)
    try await scene.expect { picture in
      #expect(picture.drafts.isEmpty && picture.operations.isEmpty)
    }
  }

  /// Text written after the deletion is not lost.
  @Test(.rule(18)) func draftThatWasDeleted_isKept_whereMoreWasWritten() async throws {
    var scene = scene()
    let saving = scene.add(save("Hello"))
    scene.tell(.draft, "d1", .deleted)
    scene.add(save("More"))
    scene.add(IDReplaced { ($0.old, $0.new) = (Self.own, "d1") })
    scene.acknowledge(saving)
    try await scene.expect { picture in
      #expect(picture.draft(Self.own)?.subject == "More" && picture.states == ["waiting"])
    }
  }

  @Test func messageBeforeTheAcknowledgement_stays() async throws {
    var scene = scene()
    scene.tell(.draft, "d1") { $0.put(.subject, "Hello") }
    let sending = scene.add(SendDraft { $0.id = "d1" })
    scene.tell(.message, "d1") { $0.put(.thread, "t1") }
    scene.acknowledge(sending)
    try await scene.expect { picture in
      #expect(picture.message("d1")?.subject == "Hello" && picture.operations.isEmpty)
    }
  }

  @Test(.feature(54), .rule(18))
  func idReplaced_isOneUpdateInPlace_andOperationsGoOn() async throws {
    var scene = scene()
    let first = scene.add(save("One"))
    scene.add(save("Two"))
    scene.acknowledge(first)
    scene.add(IDReplaced { ($0.old, $0.new) = (Self.own, "d1") })
    scene.tell(.draft, "d1") { $0.put(.version, 1) }
    try await scene.expect { picture in
      #expect(picture.drafts.keys.sorted() == ["1/\(Self.own)"])
      #expect(picture.draft(Self.own)?.subject == "Two" && picture.states == ["waiting"])
    }
  }

  /// A message that was deleted, and then proves to be the device's own draft, takes the draft
  /// along.
  @Test(.rule(18)) func idReplaced_ofWhatWasDeletedAsAMessage_isGone() async throws {
    var scene = scene()
    scene.tell(.message, "d1")
    scene.add(save("Hello"))
    let deletion = scene.add(
      DeleteObjects { ($0.objectClass, $0.ids) = (.message, ["d1"]) })
    scene.add(IDReplaced { ($0.old, $0.new) = (Self.own, "d1") })
    scene.add(OperationAcknowledged { ($0.intent, $0.isGone) = (deletion, true) })
    try await scene.expect { picture in
      #expect(picture.drafts.isEmpty && picture.messages.isEmpty && picture.operations.isEmpty)
    }
  }

  /// A message with the new id that is in no thread takes the draft out of the draft's thread.
  @Test(.rule(18)) func idReplaced_renamesInTheThreadThatTheDraftLeaves() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    scene.tell(.thread, "t1") { $0.put(.messageIDs, ["d1", "m1"]) }
    scene.tell(.message, "d1") { $0.put(.subject, "Sent") }
    scene.acknowledge(scene.add(save("Hello")))
    scene.add(IDReplaced { ($0.old, $0.new) = (Self.own, "d1") })
    try await scene.expect { picture in
      #expect(picture.thread("t1")?.messageIDs == [Self.own, "m1"])
      #expect(picture.thread("t1")?.draftIDs == [] && picture.message(Self.own)?.subject == "Sent")
    }
  }

  /// The thread lists the draft once, whichever of the two ids it listed.
  @Test(.rule(18)) func idReplaced_keepsTheDraftListed_thatTheThreadListsByTheNewID()
    async throws
  {
    var scene = InboxScene(InboxPolicies.mail)
    scene.add(save("Hello"))
    scene.tell(.thread, "t1")
    scene.tell(.draft, "d1") { $0.put(.thread, "t1") }
    scene.add(IDReplaced { ($0.old, $0.new) = (Self.own, "d1") })
    try await scene.expect { #expect($0.thread("t1")?.draftIDs == [Self.own]) }
    scene.add(DeleteDraft { $0.id = "d1" })
    try await scene.expect { #expect($0.thread("t1")?.draftIDs == []) }
  }

  /// When a tag to remove and a tag to add prove to be the same tag, the tag is added.
  @Test(.rule(18)) func tagsThatCameToBeOne_areAdded() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    let own = InboxNames.local("e1")
    scene.add(
      SaveTag {
        $0.tag.put(.id, own)
        $0.tag.put(.name, "Play")
      })
    scene.tell(.thread, "t1") { $0.put(.tags, [ObjectLabel("g1")]) }
    let change = scene.tag("t1", adding: ["work"], removing: [own, "g1"])
    scene.add(IDReplaced { ($0.objectClass, $0.old, $0.new) = (.tag, own, "work") })
    scene.tell(.thread, "t1") { $0.put(.tags, [ObjectLabel("work")]) }
    scene.acknowledge(change)
    try await scene.expect { picture in
      #expect(picture.operations.allSatisfy { $0.intent != change })
    }
  }

  /// When two items become one, an outcome applies only to the item that it names.
  @Test func outcome_isAboutTheItemAsItWasCalled() async throws {
    var scene = InboxScene(InboxPolicies.mail)
    let own = InboxNames.local("e1")
    scene.add(
      SaveTag {
        $0.tag.put(.id, own)
        $0.tag.put(.name, "Play")
      })
    scene.tell(.tag, "g1")
    let deletion = scene.add(DeleteObjects { ($0.objectClass, $0.ids) = (.tag, [own, "g1"]) })
    scene.add(IDReplaced { ($0.objectClass, $0.old, $0.new) = (.tag, own, "g1") })
    scene.add(OperationStarted { ($0.intent, $0.item) = (deletion, own) })
    try await scene.expect { #expect($0.states == ["started", "waiting", "waiting"]) }
  }

  /// A sent draft that the server then deletes is shown again while it is still being saved.
  @Test(.feature(53)) func sentDraftThatIsBeingSaved_isShown_whenTheServerDeletesIt() async throws {
    var scene = scene()
    scene.add(save("Hello"))
    scene.acknowledge(scene.add(SendDraft { $0.id = Self.own }))
    try await scene.expect { #expect($0.drafts.isEmpty) }
    scene.tell(.draft, Self.own, .deleted)
    try await scene.expect { picture in
      #expect(picture.draft(Self.own)?.subject == "Hello")
      #expect(picture.thread("t1")?.draftIDs == [Self.own])
    }
  }

  /// An answer requested before the draft existed can't know the draft; a later one can.
  @Test(.rule(14)) func savedDraft_isNotGone_byAnAnswerThatWasAskedForBefore() async throws {
    var scene = scene()
    let saving = scene.add(save("Hello"))
    let early = scene.last
    scene.acknowledge(saving, version: 8)
    let saved = scene.last
    scene.tell(.draft, Self.own, .gone, of: scene.answer(sentAfter: early))
    try await scene.expect { #expect($0.draft(Self.own)?.subject == "Hello") }
    scene.add(IDReplaced { ($0.old, $0.new) = (Self.own, "d1") })
    scene.tell(.draft, "d1", .gone, of: scene.answer(sentAfter: saved))
    try await scene.expect { #expect($0.draft(Self.own)?.subject == "Hello") }
    scene.tell(.draft, "d1", .gone, of: scene.answer())
    try await scene.expect { #expect($0.drafts.isEmpty && $0.thread("t1")?.draftIDs == []) }
  }

  @Test(.feature(53)) func text_isKept_whenTheServerRejectsOrDeletes() async throws {
    var scene = scene()
    let saving = scene.add(save("Hello"))
    scene.add(OperationStarted { $0.intent = saving })
    scene.reject(saving)
    try await scene.expect { picture in
      #expect(picture.draft(Self.own)?.subject == "Hello" && picture.states == ["rejected"])
      #expect(picture.draft(Self.own)?.state == .failed)
    }
    scene.add(Retry { $0.intent = saving })
    scene.add(IDReplaced { ($0.old, $0.new) = (Self.own, "d1") })
    scene.tell(.draft, "d1", .deleted)
    try await scene.expect { picture in
      #expect(picture.draft(Self.own)?.subject == "Hello")
      #expect(picture.draft(Self.own)?.state == .unsent)
    }
  }

  /// A file being uploaded belongs to the draft, and stays there once the server lists the file.
  @Test(.feature(60)) func file_isAmongTheDrafts_untilItIsRejected() async throws {
    let file = InboxNames.local("f1")
    var scene = scene()
    scene.acknowledge(scene.add(save("Hello")))
    let adding = scene.add(
      AddFile { add in
        add.file.put(.id, file)
        add.draft = Self.own
      })
    try await scene.expect { picture in
      #expect(picture.draft(Self.own)?.fileIDs == [file] && picture.states.count == 2)
    }
    var rejected = scene
    rejected.add(OperationRejected { ($0.intent, $0.item) = (adding, file) })
    try await rejected.expect { picture in
      #expect(picture.draft(Self.own)?.fileIDs == [] && picture.operations.isEmpty)
      #expect(picture.files.isEmpty)
    }
    scene.add(OperationAcknowledged { ($0.intent, $0.item) = (adding, file) })
    scene.add(IDReplaced { ($0.objectClass, $0.old, $0.new) = (.file, file, "f1") })
    scene.tell(.draft, Self.own) { $0.put(.fileIDs, ["f2"]) }
    try await scene.expect { picture in
      #expect(picture.draft(Self.own)?.fileIDs == [file, "f2"] && picture.states == ["waiting"])
    }
    scene.acknowledge(adding)
    scene.tell(.draft, Self.own) { $0.put(.fileIDs, ["f1"]) }
    try await scene.expect { picture in
      #expect(picture.draft(Self.own)?.fileIDs == [file] && picture.operations.isEmpty)
    }
  }

  /// The content's location stays known, whichever of the two ids the device stored it under.
  @Test(.feature(60)) func fileWithTwoIDs_isWhereEitherWas() async throws {
    let file = InboxNames.local("f1")
    var scene = scene()
    for id in [file, "f1"] {
      scene.acknowledge(
        scene.add(
          AddFile { add in
            add.file.put(.id, id)
            add.content = "content of \(id)"
          }))
    }
    var other = scene
    let replaced = IDReplaced { ($0.objectClass, $0.old, $0.new) = (.file, file, "f1") }
    scene.add(replaced)
    try await scene.expect { #expect($0.files["1/\(file)"]?.localPath == "content of \(file)") }
    other.add(ContentStored { $0.id = file })
    other.add(replaced)
    try await other.expect { #expect($0.files["1/\(file)"]?.localPath == "content of f1") }
  }

  /// Labels that a save copied from a deleted draft leave the star of the returned draft alone.
  @Test func draftThatReturnsWithAStar_isUnderThatTag() async throws {
    var scene = scene()
    scene.tell(.draft, "d1") { $0.put(.labels, [ObjectLabel("work")]) }
    scene.add(
      SaveDraft {
        $0.draft.put(.id, "d1")
        $0.draft.put(.subject, "Hello")
      })
    scene.tell(.draft, "d1", .deleted)
    scene.tell(.draft, "d1") { $0.put(.isStarred, true) }
    try await scene.expect { #expect($0.draft("d1")?.tagIDs == ["work", "starred"]) }
  }

  /// The text that was refused reached the server with a later save.
  @Test(.feature(53)) func savingThatWasRefused_isOverWithALaterOne() async throws {
    var scene = scene()
    scene.acknowledge(scene.add(save("One")))
    let refused = scene.add(save("Two"))
    let last = scene.add(save("Three"))
    scene.reject(refused)
    try await scene.expect { #expect($0.draft(Self.own)?.state == .failed) }
    scene.acknowledge(last)
    try await scene.expect { picture in
      #expect(picture.draft(Self.own)?.subject == "Three" && picture.operations.isEmpty)
      #expect(picture.draft(Self.own)?.state == .unsent)
    }
  }

  @Test(.feature(56), .rule(19)) func uncertainSending_staysUntilItIsDecided() async throws {
    var scene = scene()
    scene.add(save("Hello"))
    let sending = scene.add(SendDraft { $0.id = Self.own })
    scene.add(OperationStarted { $0.intent = sending })
    scene.add(OperationUncertain { $0.intent = sending })
    scene.add(BackoffReset { _ in })
    scene.add(Withdraw { $0.intents = [sending] })
    try await scene.expect { picture in
      #expect(picture.states == ["uncertain", "waiting"])
      #expect(picture.draft(Self.own)?.state == .sending)
    }
  }

  @Test(.feature(24)) func localDraft_isSpared_byAThreadsList() async throws {
    var scene = scene()
    scene.add(save("Hello"))
    scene.tell(.thread, "t1") { $0.put(.draftIDs, ["d2"]) }
    try await scene.expect { #expect($0.thread("t1")?.draftIDs == [Self.own, "d2"]) }
  }

  @Test(.feature(27), .rule(13), .defect(.ckSyncEngine, 6)) func resync_keepsWhatIsOpen()
    async throws
  {
    var scene = scene()
    scene.add(save("Hello"))
    scene.tell(.message, "m1") { $0.put(.subject, "Hello") }
    let archive = scene.tag("t1", adding: ["archive"])
    let before = scene.last
    scene.acknowledge(
      scene.add(DeleteObjects { ($0.objectClass, $0.ids) = (.message, ["m1"]) }))
    scene.add(CursorReset { $0.stream = "deltas" })
    let answer = scene.answer(sentAfter: before)
    scene.tell(.thread, "t1", .whole, of: answer)
    scene.tell(.message, "m1", .whole, of: answer)
    try await scene.expect { picture in
      #expect(picture.thread("t1")?.tagIDs == ["archive"] && picture.draft(Self.own) != nil)
      #expect(picture.message("m1") == nil)
      #expect(picture.operations.contains { $0.intent == archive })
    }
  }
}
