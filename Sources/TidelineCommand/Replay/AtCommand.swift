import EventStore
import Foundation
import Tideline
import TidelineReplay

/// `tideline at`: shows a past state.
struct AtCommand: ReplayCommand {
  static let usage = Usage(
    name: "at", folders: ["FOLDER", "PLACE"], flags: ["--json", "--outbox"],
    numbers: ["--limit": 1...1_000_000], texts: ["--list": "LIST", "--object": "OBJECT"])
  static let help = """
    Shows the inboxes in FOLDER, a store's folder or a log's, as they were at a PLACE: after the
    record with that number, or after the last record that is not later than a time, such as
    2026-11-20T09:30:00Z or -1h. -5 is five records before the last; start and end work, too. A
    time without a zone is UTC; 10:15 or 10:15+01:00 alone is its latest occurrence in the log.
    Without options, the row count of each list. In a view with groups, name a list as in
    'unread inbox:1'.

      --list LIST      the rows of a list
      --object OBJECT  an object, such as threads/1/t1, or just its id if only one object has it:
                       its fields, and the lists that contain it
      --outbox         the operations that the server had not carried out, and why they waited
      --limit N        show at most N rows (default 50)
      --json           print JSON

    Examples:
      tideline at inbox 1200
      tideline at inbox -1h --list 'unread inbox:1'
      tideline at inbox 2026-11-20T09:30:00Z --object threads/1/t1 --json
    """

  let folder: String
  private let place: String
  private let list: String?
  private let object: String?
  private let showsOutbox: Bool
  private let isJSON: Bool
  private let limit: Int

  init(_ arguments: Arguments) {
    (folder, place) = (arguments.folders[0], arguments.folders.last ?? "end")
    (list, object) = (arguments.text("--list"), arguments.text("--object"))
    (showsOutbox, isJSON) = (arguments.has("--outbox"), arguments.has("--json"))
    limit = Int(arguments.number("--limit") ?? 50)
  }

  func check() throws(Mistake) {
    let shown = [(list != nil, "--list"), (object != nil, "--object"), (showsOutbox, "--outbox")]
      .filter(\.0).map(\.1)
    if shown.count > 1 {
      throw Mistake(
        "tideline at: \(shown[0]) and \(shown[1]) can't be combined. Leave one out.")
    }
  }

  func run(in past: Past) throws -> ExitStatus {
    let inboxes = try past.inboxes(at: place)
    var output = Output(isJSON: isJSON)
    if let list {
      try show(try past.asking { try inboxes.list(list) }, inboxes, past, &output)
    } else if let object {
      let word = try past.object(object, in: inboxes)
      guard let row = try inboxes.replay.row(word.rowID, in: word.collection) else {
        throw NotThere(object: word, number: inboxes.number, folder: folder)
      }
      let lists = try inboxes.replay.lists(of: word.rowID, in: word.collection)
      try show(row, word.collection, lists, past.log, &output)
    } else if showsOutbox {
      for operation in try inboxes.outbox() {
        try output.show([operation.line], json: operation.json)
      }
    } else {
      try overview(inboxes, &output)
    }
    try output.flush()
    return .done
  }

  private func show(
    _ list: ListName, _ inboxes: InboxReplay, _ past: Past, _ output: inout Output
  ) throws {
    let view = inboxes.replay.viewDefinitions.first { $0.name == list.view }
    guard let collection = view?.collection else { return }
    for row in try inboxes.replay.rows(of: list, in: 0..<limit) {
      try output.show([row.line(collection)], json: row.json(collection))
    }
    let count = try inboxes.replay.count(of: list)
    if count == 0, let missing = try past.missingAccount(of: list, in: inboxes.replay) {
      Output.complain("tideline: \(missing)")
    } else if count == 0, let grouping = view?.grouping?.name, grouping != "account" {
      Output.complain(
        "tideline: \(list) is empty. Its group is a value of \(grouping)"
          + (grouping == "tagIDs" ? "; for the tags, see: \(tags(of: list))" : "."))
    }
    let left = count - limit
    if left > 0 { Output.complain("tideline: \(list) has \(left) more rows; see --limit") }
  }

  /// Returns the command that lists the tags in the account of a list.
  private func tags(of list: ListName) -> String {
    "tideline at \(folder) \(place) --list 'tags:\(list.scope ?? 1)'"
  }

  private func show(
    _ row: Row, _ collection: RowCollection, _ lists: [ListName], _ log: Log,
    _ output: inout Output
  ) throws {
    let values = collection.fields.compactMap { field in
      row.told(field, in: collection, of: log).map { (field.name, $0) }
    }
    let lines = (values + lists.map { ("in", $0.description) }).map { name, value in
      "\(name.rightPadded(to: 24)) \(value.printable(columns: 120))"
    }
    try output.show(lines, json: JSONWriter.text { $0.row(row, collection, in: lists) })
  }

  private func overview(_ inboxes: InboxReplay, _ output: inout Output) throws {
    let accounts = try accounts(of: inboxes)
    let lists = inboxes.replay.viewDefinitions.flatMap { view -> [ListName] in
      guard let grouping = view.grouping else { return [ListName(view.name)] }
      guard grouping.name == "account", view.scope == nil else { return [] }
      return accounts.map { ListName(view.name, group: .number($0)) }
    }
    let counts = try lists.map { ($0, try inboxes.replay.count(of: $0)) }
    let lines = counts.filter { $0.1 > 0 }.map { list, count in
      "  \(list.description.rightPadded(to: 32)) \(count)"
    }
    let json = JSONWriter.object { json in
      json.member("number", inboxes.number.rawValue)
      json.member("counts") { json in
        json.object { json in
          for (list, count) in counts { json.member(list.description, count) }
        }
      }
    }
    let record = try? inboxes.log.read { try $0.record(inboxes.number) }
    let time = record.map { " of \($0.header.recordedAt)" } ?? ""
    try output.show(["after #\(inboxes.number)\(time)"] + lines, json: json)
  }

  /// Returns the accounts, or those of objects in a log that tells of no account, such as a
  /// fixture.
  private func accounts(of inboxes: InboxReplay) throws -> [Int64] {
    let known = try inboxes.replay.rows(of: "accounts", in: 0...).compactMap { Int64($0.id) }
    guard known.isEmpty else { return known }
    var accounts: Set<Int64> = []
    for (_, collection) in ObjectWord.kinds {
      try inboxes.replay.foldedRows.forEachRow(of: collection) { _, row in
        guard let object = ObjectWord("\(collection.name)/\(row.name)") else { return }
        accounts.insert(Int64(object.account))
      }
    }
    return accounts.sorted()
  }
}

/// The error that an object does not exist, and how to see its history.
private struct NotThere: Error, CustomStringConvertible {
  let object: ObjectWord
  let number: RecordNumber
  let folder: String

  var description: String {
    "\(object.text) does not exist after #\(number). See what became of it: "
      + "tideline blame \(folder) \(object.text)"
  }
}

extension Row {
  /// Returns the row on one line: its id and its values.
  func line(_ collection: RowCollection) -> String {
    let values = collection.fields.compactMap { field in
      told(field, in: collection, of: nil).map { "\(field.name)=\($0)" }
    }
    return "\(id)  \(values.joined(separator: " "))".printable(columns: 200)
  }
}
