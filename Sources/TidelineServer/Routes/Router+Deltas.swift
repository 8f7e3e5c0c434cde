package import EventStore
import Tideline
package import TidelineHTTP
import TidelineSimulator
import TidelineSync

/// Changes and cursors.
extension Router {
  /// The parameters of questions with a cursor.
  private static let parameters: Set = [
    "cursor", "limit", "timeout", "include_types", "exclude_types", "view", "exclude_folders",
    "exclude_account", "exclude_metadata",
  ]
  /// The classes that may be included or excluded.
  private static let words: Set = [
    "contact", "message", "event", "file", "thread", "calendar", "draft", "folder", "label", "tag",
  ]
  /// How long a poll waits, and a stream lasts, in seconds.
  private static let patience = ["longpoll": 120, "streaming": 1800]

  /// Returns the question that a request asks.
  func deltaQuestion(_ call: Call) throws(Refusal) -> DeltaQuestion {
    let target = call.target
    try target.expect(Self.parameters)
    try target.expectFlags(["exclude_folders", "exclude_account", "exclude_metadata"])
    let patience = Self.patience[target.parts.last ?? ""] ?? 0
    guard let text = target["cursor"] else { throw .invalid("Invalid cursor parameter") }
    guard text.utf8.allSatisfy(\.isLetterOrDigit), !text.isEmpty else {
      throw .invalid("Invalid id: \(text)")
    }
    guard let cursor = cursors.read(text) else { throw .invalid("Invalid cursor parameter") }
    let included = try types("include_types", target)
    let excluded = try types("exclude_types", target)
    guard included == nil || excluded == nil else {
      throw .invalid("Invalid request: use either include_types or exclude_types")
    }
    return DeltaQuestion(
      cursor: cursor,
      limit: try target.number("limit", in: 1...Self.listLimitMax, else: Self.listLimit),
      included: included, excluded: excluded ?? [],
      patience: .seconds(try target.number("timeout", in: 0...86_400, else: patience)))
  }

  private func types(
    _ name: String, _ target: RequestTarget
  ) throws(Refusal) -> Set<String>? {
    guard let text = target[name] else { return nil }
    let words = Set(text.split(separator: ",").map { $0.filter { $0 != " " } })
    guard words.isSubset(of: Self.words) else { throw .invalid("Invalid value for \(name)") }
    return words
  }

  /// Returns the current changes, possibly none; skips pages that have nothing to report.
  private func page(
    for question: DeltaQuestion
  ) throws(ServerFailure) -> DeltaBatch {
    var batch = DeltaBatch(start: question.cursor, end: question.cursor)
    guard let mail else { return batch }
    while true {
      let isWhole = batch.end == CursorBook.beginning
      let since = isWhole ? mail.cursor(before: Timestamp(rawValue: .min)) : batch.end
      let changes = try mail.changes(since: since, limit: question.limit)
      batch.end = changes.end
      for (fact, cursor) in zip(changes.facts, changes.cursors) where question.wants(fact) {
        batch.changes.append((cursor, fact))
      }
      if !batch.changes.isEmpty || changes.isLast { return batch }
    }
  }

  /// Returns the page that answers a question at once.
  func answer(to question: DeltaQuestion) -> HTTPAnswer {
    do throws(ServerFailure) {
      return try page(for: question).answer(written: cursors)
    } catch {
      return Refusal(error).answer
    }
  }

  func generateCursor(_ call: Call) throws(Refusal) -> HTTPAnswer {
    let (mail, body) = (try mailbox(call), try call.body())
    try body.expect(["start"])
    // Larger numbers are milliseconds.
    guard let start = try body.integer("start"), (0..<100_000_000_000) ~= start else {
      throw .invalid("start must be a time in seconds")
    }
    let cursor = mail.cursor(before: Timestamp(rawValue: start * 1000))
    return Self.answer(cursor: cursor == "c0" ? CursorBook.beginning : cursors.written(cursor))
  }

  func latestCursor(_ call: Call) throws(Refusal) -> HTTPAnswer {
    let mail = try mailbox(call)
    return Self.answer(cursor: cursors.written(mail.cursor(before: Timestamp(rawValue: .max))))
  }

  private static func answer(cursor: String) -> HTTPAnswer {
    HTTPAnswer { $0.object { $0.member("cursor", cursor) } }
  }
}

/// A batch of changes.
package struct DeltaBatch: Sendable {
  /// The cursor of the question.
  let start: String
  /// The cursor of the next question.
  var end: String
  /// The reported changes, each with the cursor after it.
  var changes: [(cursor: String, fact: ObjectFact)] = []

  init(start: String, end: String) { (self.start, self.end) = (start, end) }

  /// Whether the batch reports no changes.
  package var isEmpty: Bool { changes.isEmpty }

  /// Returns the page with the whole batch.
  func answer(written cursors: CursorBook) -> HTTPAnswer {
    HTTPAnswer { json in
      json.object { json in
        json.member("cursor_start", cursors.written(start))
        json.member("cursor_end", cursors.written(end))
        json.member("deltas", changes) { json, change in
          json.delta(change.fact, cursors.written(change.cursor))
        }
      }
    }
  }

  /// Returns one line per change.
  func lines(written cursors: CursorBook) -> [UInt8] {
    changes.flatMap { change in
      let line = JSONWriter.text { $0.delta(change.fact, cursors.written(change.cursor)) }
      return Array(line.utf8) + [UInt8(ascii: "\n")]
    }
  }
}

extension Router {
  /// Returns the page for a question if there are changes or the time is up (`isLast`); otherwise
  /// `nil`.
  package mutating func answer(
    to question: DeltaQuestion, at now: Timestamp, isLast: Bool
  ) -> HTTPAnswer? {
    advance(to: now)
    do throws(ServerFailure) {
      let batch = try page(for: question)
      return batch.isEmpty && !isLast ? nil : batch.answer(written: cursors)
    } catch {
      return Refusal(error).answer
    }
  }

  /// Returns the lines that a stream sends now; `nil` at its end.
  package mutating func lines(for question: inout DeltaQuestion, at now: Timestamp) -> [UInt8]? {
    advance(to: now)
    guard let batch = try? page(for: question) else { return nil }
    question.cursor = batch.end
    return batch.lines(written: cursors)
  }
}

extension DeltaQuestion {
  /// Whether a change is of a requested class.
  fileprivate func wants(_ fact: ObjectFact) -> Bool {
    let word = fact.objectClass.word ?? ""
    return included?.contains(word) ?? !excluded.contains(word)
  }
}

extension JSONWriter {
  /// Writes a change.
  fileprivate mutating func delta(_ fact: ObjectFact, _ cursor: String) {
    object { json in
      json.member("cursor", cursor)
      json.member("object", fact.objectClass.word ?? "")
      json.member("event", fact.fields.change.word)
      json.member("id", fact.fields.id ?? "")
      guard fact.fields.change.word != "delete" else { return }
      json.member("attributes") { $0.fact(fact) }
    }
  }
}

extension ObjectChange {
  /// The word for the change on the wire.
  fileprivate var word: String {
    switch self {
    case .created: "create"
    case .changed, .whole: "modify"
    case .deleted, .gone: "delete"
    }
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}
