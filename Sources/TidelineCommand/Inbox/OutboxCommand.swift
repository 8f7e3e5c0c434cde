import EventStore
import Foundation
import Tideline

/// `tideline outbox`: shows the operations that the server has not performed.
struct OutboxCommand: InboxCommand {
  static let usage = Usage(name: "outbox", folders: ["FOLDER"])
  static let help = """
    Lists the operations that the server has not carried out yet, in the order in which they were
    requested: the record of the request, the operation, its object, its state, and why it waits. It
    opens the store as an app does, and records what an extension left for it.

    Example:
      tideline outbox inbox
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

extension OpenOperation {
  /// The operation for people.
  fileprivate var line: String {
    var parts = [
      "\(intent)".leftPadded(to: 8), kind.rawValue.rightPadded(to: 10), id.rightPadded(to: 24),
      state.rawValue,
    ]
    let why = [reason?.rawValue, answer].compactMap(\.self)
    if !why.isEmpty { parts.append("(\(why.joined(separator: ": ")))") }
    if attempts > 0 { parts.append(attempts == 1 ? "tried once" : "tried \(attempts) times") }
    if let notBefore { parts.append("until \(notBefore.ISO8601Format())") }
    return parts.joined(separator: "  ").printable(columns: 120)
  }
}
