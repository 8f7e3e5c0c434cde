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

  func check() throws(Mistake) {
    guard (question == nil) != (command == nil) else {
      throw Mistake("tideline bisect: name either --when QUESTION or --run COMMAND.")
    }
  }

  func run(in past: Past) async throws -> ExitStatus {
    var kept = try search(in: past)
    let search = try asked(of: past, from: kept.start)
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
    if let found, found == kept.start.advanced(by: 1) {
      try await search.requireNew(after: kept.start)
    }
    let status = try show(found, bisection, upTo: kept.end, past)
    if found == nil, let question = search.question {
      try search.replay.advance(to: kept.end)
      let unknown = Past.unknown(to: search.replay, question)
      if let unknown { Output.complain("tideline: \(unknown)") }
    }
    try written.get()
    return status
  }

  private func asked(of past: Past, from start: RecordNumber) throws -> BisectSearch {
    let replay = try past.inboxes(at: start).replay
    let question = try past.asking { try self.question.map { try past.question($0, of: replay) } }
    guard question?.isAgain != true else {
      throw Mistake("tideline bisect: 'again' needs more than one moment. Leave it out.")
    }
    let command = ShellQuestion(command: command ?? "", folder: folder)
    return BisectSearch(question: question, command: command, replay: replay)
  }

  /// Returns the search to run; unspecified parts come from the file, or else cover the whole log.
  private func search(in past: Past) throws -> KeptSearch {
    let asked = question.map { "--when \($0)" } ?? "--run \(command ?? "")"
    let known = try state.flatMap { try KeptSearch.read($0, of: past.log, for: asked) }
    let start = try places.from.map(past.number) ?? known?.start ?? past.number("start")
    let end = try places.to.map(past.number) ?? known?.end ?? past.number("end")
    guard start <= end else {
      throw Mistake("tideline bisect: --from \(start) comes after --to \(end). Swap them.")
    }
    guard let known else {
      return KeptSearch(log: past.log.store, asked: asked, start: start, end: end)
    }
    guard (known.start, known.end) == (start, end) else {
      throw Mistake(
        "tideline bisect: \(state ?? "") holds a search from \(known.start) to \(known.end). "
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
