import EventStore
import TestSupport
import Testing
import Tideline
import TidelineSync

/// Drafts, and files that are added to them: a file may be refused or removed meanwhile.
@Suite(.timeLimit(.minutes(5))) struct DraftFileTests {
  private typealias File = Tideline.Attachment

  /// Returns a draft that the server has.
  private func draft(_ bench: Bench) async throws -> Draft {
    try await bench.inbox.record(
      ObjectFact(.draft, ObjectFields { $0.put(.id, "d1") }), at: bench.desk.now)
    return try #require(try bench.inbox.object(Draft.self, "d1"))
  }

  private func file(_ bench: Bench) -> File {
    File(id: bench.inbox.newID(), account: bench.inbox.account)
  }

  /// Returns what is sent once the first of some requests has a result.
  private func next(
    _ bench: Bench, after sent: [(id: Int, request: ServerRequest)], _ result: SyncEvent.Performed?
  ) async throws -> [(id: Int, request: ServerRequest)] {
    let first = try #require(sent.first)
    return try await bench.sent(.performed(first.id, result ?? bench.done(first.request)))
  }

  /// The drafts in requests.
  private func drafts(_ sent: [(id: Int, request: ServerRequest)]) -> [Draft] {
    sent.flatMap(\.request.parts).compactMap { part in
      if case .draft(let draft, _) = part.wanted { draft } else { nil }
    }
  }

  private static let refused = SyncEvent.Performed.failure(ServerFailure(.refused, status: 415))

  /// Uploads take long, so some room is left for others.
  @Test(.feature(60, 49)) func uploads_leaveRoomForOthers() async throws {
    try await Bench.with { bench in
      for _ in 0..<6 { try await bench.inbox.perform(.add(file(bench))) }
      try await bench.inbox.perform(.markRead(MailThread.self, ["a"]))
      let sent = try await bench.sent()
      #expect(sent.flatMap(\.request.parts).map(\.objectClass) == [.file, .file, .thread])
      let done = SyncEvent.Performed.success(Settlement([.done(newID: "f1")], status: 200))
      let next = try await next(bench, after: sent, done)
      #expect(next.flatMap(\.request.parts).map(\.objectClass) == [.file])
    }
  }

  /// A draft is saved and sent without a file that the server refused, but not before the person
  /// knows.
  @Test(.feature(60, 48)) func refusedFile_leavesTheDraftThatWasSavedWithIt() async throws {
    try await Bench.with { bench in
      var draft = try await draft(bench)
      let file = file(bench)
      try await bench.inbox.perform(.add(file))
      (draft.subject, draft.fileIDs) = ("One", [file.id])
      try await bench.inbox.perform(.save(draft))
      try await bench.inbox.perform(.send(draft))
      let upload = try await bench.sent()
      #expect(upload.count == 1 && drafts(upload).isEmpty)
      let saving = try await next(bench, after: upload, Self.refused)
      #expect(drafts(saving).map(\.fileIDs) == [[]] && drafts(saving).map(\.subject) == ["One"])
      #expect(try bench.inbox.object(Draft.self, "d1")?.fileIDs == [])
      let after = try await next(bench, after: saving, nil)
      #expect(after.isEmpty)
      let open = try bench.inbox.openOperations()
      #expect(open.map(\.kind) == [.sendDraft] && open.map(\.state) == [.rejected])
      let shown = try #require(try bench.inbox.object(Draft.self, "d1"))
      try await bench.inbox.perform(.send(shown))
      let sending = try await bench.sent().flatMap(\.request.parts).map(\.wanted)
      #expect(sending == [.sending(messageID: nil)])
    }
  }

  /// A file that the server deleted does not keep its draft from being saved.
  @Test(.feature(60, 48)) func fileThatIsGone_doesNotHoldUpTheDraft() async throws {
    try await Bench.with { bench in
      let draft = try await draft(bench)
      let file = file(bench)
      try await bench.inbox.perform(.add(file, to: draft))
      let upload = try await bench.sent()
      let uploaded = SyncEvent.Performed.success(Settlement([.done(newID: "f1")], status: 200))
      let saving = try await next(bench, after: upload, uploaded)
      #expect(drafts(saving).map(\.fileIDs) == [["f1"]])
      _ = try await next(bench, after: saving, nil)
      let gone = ObjectFields {
        $0.put(.id, "f1")
        $0.put(.change, ObjectChange.deleted)
      }
      try await bench.inbox.record(ObjectFact(.file, gone), at: bench.desk.now)
      var changed = try #require(try bench.inbox.object(Draft.self, "d1"))
      changed.subject = "Two"
      try await bench.inbox.perform(.save(changed))
      let again = try await bench.sent()
      #expect(drafts(again).map(\.subject) == ["Two"] && drafts(again).map(\.fileIDs) == [[]])
    }
  }

  /// A draft waits for a file that is being uploaded, until the person removes the file.
  @Test(.feature(60, 48), arguments: [false, true])
  func fileThatWasRemoved_doesNotHoldUpTheDraft(isHeld: Bool) async throws {
    try await Bench.with { bench in
      var draft = try await draft(bench)
      let file = file(bench)
      try await bench.inbox.perform(.add(file, to: draft))
      let upload = try await bench.sent()
      #expect(drafts(upload).isEmpty)
      let failed = SyncEvent.Performed.failure(ServerFailure(.lostAnswer))
      #expect(try await next(bench, after: upload, failed).isEmpty)
      draft = try #require(try bench.inbox.object(Draft.self, "d1"))
      (draft.subject, draft.fileIDs) = ("Without", [])
      try await bench.inbox.perform(.save(draft), heldFor: isHeld ? .seconds(600) : nil)
      try await bench.take(.online(false))
      let sent = try await bench.sent(.online(true))
      #expect(drafts(sent).map(\.subject) == (isHeld ? [] : ["Without"]))
      #expect(drafts(sent).map(\.fileIDs) == (isHeld ? [] : [[]]))
      for (id, request) in sent where !drafts([(id, request)]).isEmpty {
        try await bench.take(.performed(id, bench.done(request)))
      }
      #expect(try bench.inbox.object(Draft.self, "d1")?.fileIDs == [])
    }
  }

  /// A conflict is about the draft: the file stays with it, and goes with what is saved next.
  @Test(.feature(60, 56)) func fileOfADraftInConflict_goesWithTheNextText() async throws {
    try await Bench.with { bench in
      var draft = try await draft(bench)
      let file = file(bench)
      try await bench.inbox.perform(.add(file, to: draft))
      let upload = try await bench.sent()
      let uploaded = SyncEvent.Performed.success(Settlement([.done(newID: "f1")], status: 200))
      let saving = try await next(bench, after: upload, uploaded)
      let conflict = SyncEvent.Performed.failure(ServerFailure(.conflict, status: 409))
      #expect(try await next(bench, after: saving, conflict).isEmpty)
      let shown = try #require(try bench.inbox.object(Draft.self, "d1"))
      #expect(shown.fileIDs == [file.id] && shown.state == .failed)
      draft = shown
      draft.subject = "Two"
      try await bench.inbox.perform(.save(draft))
      var (sent, told) = (try await bench.sent(), [Draft]())
      while let next = sent.first, told.count < 9 {
        told += drafts(sent)
        sent = try await bench.sent(.performed(next.id, bench.done(next.request)))
      }
      #expect(told.last?.subject == "Two" && told.allSatisfy { $0.fileIDs == ["f1"] })
      #expect(try bench.inbox.openOperations().isEmpty)
      let saved = try #require(try bench.inbox.object(Draft.self, "d1"))
      #expect(saved.fileIDs == [file.id] && saved.state != .failed)
    }
  }

  /// What the server never saw is not created there only to be deleted.
  @Test(.feature(58, 60)) func whatWasDeletedBeforeItWent_needsNoServer() async throws {
    try await Bench.with { bench in
      let file = file(bench)
      var tag = Tag(id: bench.inbox.newID(), account: bench.inbox.account)
      tag.providedName = "work"
      try await bench.inbox.perform(.add(file))
      try await bench.inbox.perform(.save(tag))
      try await bench.inbox.perform(.delete(File.self, [file.id]))
      try await bench.inbox.perform(.delete(InboxTag.self, [tag.id]))
      #expect(try await bench.sent().isEmpty)
      #expect(try bench.inbox.openOperations().isEmpty)
      #expect(try bench.inbox.object(InboxTag.self, tag.id) == nil)
    }
  }
}
