import EventStore
import Tideline
import TidelineReplay

/// `tideline blame`: shows the records that led to a state.
struct BlameCommand: ReplayCommand {
  static let usage = Usage(
    name: "blame", folders: ["FOLDER", "SUBJECT"], flags: ["--json"],
    texts: ["--at": "PLACE", "--field": "FIELD"])
  static let help = """
    Shows which records in FOLDER made a SUBJECT what it is, and where they came from. A SUBJECT is
    an object, such as threads/1/t1, or just its id if only one object has it, with the actions that
    these records ended; a list, such as 'unread inbox:1', with the record that brought in each row;
    or badge/1, the number on the app's icon for account 1, with its parts.

      --field FIELD  only records that changed that field of the object
      --at PLACE     as of a place (default: the end)
      --json         print a JSON object for each record

    Examples:
      tideline blame inbox threads/1/t1 --field tagIDs
      tideline blame inbox badge/1 --at -1h
    """

  let folder: String
  private let subject: String
  private let field: String?
  private let place: String
  private let isJSON: Bool

  init(_ arguments: Arguments) {
    (folder, subject) = (arguments.folders[0], arguments.folders.last ?? "")
    (field, place) = (arguments.text("--field"), arguments.text("--at") ?? "end")
    isJSON = arguments.has("--json")
  }

  func run(in past: Past) throws -> ExitStatus {
    let inboxes = try past.inboxes(at: place)
    var output = Output(isJSON: isJSON)
    if subject.hasPrefix("badge/"), let account = UInt32(subject.dropFirst("badge/".count)) {
      if let missing = try past.missing(Int64(account), in: inboxes.replay) {
        throw Mistake("tideline blame: \(missing)")
      }
      try checkNoField()
      let badge = try past.asking { try inboxes.badge(of: account) }
      if !isJSON {
        let parts = badge.parts.map { "\($0.count) in \($0.list)" }.joined(separator: ", ")
        let isOwn = badge.isOwn ? "; but the app sets its own badge" : ""
        try output.line("\(badge.count): \(parts)\(isOwn)")
      }
      for entry in badge.entries { try show(entry, past, &output) }
    } else if let object = try past.object(subject, in: inboxes, orElse: .list) {
      if let event = try inboxes.silentRecord(
        about: object.id, object.objectClass, of: object.account)
      {
        throw Silence(object: object, event: event, folder: folder)
      }
      let blames = try past.asking {
        try inboxes.blame(object.id, object.objectClass, field: field, of: object.account)
      }
      for blame in blames { try show(blame, past, &output) }
      let refusals = try inboxes.refusals(
        about: object.id, object.objectClass, of: object.account)
      for event in refusals {
        Output.complain("tideline: #\(event.number), about it, was refused. \(event.reason)")
      }
    } else {
      let entries = try past.asking { try inboxes.blame(inboxes.list(subject)) }
      try checkNoField()
      for entry in entries { try show(entry, past, &output) }
    }
    try output.flush()
    return .done
  }

  private func checkNoField() throws(Mistake) {
    guard field != nil else { return }
    throw Mistake("tideline blame: --field needs an object, and '\(subject)' is none.")
  }

  private func show(_ blame: ObjectBlame, _ past: Past, _ output: inout Output) throws {
    let json = JSONWriter.object { json in
      json.member("record") { $0.testimony(blame.testimony) }
      json.member("change") { $0.step(blame.change) }
      json.member("ended", blame.ended) { $0.testimony($1) }
    }
    let ended = blame.ended.map { "      ended with it: #\($0.number) \($0.text)" }
    try output.show(
      [blame.testimony.description] + blame.change.lines(of: past.log) + ended, json: json)
  }
}

/// The error that the records about an object left nothing of it.
private struct Silence: Error, CustomStringConvertible {
  let object: ObjectWord
  let event: RefusedEvent
  let folder: String

  var description: String {
    "record \(event.number) left nothing of \(object.text). \(event.reason) List the records with: "
      + "tideline log \(folder) --entity \(object.objectClass)/\(object.rowID)"
  }
}
