import EventStore
import LMDB
import TidelineReplay

/// `tideline bisect`: finds the record with which a condition began to hold.
struct BisectCommand: ReplayCommand {
  static let usage = Usage(
    name: "bisect", folders: ["FOLDER"], flags: ["--json"],
    texts: [
      "--when": "QUESTION", "--run": "COMMAND", "--from": "PLACE", "--to": "PLACE",
      "--state": "FILE",
    ])
  static let help = """
    Finds the first record in FOLDER after which something is true, by bisection: it must become
    true once and stay true. Ask with one of these:

      --when QUESTION  such as count(unread inbox:1) > 5, threads(1/t1).tagIDs has unread,
                       listed(1/t1, unread inbox:1), messages(1/m1),
                       messages(1/m1).date < 2026-11-20T09:30:00Z, refused, broken; a ! in front
                       asks the opposite. Hidden objects, such as one that is to be deleted, count
                       as absent
      --run COMMAND    a shell command that exits with 1 to 125 if it is true; it finds the
                       record's number in TIDELINE_AT and the folder in TIDELINE_FOLDER

      --from PLACE     where it is not true yet, which is checked if it matters (default start)
      --to PLACE       where it is true (default end)
      --state FILE     keep the question, the range and the answers in FILE, and resume from there
                       while the log and the rules are the same
      --json           print a JSON object

    The exit status is 1 if it is not true after --to; what was true only before is not found.

    Examples:
      tideline bisect inbox --when 'threads(1/t1).tagIDs has unread' --from 1200
      tideline bisect inbox --run 'tideline at $TIDELINE_FOLDER $TIDELINE_AT | grep -q inbox'
    """

  let folder: String
  private let question: String?
  private let command: String?
  private let places: (from: String?, to: String?)
  private let state: String?
  private let isJSON: Bool

  init(_ arguments: Arguments) {
    folder = arguments.folders.first ?? ""
    (question, command) = (arguments.text("--when"), arguments.text("--run"))
    places = (arguments.text("--from"), arguments.text("--to"))
    (state, isJSON) = (arguments.text("--state"), arguments.has("--json"))
  }

  /// A command is asked instead, and may use the snapshots, which one process at a time can.
  var usesSnapshots: Bool { command == nil }

  func check() throws(Mistake) {
    guard (question == nil) != (command == nil) else {
      throw Mistake("tideline bisect: name either --when QUESTION or --run COMMAND.")
    }
  }

  func run(in past: Past) async throws -> ExitStatus {
    if let state { try FileTarget.checkRoom(for: state) }
    var kept = try await search(in: past)
    let (start, end) = (kept.start.number, kept.end.number)
    let search = try asked(of: past, from: start)
    past.journey.isShown = false
    var bisection = kept.bisection
    let narrowing = Narrowing(bisection)
    let result: Result<RecordNumber?, any Error>
    do {
      result = .success(try await search.find(&bisection, narrowing))
    } catch {
      result = .failure(error)
    }
    kept.probes = bisection.probes
    let written = Result { if let state { try kept.write(to: state) } }
    let found = try result.get()
    try narrowing.end()
    if start == end || found == start.advanced(by: 1) {
      try await search.requireNew(after: start, in: past.log)
    }
    let status = try show(found, bisection, upTo: end, past)
    if found == nil { try sayUnknown(to: search, upTo: end, past) }
    try written.get()
    return status
  }

  /// Reports a question about an id that never existed, or an account that does not exist.
  private func sayUnknown(
    to search: BisectSearch, upTo end: RecordNumber, _ past: Past
  ) throws {
    guard case .question(let question, let replay) = search else { return }
    try replay.advance(to: end)
    if let unknown = try past.unknown(to: replay, question) {
      Output.complain("tideline: \(unknown)")
    }
  }

  private func asked(of past: Past, from start: RecordNumber) throws -> BisectSearch {
    guard let text = self.question else {
      return .command(ShellQuestion(command: command ?? "", folder: folder))
    }
    let replay = try past.inboxes(at: start).replay
    let question = try past.asking { try past.question(text, of: replay) }
    guard !question.isAgain else {
      throw Mistake("tideline bisect: 'again' needs more than one moment. Leave it out.")
    }
    return .question(question, of: replay)
  }

  /// Returns the search to run; unspecified parts come from the file, or else cover the whole log.
  private func search(in past: Past) async throws -> KeptSearch {
    let asked = question.map { "--when \($0)" } ?? "--run \(command ?? "")"
    let known = try state.flatMap { try KeptSearch.read($0, of: past.log, for: asked) }
    let range = known.map { ($0.start.number, $0.end.number) }
    let start = try places.from.map(past.number) ?? range?.0 ?? past.number("start")
    let end = try places.to.map(past.number) ?? range?.1 ?? past.number("end")
    guard start <= end else {
      throw Mistake("tideline bisect: --from \(start) comes after --to \(end). Swap them.")
    }
    guard let known, let range else {
      return try await KeptSearch(of: past.log, for: asked, from: start, to: end)
    }
    guard range == (start, end) else {
      throw Mistake(
        "tideline bisect: \(state ?? "") holds a search from \(range.0) to \(range.1). "
          + "Leave out --from and --to, or name another file.")
    }
    return known
  }

  private func show(
    _ found: RecordNumber?, _ bisection: Bisection, upTo end: RecordNumber, _ past: Past
  ) throws -> ExitStatus {
    let record = try found.flatMap { number in try past.log.read { try $0.record(number) } }
    let testimony = record.map { Testimony($0, of: past.log) }
    let count = bisection.probes.count
    let json = JSONWriter.object { json in
      json.member("found") { json in
        if let testimony { json.testimony(testimony) } else { json.null() }
      }
      json.member("probes", bisection.probes) { json, probe in
        json.object { json in
          json.member("number", probe.number.rawValue)
          json.member("isSo", probe.isSo)
        }
      }
    }
    try Output.show(
      [
        testimony?.description
          ?? "It is not true after #\(end). If it was before, name a --to where it is.",
        "(\(count) \(count == 1 ? "probe" : "probes"))",
      ], json: json, isJSON: isJSON)
    return found == nil ? .failed : .done
  }
}
