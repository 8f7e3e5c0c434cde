import EventStore
import LMDB
import TidelineReplay

/// `tideline what-if`: shows what would be different.
struct WhatIfCommand: ReplayCommand {
  static let usage = Usage(
    name: "what-if", folders: ["FOLDER"], words: "EDIT", flags: ["--json"],
    texts: ["--at": "PLACE"])
  static let help = """
    Shows what would be different in FOLDER if something had happened differently, without changing
    anything: rows that would be added (+), removed (-) and changed (~), and how many rows lists
    would have. Each EDIT is one of these, with record numbers:

      skip=5             without record 5
      move=7>3           with record 7 right after record 3
      copy=4>9           with a copy of record 4 right after record 9
      patch=5:FILE       with the payload in FILE for record 5
      turn=9:rejected    another outcome: acknowledged, rejected, deferred, uncertain, abandoned

      --at PLACE  what would be different at a place (default: the end)
      --json      print a JSON object

    Examples:
      tideline what-if inbox skip=1200
      tideline what-if inbox turn=1310:rejected --at 1400
    """

  let folder: String
  private let words: [String]
  private let place: String
  private let isJSON: Bool

  init(_ arguments: Arguments) {
    folder = arguments.folders.first ?? ""
    (words, place) = (arguments.words, arguments.text("--at") ?? "end")
    isJSON = arguments.has("--json")
  }

  func run(in past: Past) throws -> ExitStatus {
    let number = try past.number(place)
    let inboxes = try past.inboxes(at: past.log.floor)
    let edits = try past.asking { try words.map { try edit($0, inboxes) } }
    let found = try past.asking { try inboxes.whatIf(edits, at: number) }
    try Output.show(found.lines, json: found.json, isJSON: isJSON)
    return .done
  }

  private func edit(_ word: String, _ inboxes: InboxReplay) throws -> LogEdit {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    let values =
      parts.last.map {
        $0.split(
          separator: parts[0] == "move" || parts[0] == "copy"
            ? ">" : ":", maxSplits: 1
        ).map(String.init)
      } ?? []
    guard parts.count == 2, let number = values.first.flatMap({ UInt64($0) }) else {
      throw mistake(word)
    }
    let record = RecordNumber(rawValue: number)
    let floor = inboxes.log.floor
    guard record > floor || record == .zero else { throw LogError.compacted(floor: floor) }
    guard record != .zero, try record <= inboxes.log.last else { throw missing(record) }
    // Nothing can be said about a record that is damaged; only left out, it needs no reading.
    let known = parts[0] == "skip" ? nil : try inboxes.log.read { try $0.record(record) }
    let second = values.count > 1 ? values[1] : nil
    switch (parts[0], second) {
    case ("skip", nil): return .skip(record)
    case ("patch", let path?):
      return .patch(record, payload: try ByteStream.bytes(of: path))
    case ("turn", let name?):
      guard let outcome = TurnedOutcome(rawValue: name) else { throw mistake(word) }
      return try inboxes.turning(record, to: outcome)
    case ("move", let target?): return .move(record, after: try place(target, word, inboxes.log))
    case ("copy", let target?):
      guard let copied = known else { throw mistake(word) }
      let place = try place(target, word, inboxes.log)
      return .inject(Event(copied.header), payload: copied.payload, after: place)
    default: throw mistake(word)
    }
  }

  /// Returns the record after which another is to be placed, or the beginning of the log.
  private func place(_ text: String, _ word: String, _ log: Log) throws -> RecordNumber {
    guard let number = UInt64(text).map(RecordNumber.init(rawValue:)) else { throw mistake(word) }
    guard number >= log.floor, try number <= log.last else { throw missing(number) }
    return number
  }

  private func missing(_ record: RecordNumber) -> Mistake {
    Mistake("tideline what-if: record \(record) does not exist. Name another.")
  }

  private func mistake(_ word: String) -> Mistake {
    Mistake(
      "tideline what-if: '\(word)' is not an edit. Use skip=5, move=7>3, copy=4>9, patch=5:FILE or "
        + "turn=9:rejected.")
  }
}

extension WhatIf {
  /// The result for people.
  fileprivate var lines: [String] {
    guard !isEmpty else { return ["Nothing would be different."] }
    // Texts in edited records are not in the log.
    return rows.flatMap { $0.lines(of: nil) }
      + lists.filter { $0.old != $0.new }.map {
        "  ≡ \($0.list): \($0.new) instead of \($0.old)"
      } + refused.map { "  refused: #\($0.number) \($0.reason)" }
  }

  /// The result as a JSON object.
  fileprivate var json: String {
    JSONWriter.object { json in
      json.member("rows", rows) { $0.step($1) }
      json.member("lists", lists) { json, list in
        json.object { json in
          json.member("list", list.list.description)
          json.member("old", list.old)
          json.member("new", list.new)
        }
      }
      json.member("refused", refused) { json, event in
        json.object { json in
          json.member("number", event.number.rawValue)
          json.member("reason", event.reason)
        }
      }
    }
  }
}
