import EventStore
import Testing
import Tideline
import TidelineHTTP
import TidelineServer
import TidelineSimulator
import TidelineSync

/// Changes and their cursors.
@Suite struct DeltaRouteTests {
  private let counter = Counter()

  private func status(_ cursor: String) -> (Int, String?) {
    let answer = counter.get("/delta?cursor=\(cursor)")
    return (answer.status, answer.error)
  }

  @Test func pages_haveWhatChanged_inOrder() throws {
    let start = try counter.cursor()
    #expect(try counter.deltas(since: start).isLast)
    let (thread, messages) = counter.receive(3)
    _ = counter.ask(counter.api.mark(message: messages[0], isUnread: false))
    let whole = try counter.deltas(since: start)
    #expect(try whole.start == start && whole.end == counter.cursor())
    #expect(
      whole.items.facts.map(\.short) == [
        "created thread \(thread)", "created message \(messages[0])",
        "created message \(messages[1])", "created message \(messages[2])",
        "changed message \(messages[0])", "changed thread \(thread)",
      ])
    var (cursor, told): (String, [String]) = (start, [])
    while case let page = try counter.deltas(since: cursor, limit: 2), !page.isLast {
      #expect(page.items.count <= 2)
      told += page.items.facts.map(\.short)
      cursor = page.end
    }
    #expect(told == whole.items.facts.map(\.short))
  }

  @Test func classes_areLeftOut() throws {
    let start = try counter.cursor()
    _ = counter.receive(3)
    func classes(_ query: String) throws -> Set<ObjectClass> {
      let answer = counter.get("/delta?cursor=\(start)&limit=1&\(query)")
      return Set(try DeltaPage(answer.body.payloadBytes).items.facts.map(\.objectClass))
    }
    #expect(try classes("include_types=message,draft") == [.message])
    #expect(try classes("exclude_types=thread") == [.message])
    // Pages whose changes are all filtered out are skipped up to the end.
    let none = counter.get("/delta?cursor=\(start)&limit=1&include_types=contact")
    #expect(try DeltaPage(none.body.payloadBytes).isLast)
    #expect(try DeltaPage(none.body.payloadBytes).end == counter.cursor())
  }

  @Test(arguments: [
    ("c99999", "Invalid cursor parameter"), ("abc", "Invalid cursor parameter"),
    ("", "Invalid id: "), ("a%2Fb", "Invalid id: a/b"), ("c-1", "Invalid id: c-1"),
  ])
  func cursor_thatNobodyGave(cursor: String, message: String) {
    #expect(status(cursor) == (400, message))
    let failure = ServerFailure(
      counter.get("/delta?cursor=\(cursor)"), to: .changes, at: counter.now)
    #expect(failure?.reason == .cursorUnknown)
  }

  @Test func cursor_thatIsForgotten_isRefused_andZeroNever() throws {
    let old = try counter.cursor()
    _ = counter.receive(3)
    counter.mail.purge(keeping: 1)
    #expect(status(old) == (400, "Invalid cursor parameter"))
    #expect(try counter.deltas(since: "0").items.count == 1)
  }

  @Test func cursor_ofAMoment_isBeforeWhatHappensThen() throws {
    _ = counter.receive(1)
    let seconds = counter.now.rawValue / 1000
    let (_, messages) = counter.receive(1)
    let answer = counter.ask(counter.api.cursor(before: seconds + 1))
    let cursor = try CursorAnswer(answer.body.payloadBytes).cursor
    #expect(try counter.deltas(since: cursor).items.facts.contains { $0.fields.id == messages[0] })
    let created = try counter.deltas(since: cursor).items.facts.filter {
      $0.fields.change == .created
    }
    #expect(created.count == 2)
    let first = counter.ask(counter.api.cursor(before: 5))
    #expect(try CursorAnswer(first.body.payloadBytes).cursor == "0")
    for body in [
      #"{"start": 1700000000000}"#, #"{"start": "5"}"#, "{}", #"{"start": 5, "end": 6}"#,
    ] {
      #expect(counter.send("POST", "/delta/generate_cursor", body).status == 400, "\(body)")
    }
  }

  @Test func cursor_ofAnotherServer_isKnownAsFarAsBothBeganAlike() throws {
    let (first, second) = (Counter(incarnation: 1), Counter(incarnation: 2))
    let seeded = try first.cursor()
    #expect(try seeded == second.cursor())
    _ = (first.receive(), second.receive())
    let later = try first.cursor()
    #expect(second.get("/delta?cursor=\(seeded)").status == 200)
    #expect(first.get("/delta?cursor=\(later)").status == 200)
    #expect(second.get("/delta?cursor=\(later)").status == 400)
    #expect(first.receive().thread != second.receive().thread)
  }

  @Test func poll_waitsForAChange() throws {
    let cursor = try counter.cursor()
    let request = counter.api.longDeltas(since: cursor, seconds: 7)
    guard case .poll(let question) = counter.reply(to: request).content else {
      throw Unexpected()
    }
    #expect(question.patience == .seconds(7))
    func look(isLast: Bool) throws -> DeltaPage? {
      let answer = counter.router.answer(to: question, at: counter.now, isLast: isLast)
      return try answer.map { answer in try DeltaPage(answer.body.payloadBytes) }
    }
    #expect(try look(isLast: false) == nil)
    let empty = try #require(try look(isLast: true))
    #expect(empty.isLast && empty.end == cursor)
    _ = counter.receive()
    #expect(try look(isLast: false)?.items.count == 3)
  }

  @Test func stream_hasALineForEachChange() throws {
    let request = counter.api.stream(since: try counter.cursor())
    guard case .stream(var question) = counter.reply(to: request).content else {
      throw Unexpected()
    }
    #expect(question.patience == .seconds(1800))
    let nothing = counter.router.lines(for: &question, at: counter.now)
    #expect(nothing == [])
    _ = counter.receive()
    let told = counter.router.lines(for: &question, at: counter.now)
    let bytes = try #require(told)
    let lines = try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
      try DeltaLine(Array(line.utf8).payloadBytes)
    }
    #expect(lines.count == 3 && lines.allSatisfy { $0.items.count == 1 })
    #expect(try lines.last?.cursor == counter.cursor())
    // Each line's cursor comes after the line's own change.
    let first = try #require(lines.first?.cursor)
    #expect(try counter.deltas(since: first).items.count == 2)
    let end = counter.router.lines(for: &question, at: counter.now)
    #expect(end == [])
    _ = counter.receive()
    counter.mail.purge(keeping: 1)
    let broken = counter.router.lines(for: &question, at: counter.now)
    #expect(broken == nil)
  }
}

/// The answer is not of the expected kind.
struct Unexpected: Error {}
