import Tideline

/// `tideline outbox`: shows the operations that the server has not performed.
struct OutboxCommand: InboxCommand {
  static let usage = Usage(name: "outbox", folders: ["FOLDER"])
  static let help = """
    Lists the operations that the server has not carried out yet, in the order in which they were
    requested: the record of the request, the operation, its object, its state, and why it waits. It
    opens the store as an app does, and records what an extension left for it: to look without
    changing anything, use `tideline at`, which also shows those of people who are logged out.

    Examples:
      tideline outbox inbox
      tideline at inbox end --outbox
    """

  let folder: String

  init(_ arguments: Arguments) { folder = arguments.folders[0] }

  func run(in store: InboxStore) async throws -> ExitStatus {
    var output = Output()
    for inbox in try store.inboxes {
      for operation in try inbox.openOperations() { try output.line(operation.line) }
    }
    try output.flush()
    return .done
  }
}
