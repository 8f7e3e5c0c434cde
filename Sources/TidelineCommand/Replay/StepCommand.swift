import EventStore
import TidelineReplay

/// `tideline step`: shows the effects of each record.
struct StepCommand: ReplayCommand {
  static let usage = Usage(
    name: "step", folders: ["FOLDER", "PLACE"], flags: ["--json", "--back", "--interactive"],
    numbers: ["--count": 1...UInt64.max])
  static let help = """
    Steps through the log in FOLDER from a PLACE, and shows for each record what it says and what it
    did: rows added (+), removed (-) and changed (~), and the changes that lists were told (≡), by
    index.

      --count N      the number of records (default 1)
      --back         step backwards
      --json         print a JSON object for each record
      --interactive  step in the terminal, which must support drawing: keys step forwards and
                     backwards, go to a place, and search for a text

    Examples:
      tideline step inbox 1200 --count 5
      tideline step inbox end --back
      tideline step inbox -1h --interactive
    """

  let folder: String
  private let place: String
  private let count: UInt64?
  private let isBack: Bool
  private let isJSON: Bool
  private let isInteractive: Bool

  init(_ arguments: Arguments) {
    (folder, place) = (arguments.folders[0], arguments.folders[1])
    count = arguments.number("--count")
    (isBack, isJSON) = (arguments.has("--back"), arguments.has("--json"))
    isInteractive = arguments.has("--interactive")
  }

  func check() throws(Mistake) {
    guard isInteractive else { return }
    if isJSON || isBack || count != nil {
      let other = isJSON ? "--json" : isBack ? "--back" : "--count"
      throw Mistake("tideline step: --interactive and \(other) can't be combined. Leave one out.")
    }
    guard Terminal.isThere else {
      throw Mistake("tideline step: --interactive needs a terminal. Leave it out in a pipe.")
    }
    if let undrawable = Terminal.undrawable {
      throw Mistake(
        "tideline step: --interactive draws on the terminal, but \(undrawable). Set TERM to a "
          + "terminal that supports drawing, or use --count.")
    }
  }

  /// Runs the command; a terminal handles interruptions itself, because its state must be restored.
  func run() async throws -> ExitStatus {
    if isInteractive { return try await lookBack() }
    return try await Interruption.ending { try await lookBack() }
  }

  func run(in past: Past) async throws -> ExitStatus {
    let stepper = ReplayStepper(try past.inboxes(at: place).replay)
    return isInteractive ? try await interact(stepper) : try show(stepper, past)
  }

  private func interact(_ stepper: ReplayStepper) async throws -> ExitStatus {
    try await Terminal.run { terminal in
      var session = try StepSession(stepper, now: .now)
      while true {
        let size = terminal.size
        try terminal.draw(session.screen.lines(size.columns, size.lines))
        if session.isSearching, !terminal.hasKeys {
          try session.searchOn()
          continue
        }
        guard let keys = try await terminal.keys() else { return .done }
        for key in keys { guard try session.press(key) else { return .done } }
      }
    }
  }

  private func show(_ stepper: ReplayStepper, _ past: Past) throws -> ExitStatus {
    var output = Output(isJSON: isJSON)
    for _ in 0..<(count ?? 1) {
      try Task.checkCancellation()
      let next = try past.asking { try isBack ? stepper.back() : stepper.forward() }
      guard let step = next else { break }
      try output.show(step.lines(of: past.log), json: step.json(of: past.log))
    }
    try output.flush()
    return .done
  }
}

extension Step {
  /// Returns the step in lines for people.
  func lines(of log: Log) -> [String] {
    let refused = refusal.map { ["  refused: \($0)"] } ?? []
    return Testimony(record, of: log).description.split(separator: "\n").map { String($0) }
      + refused + rows.flatMap { $0.lines(of: log) } + lists.map(\.line)
  }

  /// Returns the step as a JSON object on a line.
  func json(of log: Log) -> String {
    JSONWriter.object { json in
      json.member("record") { $0.testimony(Testimony(record, of: log)) }
      json.member("refused", refusal)
      json.member("rows", rows) { $0.step($1) }
      json.member("lists", lists) { $0.step($1) }
    }
  }
}
