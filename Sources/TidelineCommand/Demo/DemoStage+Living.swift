import EventStore
import Foundation
import Tideline
import TidelineServer
import TidelineSync

/// Scenes of an existing inbox.
extension DemoStage {
  /// Shows how mail arrives, and how the list receives the changes.
  func receiveMail(_ cast: DemoCast) async throws {
    try title("Mail arrives: the inbox's list learns what to change")
    try await cast.mail.status { $0.isLive }
    var watcher = try Watcher(cast.threads())
    try tell(watcher.list.map { "    \(ObjectLine($0).line)" })
    for second in 0..<3 {
      // The server dates mail in whole seconds.
      server.withRouter { router, now in
        _ = router.receiveMail(at: Timestamp(rawValue: now.rawValue + Int64(second) * 1000))
      }
      try tell("  a letter arrives at the server", await watcher.next())
    }
  }

  /// Shows an alert that arrives before its message, without a network, and later becomes one row
  /// with it.
  func receiveAlert(_ store: InboxStore, _ cast: DemoCast) async throws {
    try title("An alert comes before its message")
    var watcher = try Watcher(cast.messages())
    await cast.loseNetwork()
    server.withRouter { router, now in _ = router.publish(at: now) }
    guard let alert = alerts.last else { return }
    try await store.receive(
      PushPayload(json: Array(alert.utf8)), by: .engage, for: cast.rich.inbox)
    try tell("  the alert: a row with what it says", await watcher.next())
    cast.findNetwork()
    try tell("  the message: the same row, now whole", await watcher.next())
  }

  /// Shows that actions without a network take effect at once, and are sent later.
  func goOffline(_ cast: DemoCast) async throws {
    try title("Without a network: actions show at once, and are sent later")
    await cast.loseNetwork()
    var (threads, messages) = (try Watcher(cast.threads()), try Watcher(cast.messages()))
    let first = threads.list[0]
    var receipts = [
      try await cast.mail.inbox.perform(first.isUnread ? .markRead(first) : .markUnread(first))
    ]
    try tell("  a thread is marked \(first.isUnread ? "read" : "unread")", await threads.next())
    receipts.append(try await cast.mail.inbox.perform(.archive(threads.list[1])))
    try tell("  a thread is archived", await threads.next())
    receipts.append(try await cast.rich.inbox.perform(.delete(messages.list[1])))
    try tell("  a rich message is deleted", await messages.next())
    try tell("  the outbox:", try outbox(cast))
    cast.findNetwork()
    for receipt in receipts { try await receipt.confirmed() }
    try tell("  the network is back: the servers have confirmed everything")
  }

  private func outbox(_ cast: DemoCast) throws -> [String] {
    try cast.syncs.flatMap { try $0.inbox.openOperations() }.map {
      "    \($0.kind.rawValue.rightPadded(to: 12)) \($0.id)  \($0.state.rawValue)"
    }
  }

  /// Shows that a refused change is undone.
  func beRefused(_ cast: DemoCast) async throws {
    try title("The server rejects a change: it alone is undone")
    server.withRouter { router, _ in
      router.faults.add(.status(400), path: "/threads", method: "PUT")
    }
    var watcher = try Watcher(cast.threads())
    let thread = watcher.list[0]
    // Otherwise the refusal might arrive too early, and a change undone unseen is not reported.
    await cast.loseNetwork()
    let receipt = try await cast.mail.inbox.perform(
      thread.isStarred ? .unstar(thread) : .star(thread))
    try tell("  a thread is starred", await watcher.next())
    cast.findNetwork()
    do { try await receipt.confirmed() } catch { try tell("  \(error)") }
    try tell("  it matches the server again", await watcher.next())
  }

  /// Shows how hundreds of operations are sent.
  func drainOutbox(_ cast: DemoCast) async throws {
    try title("All threads of the inbox are marked read at once; the outbox drains")
    let receipt = try await cast.mail.inbox.perform(.markAllRead(MailThread.self, tag: "inbox"))
    let count = try cast.mail.inbox.openOperations().count
    let bar = ProgressBar("confirmed", of: count)
    let shown = Task {
      for await status in cast.mail.statuses { try bar.show(count - status.pending) }
    }
    try await receipt.confirmed()
    shown.cancel()
    try bar.show(count)
  }
}

extension DemoStage {
  fileprivate func tell(_ line: String, _ more: [String]) throws { try tell([line] + more) }
}
