import Tideline

/// `tideline tag`: changes the tags of threads and messages.
struct TagCommand: InboxCommand {
  static let usage = Usage(
    name: "tag", folders: ["FOLDER"], words: "ID", texts: ["--add": "TAGS", "--remove": "TAGS"])
  static let help = """
    Adds tags to the threads or messages with the given IDs, and removes tags from them. TAGS are
    ids separated by commas. The next `tideline sync` tells the server. An id that several objects
    have doesn't suffice: name one in full, as in threads/2/t1, where 2 is the account's number.

    Example:
      tideline tag inbox t1 --add starred,work --remove inbox
    """

  let folder: String
  private let ids: [String]
  private let added: Set<String>
  private let removed: Set<String>

  init(_ arguments: Arguments) {
    folder = arguments.folders[0]
    ids = arguments.words
    added = Self.names(arguments.text("--add"))
    removed = Self.names(arguments.text("--remove"))
  }

  func check() throws(Mistake) {
    guard !added.isEmpty || !removed.isEmpty else {
      throw Mistake("tideline tag: no tags. Name some with --add or --remove")
    }
  }

  private static func names(_ text: String?) -> Set<String> {
    // By bytes, as a mark at the start of an id is one character with the comma.
    Set((text ?? "").utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) })
  }

  func run(in store: InboxStore) async throws -> ExitStatus {
    var output = Output()
    for id in ids {
      let found = try object(named: id, in: store)
      try await change(found.object, in: found.inbox)
      try output.line(ObjectLine(try object(named: id, in: store).object).line)
      try output.flush()
    }
    return .done
  }

  private func change<Object: Model>(_ object: Object, in inbox: Inbox) async throws {
    guard object is MailThread || object is Message else {
      throw InboxCommandError.notPossible(
        id: object.id, "only threads and messages have tags")
    }
    try await inbox.perform(.changeTags(Object.self, [object.id], adding: added, removing: removed))
  }
}
