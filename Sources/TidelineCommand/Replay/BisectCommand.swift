import EventStore
import LMDB
import TidelineReplay

/// `tideline bisect`: finds the record with which something began.
struct BisectCommand: ReplayCommand {
  static let usage = Usage(
    name: "bisect", folders: ["FOLDER"], flags: ["--json"],
    texts: [
      "--when": "QUESTION", "--run": "COMMAND", "--from": "PLACE", "--to": "PLACE",
      "--state": "FILE",
    ])
  static let help = """
    Finds the first record in FOLDER behind which something is so, by halving: what was asked must
    once be so and stay so. What is asked is one of these.

      --when QUESTION  such as count(unread inbox:1) > 5, threads(1/t1).tagIDs has unread,
                       listed(1/t1, unread inbox:1), messages(1/m1), refused, broken; with a ! in
                       front, whether that is not so
      --run COMMAND    a command of the shell, which fails with 1 to 125 where it is so; it finds
                       the record's number in TIDELINE_AT and the folder in TIDELINE_FOLDER

      --from PLACE     where it is not so, which is looked at where it matters; usually start
      --to PLACE       where it is so; usually end
      --state FILE     keeps in a file what is asked, where, and what is known, and goes on there
      --json           as a JSON object

    The exit status is 1 where it is nowhere so.

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
  /// Between how few records each is asked in turn, where asking costs little.
  private static let scanMax = 512

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
    var search = try search(in: past)
    let replay = try past.inboxes(at: search.start).replay
    past.journey.isShown = false
    let question = try past.asking { try self.question.map { try PastQuestion($0, of: replay) } }
    guard question?.isAgain != true else {
      throw Mistake("tideline bisect: nothing is so again at a moment. Leave out 'again'.")
    }
    var bisection = search.bisection
    let narrowing = Narrowing(bisection)
    let result: Result<RecordNumber?, any Error>
    do {
      result = .success(try await find(question, &bisection, replay, narrowing))
    } catch {
      result = .failure(error)
    }
    search.probes = bisection.probes
    let kept = Result { if let state { try search.write(to: state) } }
    let found = try result.get()
    try narrowing.end()
    if let found, found == search.start.advanced(by: 1) {
      // All behind the start was found to be so: then it must not be so there.
      guard try await !isSo(behind: search.start, question, replay) else {
        throw AlreadySo(number: search.start, isBeginning: search.start == past.log.floor)
      }
    }
    let status = try show(found, bisection, past)
    try kept.get()
    return status
  }

  /// What is to be searched for, and where: as far as that is not said, as the file has it, else
  /// in all of the log.
  private func search(in past: Past) throws -> KeptSearch {
    let asked = question.map { "--when \($0)" } ?? "--run \(command ?? "")"
    let known = try state.flatMap { try KeptSearch.read($0, of: past.log, for: asked) }
    let start = try places.from.map(past.number) ?? known?.start ?? past.number("start")
    let end = try places.to.map(past.number) ?? known?.end ?? past.number("end")
    guard start <= end else {
      throw Mistake("tideline bisect: --from \(start) is behind --to \(end). Swap them.")
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

  private func isSo(
    behind number: RecordNumber, _ question: PastQuestion?, _ replay: Replay
  ) async throws -> Bool {
    guard let question else {
      return try await ShellQuestion(command: command ?? "", folder: folder).isSo(behind: number)
    }
    try replay.advance(to: number)
    return try question.isSo(replay)
  }

  /// Asks rows and lists; or a command, which needs none of this process.
  private func find(
    _ question: PastQuestion?, _ bisection: inout Bisection, _ replay: Replay,
    _ narrowing: Narrowing
  ) async throws -> RecordNumber? {
    guard let question else { return try await find(&bisection, narrowing) }
    return try replay.bisect(&bisection, scanMax: Self.scanMax) { past in
      try Task.checkCancellation()
      let isSo = try question.isSo(past)
      try narrowing.note(past.position.number, isSo: isSo)
      return isSo
    }
  }

  private func find(
    _ bisection: inout Bisection, _ narrowing: Narrowing
  ) async throws -> RecordNumber? {
    let question = ShellQuestion(command: command ?? "", folder: folder)
    while let number = bisection.next {
      let isSo = try await question.isSo(behind: number)
      bisection.note(number, isSo: isSo)
      try narrowing.note(number, isSo: isSo)
    }
    return bisection.found
  }

  private func show(
    _ found: RecordNumber?, _ bisection: Bisection, _ past: Past
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
        testimony?.description ?? "It is nowhere so.",
        "(\(count) \(count == 1 ? "probe" : "probes"))",
      ], json: json, isJSON: isJSON)
    return found == nil ? .failed : .done
  }
}

/// That what was to have begun was so from where the search did.
private struct AlreadySo: Error, CustomStringConvertible {
  let number: RecordNumber
  let isBeginning: Bool

  var description: String {
    isBeginning
      ? "it is so from the beginning. Ask for what is not, or for that with a ! in front."
      : "it is so behind #\(number) already. Name a place where it is not by --from."
  }
}

/// Shows how far a search has come: by how often what is left can be halved.
private final class Narrowing {
  private var known: Bisection
  private let total: Int
  private let bar: ProgressBar

  init(_ known: Bisection) {
    self.known = known
    total = Self.halvings(known)
    bar = ProgressBar("halvings", of: total, on: .errors)
  }

  func note(_ number: RecordNumber, isSo: Bool) throws {
    known.note(number, isSo: isSo)
    try bar.show(total - Self.halvings(known))
  }

  func end() throws { try bar.end() }

  private static func halvings(_ known: Bisection) -> Int {
    Int.bitWidth - max(known.low.distance(to: known.high) - 1, 0).leadingZeroBitCount
  }
}
