import EventStore
import LMDB
import TidelineReplay

/// `tideline diff`: shows differences.
struct DiffCommand: ReplayCommand {
  static let usage = Usage(
    name: "diff", folders: ["FOLDER"], words: "PLACE", flags: ["--json"],
    texts: ["--list": "LIST", "--with": "FOLDER"])
  static let help = """
    Shows what changed between two places in FOLDER, in all rows or in one list; with one place,
    between it and the end. Changes are shown from the earlier place to the later, whichever is
    named first. With another store, shows how that store differs at its end.

      --list LIST    the changes that the list was told, such as 'unread inbox:1'
      --with FOLDER  the other store
      --json         print JSON, one row per line

    Examples:
      tideline diff inbox -1h end --list 'unread inbox:1'
      tideline diff inbox end --with inbox-of-the-other-phone
    """

  let folder: String
  private let places: [String]
  private let list: String?
  private let other: String?
  private let isJSON: Bool

  init(_ arguments: Arguments) {
    (folder, places) = (arguments.folders[0], arguments.words)
    (list, other) = (arguments.text("--list"), arguments.text("--with"))
    isJSON = arguments.has("--json")
  }

  func check() throws(Mistake) {
    guard places.count <= 2 else {
      throw Mistake("tideline diff: unexpected argument '\(places[2])'. Name two places.")
    }
    guard other == nil || places.count == 1 else {
      throw Mistake(
        "tideline diff: unexpected argument '\(places[1])'. With --with, name one place.")
    }
    guard other == nil || list == nil else {
      throw Mistake("tideline diff: --list and --with can't be combined. Leave one out.")
    }
  }

  func run(in past: Past) async throws -> ExitStatus {
    let first = try past.number(places[0])
    if let other { return try await compare(past, at: first, with: other) }
    let second = try past.number(places.count > 1 ? places[1] : "end")
    let (start, end) = (min(first, second), max(first, second))
    if first > second { Output.complain("tideline: shown in order, from #\(start) to #\(end)") }
    var output = Output(isJSON: isJSON)
    let inboxes = try past.inboxes(at: start)
    if let list {
      let list = try past.asking { try inboxes.list(list) }
      let change = try past.asking {
        try inboxes.replay.changes(
          of: list, window: 0..., countsExactly: true, from: start, to: end)
      }
      if let change {
        let step = ListStep(list: list, change: change)
        try output.show(step.lines, json: JSONWriter.text { $0.step(step) })
      }
    } else {
      let steps = try past.asking { try inboxes.replay.rowChanges(from: start, to: end) }
      for step in steps { try show(step, past.log, &output) }
    }
    try output.flush()
    return .done
  }

  private func show(_ step: RowStep, _ log: Log?, _ output: inout Output) throws {
    try output.show(step.lines(of: log), json: JSONWriter.text { $0.step(step) })
  }

  /// Shows how the store in another folder differs at its end, and reports what either log lacks.
  private func compare(
    _ past: Past, at number: RecordNumber, with other: String
  ) async throws -> ExitStatus {
    try await Self.lookBack(on: other, usesSnapshots: false) { other in
      let (here, there) = (try past.inboxes(at: number), try other.inboxes(at: "end"))
      var output = Output(isJSON: isJSON)
      for step in try here.replay.differences(from: there.replay) {
        try show(step, nil, &output)
      }
      try output.flush()
      return .done
    }
  }
}
