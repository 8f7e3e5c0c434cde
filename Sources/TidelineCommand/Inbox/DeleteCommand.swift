import Tideline

/// `tideline delete`: deletes objects.
struct DeleteCommand: InboxCommand {
  static let usage = Usage(name: "delete", folders: ["FOLDER"], words: "ID")
  static let help = """
    Deletes the messages, rich messages and drafts with the given IDs; threads are tagged 'trash'
    instead. The next `tideline sync` tells the server. An id that several objects have doesn't
    suffice: name one in full, as in threads/2/t1, where 2 is the number of the account.

    Example:
      tideline delete inbox 422:114:0
    """

  let folder: String
  private let ids: [String]

  init(_ arguments: Arguments) {
    folder = arguments.folders[0]
    ids = arguments.words
  }

  func run(in store: InboxStore) async throws -> ExitStatus {
    var output = Output()
    for id in ids {
      let found = try object(named: id, in: store)
      try await delete(found.object, in: found.inbox)
      try output.line("deleted  \(ObjectLine(found.object).line)")
      try output.flush()
    }
    return .done
  }

  private func delete(_ object: some Model, in inbox: Inbox) async throws {
    if let thread = object as? MailThread {
      try await inbox.perform(.trash(thread))
    } else {
      try await inbox.perform(.delete(object))
    }
  }
}
