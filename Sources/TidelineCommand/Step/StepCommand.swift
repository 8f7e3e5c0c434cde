import EventStore
import LMDB
import Tideline

/// `tideline step`: shows what each event of an inbox did.
struct StepCommand: Subcommand {
  static let usage = Usage(
    name: "step", folders: ["FOLDER"], flags: ["--interactive", "--back", "--json"],
    numbers: ["--count": 1...UInt64.max], texts: ["--at": "PLACE"])
  static let help = """
    Shows what each event of the log in FOLDER, or of that of the store there, did to rows and to
    lists. The log is only read; what is shown is made anew from it.

      --at PLACE     begins behind a record or a time: 1200, -5, 2026-11-20T09:30:00Z, -1h, start
      --count N      so many events (10)
      --back         goes back from there
      --interactive  steps in the terminal: keys go on and back, to a place, to what holds a text
      --json         each event as a JSON object on a line

    Examples:
      tideline step inbox --at 1200 --count 3
      tideline step inbox --at end --back
      tideline step inbox --at -1h --interactive
    """

  private let folder: String
  private let place: String?
  private let count: Int
  private let isInteractive: Bool
  private let goesBack: Bool
  private let isJSON: Bool
  private static let countUsual: UInt64 = 10

  init(_ arguments: Arguments) {
    folder = arguments.folders[0]
    place = arguments.text("--at")
    count = Int(clamping: arguments.number("--count") ?? Self.countUsual)
    (isInteractive, isJSON) = (arguments.has("--interactive"), arguments.has("--json"))
    goesBack = arguments.has("--back")
  }

  func run() async throws -> ExitStatus {
    let word = place ?? (goesBack ? "end" : "start")
    guard let place = LogPlace(word, moment: { Timestamp(text: $0) }) else {
      throw Mistake(
        "tideline step: no place '\(word)'. Name a record or a time, as 1200, -5, -1h, start, end.")
    }
    guard !isInteractive || Terminal.isThere else {
      throw Mistake("tideline step: --interactive wants a terminal. Leave it out in a pipe.")
    }
    return try await Log.withLog(at: LogFolder.path(in: folder), readOnly: true) { log in
      let found = try log.find(place, now: .now)
      if let remark = found.remark { Output.complain("tideline: \(remark)") }
      let replay = try Replay(log, reducer: InboxReducer(), at: found.number)
      let stepper = Stepper(replay)
      return isInteractive ? try await interact(stepper) : try show(stepper)
    }
  }

  private func interact(_ stepper: Stepper) async throws -> ExitStatus {
    try await Terminal.run { terminal in
      var session = try StepSession(stepper, now: .now)
      while true {
        let size = terminal.size
        try terminal.draw(session.screen.lines(size.columns, size.lines))
        let keys = try await terminal.keys()
        guard !keys.isEmpty else { return .done }
        for key in keys { guard try session.press(key) else { return .done } }
      }
    }
  }

  private func show(_ stepper: Stepper) throws -> ExitStatus {
    var output = Output()
    for _ in 0..<count {
      guard let step = try goesBack ? stepper.back() : stepper.forward() else { break }
      for line in isJSON ? [step.json] : step.page { try output.line(line) }
    }
    try output.flush()
    return .done
  }
}

extension Step {
  /// The step for people.
  var page: [String] {
    let name = EventCatalog.name(of: record.header.kind) ?? "kind \(record.header.kind.rawValue)"
    var lines = [
      "#\(number)  \(record.header.recordedAt)  \(name)  \(EventCatalog.line(of: record))"
    ]
    if let refusal { lines.append("  refused: \(refusal)") }
    for row in rows {
      let what = row.old == nil ? "new" : row.new == nil ? "gone" : "changed"
      lines.append("  \(row.collection.name) \(row.id)  \(what)")
      for (field, old, new) in row.texts {
        lines.append("    \(field): \(old ?? "–") → \(new ?? "–")".printable(columns: 200))
      }
    }
    return lines + lists.map { "  \(StepScreen.line(of: $0))" }
  }

  /// The step as a JSON object.
  var json: String {
    JSONWriter.text { json in
      json.object { json in
        json.name("record")
        json.value(verbatim: record.json().utf8)
        json.name("refusal")
        if let refusal { json.string(refusal) } else { json.null() }
        json.name("rows")
        json.array { json in for row in rows { json.object { $0.members(of: row) } } }
        json.name("lists")
        json.array { json in for list in lists { json.object { $0.members(of: list) } } }
      }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func members(of row: RowStep) {
    member("collection", row.collection.name)
    member("id", row.id)
    name("fields")
    object { json in
      for (field, old, new) in row.texts {
        json.name(field)
        json.array { json in
          for value in [old, new] { if let value { json.string(value) } else { json.null() } }
        }
      }
    }
  }

  fileprivate mutating func members(of step: ListStep) {
    member("list", "\(step.list)")
    member("from", step.change.oldCount)
    member("to", step.change.newCount)
    member("insertions", step.change.edits.insertions.count)
    member("removals", step.change.edits.removals.count)
    member("moves", step.change.edits.moves.count)
    member("updates", step.change.edits.updates.count)
  }
}
