import EventStore
import Tideline
import TidelineReplay

/// `tideline blame`: shows which records made something what it is.
struct BlameCommand: ReplayCommand {
  static let usage = Usage(
    name: "blame", folders: ["FOLDER", "SUBJECT"], flags: ["--json"],
    texts: ["--at": "PLACE", "--field": "FIELD"])
  static let help = """
    Shows which records made a SUBJECT in FOLDER what it is, with where they came from: an object,
    such as threads/1/t1, or what only its id has; a list, such as 'unread inbox:1', of each row the
    record that brought it there; or the number on the app's icon for account 1 as badge/1.

      --field FIELD  only records that changed that field of the object
      --at PLACE     what it was at a place, and not at the end
      --json         an object for each record

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
      guard try inboxes.replay.row("\(account)", in: Account.collection) != nil else {
        throw Mistake(
          "tideline blame: there is no account \(account) behind #\(inboxes.number). See those "
            + "that there are by: tideline at \(folder) \(inboxes.number) --list accounts")
      }
      let badge = try past.asking { try inboxes.badge(of: account) }
      if !isJSON {
        try output.line("\(badge.count)\(badge.isOwn ? ", though the app sets its badge" : "")")
      }
      for entry in badge.entries { try show(entry, past, &output) }
    } else if let object = try past.object(subject, in: inboxes, orElse: .list) {
      let blames = try past.asking {
        try inboxes.blame(object.id, object.objectClass, field: field, of: object.account)
      }
      for blame in blames { try show(blame, past, &output) }
    } else {
      let entries = try past.asking { try inboxes.blame(inboxes.list(subject)) }
      for entry in entries { try show(entry, past, &output) }
    }
    try output.flush()
    return .done
  }

  private func show(_ blame: ObjectBlame, _ past: Past, _ output: inout Output) throws {
    let json = JSONWriter.object { json in
      json.member("record") { $0.testimony(blame.testimony) }
      json.member("change") { $0.step(blame.change) }
    }
    try output.show(
      [blame.testimony.description] + blame.change.lines(of: past.log), json: json)
  }
}
