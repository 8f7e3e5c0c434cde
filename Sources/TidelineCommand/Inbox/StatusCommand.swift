import EventStore
import Foundation
import Tideline

/// `tideline status`: shows the state of inboxes.
struct StatusCommand: InboxCommand {
  static let usage = Usage(name: "status", folders: ["FOLDER"], flags: ["--verify"])
  static let help = """
    Shows, for each inbox in FOLDER, how much it holds, how much of it is unread, and how much the
    server has not carried out yet. It opens the store as an app does, and records what an extension
    left for it: to look without changing anything, use `tideline at`.

      --verify   rebuild the views from the log and compare them, as `tideline verify` does; the
                 exit status is 1 if they differ

    Example:
      tideline status inbox --verify
    """

  let folder: String
  private let verifies: Bool

  init(_ arguments: Arguments) {
    folder = arguments.folders[0]
    verifies = arguments.has("--verify")
  }

  func run(in store: InboxStore) async throws -> ExitStatus {
    try await run(in: store, isRebuilt: false)
  }

  func run(in store: InboxStore, isRebuilt: Bool) async throws -> ExitStatus {
    var output = Output()
    for account in try store.accounts {
      try output.line(try Self.line(of: account, in: store))
    }
    var status = ExitStatus.done
    if verifies {
      let verification = try await store.verifyWithProgress()
      status = verification.isSound ? .done : .failed
      try output.line(verification.line)
      if isRebuilt { try output.line(VerifyCommand.rebuilt) }
    }
    try output.flush()
    return status
  }

  private static func line(of account: Account, in store: InboxStore) throws -> String {
    let inbox = store.inbox(of: account.account)
    let rich = try inbox.rich.contents(window: 0..<0)
    let counts = try [
      ("threads", inbox.count(of: MailThread.self)),
      ("unread", inbox.count(of: MailThread.self, where: #Predicate { $0.isUnread })),
      ("messages", inbox.count(of: Message.self)), ("rich", rich.allCount),
      ("unread rich", rich.unreadCount), ("to send", inbox.openOperations().count),
    ]
    let name = "\(account.person ?? "(no name)")\(account.isLoggedIn ? "" : " (logged out)")"
    return "\(name): " + counts.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
  }
}
