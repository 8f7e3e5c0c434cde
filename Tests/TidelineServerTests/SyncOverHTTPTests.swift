import EventStore
import Foundation
import TestSupport
import Testing
import Tideline
import TidelineHTTP
import TidelineServer
import TidelineSimulator
import TidelineSync

/// An inbox, its server and real HTTP between them; only the server's content is simulated.
///
/// Each test ends within a minute. It may take over a second: the first token is refused, and up to
/// a second passes before the next attempt.
@Suite(.timeLimit(.minutes(4))) struct SyncOverHTTPTests {
  private struct Key: TokenSource {
    func token(replacing refused: Token?) async throws -> Token? {
      Token(refused == nil ? "old" : "mail")
    }
  }

  /// Calls `body` with an inbox that syncs with a local server.
  private func with(
    _ policy: PolicySwitches = .inbox, _ make: (URL) -> any Server,
    _ body: (Inbox, Sync, EmbeddedServer) async throws -> Void
  ) async throws {
    let mail = MailServer(at: .present, seed: 1)
    let rich = RichServer(.engage, at: .present, seed: 1)
    rich.visitors = [Token("mail"): Visitor(device: "phone", login: 1)]
    var pace = ServerPace()
    (pace.look, pace.heartbeat) = (.milliseconds(5), .milliseconds(50))
    let served = try EmbeddedServer(Router(mail: mail, rich: rich), pace: pace) { .present }
    let folder = try TemporaryFolder()
    let store = try await InboxStore.open(at: folder.path)
    let inbox = try await store.logIn("alice@example.com", policy: policy)
    let server = make(try #require(URL(string: served.address)))
    let sync = Sync(inbox, with: server, tokens: Key())
    try await body(inbox, sync, served)
    sync.stop()
    await store.close()
    served.stop()
  }

  /// The server's objects.
  private func facts(_ question: Question, at served: EmbeddedServer) async throws -> [ObjectFields]
  {
    let server = InboxServer(try #require(URL(string: served.address)))
    return try await server.answer(question, token: Token("mail")).facts.map(\.fields)
  }

  private func receive(_ served: EmbeddedServer) -> String {
    served.withRouter { $0.receiveMail(at: $1) ?? "" }
  }

  /// Existing mail arrives once the token is accepted, and new mail follows by itself.
  @Test(.feature(28, 29, 77)) func mail_comes_andGoesOnComing() async throws {
    try await with(.inbox, { InboxServer($0, authorization: .bearer) }) { inbox, sync, served in
      let ids = (0..<5).map { _ in receive(served) }
      let notices = inbox.notices
      sync.start()
      try await sync.status { $0.isLive }
      let known = try ids.map { try inbox.object(Message.self, $0)?.isUnread }
      #expect(known == Array(repeating: true, count: 5))
      let late = receive(served)
      for await notice in notices where notice == .newMessages(ids: [late]) { break }
      let message = try inbox.object(Message.self, late)
      #expect(message?.isUnread == true)
    }
  }

  /// The faults in between.
  private static let faults: [WireFault] = [
    .cut, .page, .redirect(to: "/elsewhere"), .status(401), .status(500), .status(503),
    .throttle(seconds: 1), .delay(.milliseconds(50)),
  ]

  /// Waits for a status, and keeps reporting the foreground so as not to wait for the next retry.
  private func comeBack(_ sync: Sync, until isOver: (SyncStatus) -> Bool) async throws {
    try await sync.status { status in
      if status.isRefreshing || isOver(status) { return isOver(status) }
      sync.note(.foreground(true))
      return false
    }
  }

  /// Whatever the fault, everything on the server arrives, and every intent is carried out once.
  @Test(.feature(51, 53, 56), arguments: faults)
  func faults_loseNothing_andDoNothingTwice(fault: WireFault) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "a.txt")
    try Data("in it".utf8).write(to: URL(filePath: path))
    try await with(.inbox, { InboxServer($0) }) { inbox, sync, served in
      let ids = (0..<5).map { _ in receive(served) }
      served.withRouter { router, _ in
        for path in ["/delta", "/messages", "/delta/streaming"] {
          router.faults.add(fault, path: path)
        }
        for path in ["/drafts", "/files", "/tags"] {
          router.faults.add(fault, path: path, method: "POST")
        }
      }
      let draft = Draft(id: inbox.newID(), account: inbox.account)
      try await inbox.perform(.save(draft, body: "once"))
      var file = Tideline.Attachment(id: inbox.newID(), account: inbox.account)
      // A mark is one character with the quote before it.
      let name = "\u{301}a\"\u{301}.txt"
      (file.filename, file.localPath) = (name, path)
      try await inbox.perform(.add(file, to: draft))
      var tag = Tag(id: inbox.newID(), account: inbox.account)
      tag.providedName = "work"
      try await inbox.perform(.save(tag))
      sync.start()
      try await comeBack(sync) { $0.isLive && $0.pending == 0 && !$0.isRefreshing }
      let known = try ids.map { try inbox.object(Message.self, $0)?.id }
      #expect(known == ids)
      let drafts = try await facts(.page(.draft, offset: 0, limit: 9), at: served)
      #expect(drafts.map { $0.text(.body) } == ["once"])
      let files = try await facts(.page(.file, offset: 0, limit: 9), at: served)
      #expect(files.map { $0.text(.filename) } == [name])
      let kept = try inbox.object(Tag.self, tag.id)?.providedName
      #expect(kept == "work")
    }
  }

  /// The same holds for a rich inbox, which reports what was received and read.
  @Test(.feature(51), arguments: faults)
  func faults_loseNoOffer_andNothingOfWhatBecameOfIt(fault: WireFault) async throws {
    try await with(.engage, { RichInboxServer($0) }) { inbox, sync, served in
      let ids = (0..<3).map { _ in served.withRouter { $0.publish(at: $1) ?? "" } }
      served.withRouter { router, _ in
        router.faults.add(fault, path: "/inbox/messages")
        router.faults.add(fault, path: "/inbox/status")
      }
      sync.start()
      try await comeBack(sync) { $0.upToDateAt != nil && $0.pending == 0 && !$0.isRefreshing }
      served.withRouter { router, _ in router.faults.add(fault, path: "/inbox/status") }
      try await inbox.perform(.markRead(RichMessage.self, [ids[0]])).confirmed()
      let known = try ids.map { try inbox.object(RichMessage.self, $0)?.isRead }
      #expect(known == [true, false, false])
      let (done, left) = served.withRouter { router, _ in
        (router.deeds.map { "\($0.part.wanted) \($0.id)" }, router.faults.count)
      }
      #expect(Set(done) == Set(ids.map { "receipt \($0)" } + ["read(true) \(ids[0])"]))
      #expect(done.count == Set(done).count && left == 0)
    }
  }

  /// The server is asked whether the draft was sent, and the person needn't decide.
  @Test(.feature(56), .rule(19)) func sendingWhoseAnswerIsLost_isFoundOut() async throws {
    try await with(.inbox, { InboxServer($0) }) { inbox, sync, served in
      // Nothing else reveals the sending.
      served.withRouter { router, _ in
        router.faults.add(.status(400), path: "/delta", count: 1000)
        router.faults.add(.cut, path: "/send")
      }
      sync.start()
      var draft = Draft(id: inbox.newID(), account: inbox.account)
      draft.to = [Participant(email: "b@x.com")]
      try await inbox.perform(.save(draft, body: "once")).confirmed()
      try await inbox.perform(.send(draft)).confirmed()
      let sendings = served.withRouter { router, _ in
        router.deeds.filter { if case .sending = $0.part.wanted { true } else { false } }
      }
      #expect(sendings.count == 1)
      #expect(try inbox.object(Message.self, draft.id) != nil)
      #expect(try inbox.openOperations().isEmpty)
    }
  }

  /// After two failures the server is asked a third time, without anybody's request.
  @Test(.feature(50)) func wish_isTriedAgain_byItself() async throws {
    try await with(.inbox, { InboxServer($0) }) { inbox, sync, served in
      let id = receive(served)
      sync.start()
      try await sync.caughtUp(with: try inbox.store.read { $0.position })
      served.withRouter { router, _ in
        router.faults.add(.status(503), path: "/messages/\(id)", method: "PUT", count: 2)
      }
      try await inbox.perform(.markRead(Message.self, [id])).confirmed()
      let message = try await facts(.object(.message, id: id), at: served).first
      #expect(message?.boolean(.isUnread) == false)
    }
  }

  @Test(.feature(33, 35, 36, 38, 45)) func wishes_areDone() async throws {
    try await with(.inbox, { InboxServer($0) }) { inbox, sync, served in
      let id = receive(served)
      sync.start()
      try await sync.caughtUp(with: try inbox.store.read { $0.position })
      try await inbox.perform(.markRead(Message.self, [id])).confirmed()
      let thread = try #require(try inbox.object(Message.self, id)?.threadID)
      let present = try #require(try inbox.object(MailThread.self, thread))
      try await inbox.perform(.archive(present)).confirmed()
      try await inbox.perform(.markUnread(Message.self, [id])).confirmed()
      let tags = try await facts(.object(.thread, id: thread), at: served).first?.labels(.tags)
      #expect(tags?.map(\.id).contains("archive") == true)
      #expect(tags?.map(\.id).contains("inbox") == false)
      let message = try await facts(.object(.message, id: id), at: served).first
      #expect(message?.boolean(.isUnread) == true)
    }
  }

  /// During the first sync, a list is requested from the server by the server's own filters.
  @Test(.feature(10, 14)) func list_isAskedFor_untilTheMailboxIsThere() async throws {
    try await with(.inbox, { InboxServer($0) }) { inbox, sync, served in
      let read = receive(served)
      for _ in 0..<5 { _ = receive(served) }
      served.withRouter { router, _ in
        router.faults.add(.status(400), path: "/messages", method: "GET", count: 1000)
      }
      let server = InboxServer(try #require(URL(string: served.address)))
      _ = try await server.perform(
        ServerRequest([ServerRequest.Part(.message, read, .read(true), version: nil)]),
        token: Token("mail"))
      let unread = try await facts(
        .list(.thread, by: [.unread(true)], offset: 0, limit: 99), at: served)
      let list = try inbox.provider(MailThread.self, where: #Predicate { $0.isUnread })
      sync.start()
      let asked = ServerQuery(list.plan, by: [.unread])
      #expect(asked.filters == [.unread(true)] && asked.isExact)
      #expect(try sync.ask(for: list.plan) == .server(asked))
      for await change in list.changes where change.list.count == unread.count {
        #expect(Set(change.list.map(\.id)) == Set(unread.compactMap(\.id)))
        break
      }
      #expect(try inbox.provider(Message.self).start.list.isEmpty)
      served.withRouter { router, _ in router.faults.removeAll() }
      sync.note(.foreground(true))
      try await sync.status { $0.isLive }
      #expect(try sync.ask(for: list.plan) == .device)
    }
  }

  /// A draft gets a file and a text and is sent, and thereby becomes a message.
  @Test(.feature(48, 53, 56, 57, 60)) func draft_isSavedAndSent_withItsFile() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "a.txt")
    try Data("in it".utf8).write(to: URL(filePath: path))
    try await with(.inbox, { InboxServer($0, namespace: "n1") }) { inbox, sync, served in
      sync.start()
      var draft = Draft(id: inbox.newID(), account: inbox.account)
      draft.subject = "Ahoi"
      draft.to = [Participant(name: "Bö", email: "b@x.com")]
      try await inbox.perform(.save(draft, body: "<p>“Hi”</p>"))
      var file = Tideline.Attachment(id: inbox.newID(), account: inbox.account)
      (file.filename, file.localPath) = ("a.txt", path)
      try await inbox.perform(.add(file, to: draft)).confirmed()
      try await inbox.perform(.send(draft)).confirmed()
      let sent = try #require(
        try await facts(.page(.message, offset: 0, limit: 9), at: served).first)
      #expect(sent.text(.subject) == "Ahoi" && sent.text(.body) == "<p>“Hi”</p>")
      #expect(sent.people(.to) == [ObjectPerson(name: "Bö", email: "b@x.com")])
      let copy = folder.path(of: "b.txt")
      try await sync.download(file, to: copy)
      #expect(try String(contentsOfFile: copy, encoding: .utf8) == "in it")
      #expect(try inbox.object(Tideline.Attachment.self, file.id)?.localPath == copy)
      #expect(try inbox.object(Message.self, draft.id)?.subject == "Ahoi")
      #expect(try inbox.object(Draft.self, draft.id) == nil)
    }
  }

  /// A deleted tag is gone at the server, and from the threads that had it.
  @Test(.feature(62)) func tag_isMade_used_andDeleted() async throws {
    try await with(.inbox, { InboxServer($0) }) { inbox, sync, served in
      let ids = (0..<2).map { _ in receive(served) }
      sync.start()
      try await sync.caughtUp(with: try inbox.store.read { $0.position })
      var tag = Tideline.Tag(id: inbox.newID(), account: inbox.account)
      tag.providedName = "Travel"
      try await inbox.perform(.save(tag)).confirmed()
      let id = try #require(try inbox.object(Tideline.Tag.self, tag.id)?.serverID)
      let threads = try ids.compactMap { try inbox.object(Message.self, $0)?.threadID }
      func tagged() throws -> Int {
        let all = try threads.compactMap { try inbox.object(MailThread.self, $0)?.tagIDs }
        return all.count { !$0.isDisjoint(with: [id, tag.id]) }
      }
      try await inbox.perform(.changeTags(MailThread.self, threads, adding: [id])).confirmed()
      #expect(try tagged() == 2)
      try await inbox.perform(.delete(tag)).confirmed()
      try await sync.refreshed()
      #expect(try inbox.object(Tideline.Tag.self, tag.id) == nil && tagged() == 0)
      let known = try await facts(.page(.tag, offset: 0, limit: 99), at: served)
      #expect(!known.contains { $0.id == id })
    }
  }

  /// Whatever the fault, all of a file is there in the end, or what was there before.
  @Test(.feature(57), arguments: faults) func file_isDownloaded_wholeOrNot(fault: WireFault)
    async throws
  {
    let folder = try TemporaryFolder()
    let (path, content) = (folder.path(of: "a"), Data((0..<200_000).map { UInt8($0 & 0xFF) }))
    try content.write(to: URL(filePath: path))
    try await with(.inbox, { InboxServer($0) }) { inbox, sync, served in
      sync.start()
      var file = Tideline.Attachment(id: inbox.newID(), account: inbox.account)
      (file.filename, file.localPath) = ("a.pdf", path)
      await #expect(throws: IntentError.unknown(id: file.id)) {
        try await sync.download(file, to: path)
      }
      let receipt = try await inbox.perform(.add(file), heldFor: .seconds(3600))
      await #expect(throws: ServerFailure(.notFound)) { try await sync.download(file, to: path) }
      try await receipt.hold(for: .zero)
      try await receipt.confirmed()
      let known = try #require(try inbox.object(Tideline.Attachment.self, file.id))
      // As long as a name can be.
      let name = String(repeating: "b", count: 255)
      let copy = folder.path(of: name)
      try Data("old".utf8).write(to: URL(filePath: copy))
      served.withRouter { router, _ in router.faults.add(fault, path: "/files", method: "GET") }
      do {
        try await sync.download(known, to: copy, as: "b")
      } catch is ServerFailure {
        #expect(try String(contentsOfFile: copy, encoding: .utf8) == "old")
        #expect(try inbox.object(Tideline.Attachment.self, file.id)?.localPath == path)
        try await sync.download(known, to: copy, as: "b")
      }
      #expect(try Data(contentsOf: URL(filePath: copy)) == content)
      #expect(try inbox.object(Tideline.Attachment.self, file.id)?.localPath == "b")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names.sorted() == ["a", name])
    }
  }

  /// A rich server's messages are shown, and the server learns which were read.
  @Test(.feature(36, 45, 80)) func offers_come_andAreRead() async throws {
    try await with(.engage, { RichInboxServer($0) }) { inbox, sync, served in
      let id = served.withRouter { $0.publish(at: $1) ?? "" }
      sync.start()
      try await sync.caughtUp(with: try inbox.store.read { $0.position })
      try await inbox.perform(.markRead(RichMessage.self, [id])).confirmed()
      try await sync.caughtUp(with: try inbox.store.read { $0.position })
      let received = served.withRouter { router, _ in
        router.rich?.deeds.filter { $0.part.wanted == .receipt }.map(\.id)
      }
      #expect(received == [id])
      _ = await sync.refresh()
      try await sync.caughtUp(with: try inbox.store.read { $0.position })
      #expect(try inbox.object(RichMessage.self, id)?.isRead == true)
    }
  }
}

extension Timestamp {
  fileprivate static var present: Timestamp { Date().kept }
}
