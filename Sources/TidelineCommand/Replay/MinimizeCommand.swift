import EventStore
import LMDB
import TidelineReplay

/// `tideline minimize`: finds a minimal set of records that shows a fault.
struct MinimizeCommand: ReplayCommand {
  static let usage = Usage(
    name: "minimize", folders: ["FOLDER"], flags: ["--json"],
    texts: ["--when": "QUESTION", "--at": "PLACE", "--about": "ID", "--into": "NEWFOLDER"])
  static let help = """
    Finds a minimal set of records in FOLDER for which the answer to a question is still yes, and
    shows them. Each of them is needed: without it, the answer is no.

      --when QUESTION   as for tideline bisect; it must be true at the place. With 'again' in front,
                        keeps records by which it was true, then wasn't, and is true again
      --at PLACE        where it is true (default end)
      --about ID        an object that it may be about, which makes the search much faster
      --into NEWFOLDER  write the records to NEWFOLDER as a log of their own, with the question
                        beside it: a fixture for a test. They are renumbered from 1, and so are the
                        numbers in the question, as in operations(23/1/t3)
      --json            print a JSON object for each record

    Example:
      tideline minimize inbox --when 'threads(1/t1).tagIDs has unread' --about t1 --into came-back
    """

  let folder: String
  private let question: String?
  private let place: String
  private let names: [String]
  private let target: String?
  private let isJSON: Bool

  init(_ arguments: Arguments) {
    folder = arguments.folders.first ?? ""
    (question, place) = (arguments.text("--when"), arguments.text("--at") ?? "end")
    names = arguments.text("--about").map { [$0] } ?? []
    (target, isJSON) = (arguments.text("--into"), arguments.has("--json"))
  }

  func check() throws(Mistake) {
    guard question != nil else {
      throw Mistake("tideline minimize: no question. Ask one with --when QUESTION.")
    }
  }

  func run(in past: Past) async throws -> ExitStatus {
    if let target { try Fixture.checkRoom(at: target) }
    let inboxes = try past.inboxes(at: place)
    let question = try past.asking { try past.question(self.question ?? "", of: inboxes.replay) }
    guard try question.isSo(inboxes.replay) else {
      let unknown = try past.unknown(to: inboxes.replay, question).map { "; \($0)" } ?? ""
      Output.complain("tideline: not true after #\(inboxes.number): \(question)\(unknown)")
      return .failed
    }
    let total = max(past.log.floor.distance(to: inboxes.number), 1)
    let bar = ProgressBar("records left out", of: total, on: .errors)
    let found = try inboxes.minimized(question, about: names) { left in
      try? bar.show(total - left)
      return !Task.isCancelled
    }
    try bar.end()
    try show(found.numbers, of: past.log)
    if found.numbers.isEmpty { Output.complain("tideline: true without any record: \(question)") }
    guard let target else { return .done }
    let fixture = try await Fixture.write(found.numbers, of: past.log, question, to: target)
    let isSo = try fixture.isSo
    await fixture.log.close()
    if !isSo {
      Output.complain(
        "tideline: renumbered from 1, the records no longer show it. If the question names record "
          + "numbers, write the new ones into \(target)/question.")
    }
    return isSo ? .done : .failed
  }

  private func show(_ numbers: [RecordNumber], of log: Log) throws {
    var output = Output(isJSON: isJSON)
    for number in numbers {
      guard let record = try log.read({ try $0.record(number) }) else { continue }
      let testimony = Testimony(record, of: log)
      try output.show(
        [testimony.description], json: JSONWriter.text { $0.testimony(testimony) })
    }
    try output.flush()
  }
}
