import Tideline

/// `tideline read`: shows an object, and marks it as read.
struct ReadCommand: InboxCommand {
  static let usage = Usage(
    name: "read", folders: ["FOLDER"], words: "ID", flags: ["--peek", "--unread"])
  static let help = """
    Shows the objects with the given IDs, with as much of their text as is stored, and marks them
    as read. The next `tideline sync` tells the server.

    An id that several objects have doesn't suffice: name one in full, as in threads/2/t1, where 2
    is the number of the account.

      --peek     don't mark them; drafts allow nothing else
      --unread   mark them as unread instead

    Example:
      tideline read inbox t1
    """

  let folder: String
  private let ids: [String]
  private let peeks: Bool
  private let isUnread: Bool

  init(_ arguments: Arguments) {
    folder = arguments.folders[0]
    ids = arguments.words
    (peeks, isUnread) = (arguments.has("--peek"), arguments.has("--unread"))
  }

  func check() throws(Mistake) {
    guard peeks, isUnread else { return }
    throw Mistake("tideline read: --peek and --unread can't be combined. Leave one out.")
  }

  func run(in store: InboxStore) async throws -> ExitStatus {
    var output = Output()
    for id in ids {
      let found = try object(named: id, in: store)
      if !peeks { try await mark(found.object, isRead: !isUnread, in: found.inbox) }
      try output.line(ObjectLine(try object(named: id, in: store).object).line)
      if let text = try found.text() { try output.line(text) }
      try output.flush()
    }
    return .done
  }

  private func mark(_ object: some Model, isRead: Bool, in inbox: Inbox) async throws {
    try await inbox.perform(isRead ? .markRead(object) : .markUnread(object))
  }
}
