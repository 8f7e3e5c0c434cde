import EventStore
import TidelineReplay

/// `tideline step`: shows what each record did.
struct StepCommand: ReplayCommand {
  static let usage = Usage(
    name: "step", folders: ["FOLDER", "PLACE"], flags: ["--json", "--back"],
    numbers: ["--count": 1...UInt64.max])
  static let help = """
    Goes through the log in FOLDER from a PLACE on, and shows of each record what it says and what
    it did: rows that came (+), went (-) and changed (~), and what lists were told (≡), by index.

      --count N  how many records, usually 1
      --back     goes back instead
      --json     an object for each record

    Examples:
      tideline step inbox 1200 --count 5
      tideline step inbox end --back
    """

  let folder: String
  private let place: String
  private let count: UInt64
  private let isBack: Bool
  private let isJSON: Bool

  init(_ arguments: Arguments) {
    (folder, place) = (arguments.folders[0], arguments.folders.last ?? "end")
    count = arguments.number("--count") ?? 1
    (isBack, isJSON) = (arguments.has("--back"), arguments.has("--json"))
  }

  func run(in past: Past) throws -> ExitStatus {
    let stepper = Stepper(try past.inboxes(at: place).replay)
    var output = Output()
    for _ in 0..<count {
      try Task.checkCancellation()
      guard let step = try isBack ? stepper.back() : stepper.forward() else { break }
      if isJSON {
        try output.line(step.json(of: past.log))
      } else {
        for line in step.lines(of: past.log) { try output.line(line) }
      }
    }
    try output.flush()
    return .done
  }
}

extension Step {
  /// The step in lines for people.
  func lines(of log: Log) -> [String] {
    let refused = refusal.map { ["  refused: \($0)"] } ?? []
    return Testimony(record, of: log).description.split(separator: "\n").map { String($0) }
      + refused + rows.flatMap(\.lines) + lists.map(\.line)
  }

  /// The step as a JSON object on a line.
  func json(of log: Log) -> String {
    JSONWriter.text { json in
      json.object { json in
        json.name("record")
        json.testimony(Testimony(record, of: log))
        json.member("refused", refusal)
        json.member("rows", rows) { $0.step($1) }
        json.member("lists", lists) { $0.step($1) }
      }
    }
  }
}
