import EventStore
import Foundation
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
      --run COMMAND    a command of the shell, which fails where it is so; it finds the record's
                       number in TIDELINE_AT and the folder in TIDELINE_FOLDER

      --from PLACE     where it is not so; usually start
      --to PLACE       where it is so; usually end
      --state FILE     keeps what is known in a file, and goes on from there
      --json           as a JSON object

    The exit status is 1 where it is nowhere so.

    Examples:
      tideline bisect inbox --when 'threads(1/t1).tagIDs has unread' --from 1200
      tideline bisect inbox --run 'tideline at $TIDELINE_FOLDER $TIDELINE_AT | grep -q inbox'
    """

  let folder: String
  private let question: String?
  private let command: String?
  private let places: (from: String, to: String)
  private let state: String?
  private let isJSON: Bool
  /// Between how few records each is asked in turn, where asking costs little.
  private static let scanMax = 512

  init(_ arguments: Arguments) {
    folder = arguments.folders.first ?? ""
    (question, command) = (arguments.text("--when"), arguments.text("--run"))
    places = (arguments.text("--from") ?? "start", arguments.text("--to") ?? "end")
    (state, isJSON) = (arguments.text("--state"), arguments.has("--json"))
  }

  func check() throws(Mistake) {
    guard (question == nil) != (command == nil) else {
      throw Mistake("tideline bisect: name either --when QUESTION or --run COMMAND.")
    }
  }

  func run(in past: Past) throws -> ExitStatus {
    let (start, end) = (try past.number(places.from), try past.number(places.to))
    guard start <= end else {
      throw Mistake("tideline bisect: --from \(start) is behind --to \(end). Swap them.")
    }
    let replay = try past.inboxes(at: start).replay
    var bisection = try known() ?? Bisection(after: start, through: end)
    let narrowing = Narrowing(bisection)
    let result = Result {
      if let question {
        let question = try past.asking { try PastQuestion(question, of: replay) }
        guard !question.isAgain else {
          throw Mistake("tideline bisect: nothing is so again at a moment. Leave out 'again'.")
        }
        return try replay.bisect(&bisection, scanMax: Self.scanMax) { past in
          try Task.checkCancellation()
          let isSo = try question.isSo(past)
          try narrowing.note(past.position.number, isSo: isSo)
          return isSo
        }
      }
      return try search(&bisection, narrowing)
    }
    try keep(bisection)
    let found = try result.get()
    try narrowing.end()
    return try show(found, bisection, past)
  }

  /// Asks a command, which needs no rows and lists of this process.
  private func search(
    _ bisection: inout Bisection, _ narrowing: Narrowing
  ) throws -> RecordNumber? {
    while let number = bisection.next {
      try Task.checkCancellation()
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", command ?? ""]
      process.environment = ProcessInfo.processInfo.environment.merging([
        "TIDELINE_AT": "\(number)", "TIDELINE_FOLDER": folder,
      ]) { $1 }
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      bisection.note(number, isSo: process.terminationStatus != 0)
      try narrowing.note(number, isSo: process.terminationStatus != 0)
    }
    return bisection.found
  }

  private func show(
    _ found: RecordNumber?, _ bisection: Bisection, _ past: Past
  ) throws -> ExitStatus {
    var output = Output()
    let record = try found.flatMap { number in try past.log.read { try $0.record(number) } }
    let testimony = record.map { Testimony($0, of: past.log) }
    if isJSON {
      try output.line(
        JSONWriter.text { json in
          json.object { json in
            json.name("found")
            if let testimony { json.testimony(testimony) } else { json.null() }
            json.member("probes", bisection.probes) { json, probe in
              json.object { json in
                json.member("number", probe.number.rawValue)
                json.name("isSo")
                json.boolean(probe.isSo)
              }
            }
          }
        })
    } else {
      let count = bisection.probes.count
      try output.line(testimony?.description ?? "It is nowhere so.")
      try output.line("(\(count) \(count == 1 ? "probe" : "probes"))")
    }
    try output.flush()
    return found == nil ? .failed : .done
  }

  private func known() throws -> Bisection? {
    guard let state, FileManager.default.fileExists(atPath: state) else { return nil }
    let data = try Data(contentsOf: URL(filePath: state))
    guard let bisection = try? JSONDecoder().decode(Bisection.self, from: data) else {
      throw Mistake("tideline bisect: \(state) holds no search. Name another file.")
    }
    return bisection
  }

  private func keep(_ bisection: Bisection) throws {
    guard let state else { return }
    try JSONEncoder().encode(bisection).write(to: URL(filePath: state))
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
