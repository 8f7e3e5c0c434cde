import EventStore
import Foundation
import LMDB
import Synchronization
import Tideline
import TidelineServer
import TidelineSync

/// The servers, the store's folder, and the output of a demo.
struct DemoStage: Sendable {
  let server: EmbeddedServer
  let alerts: Alerts
  let plan: ServerPlan
  let folder: String

  init(_ server: EmbeddedServer, _ alerts: Alerts, _ plan: ServerPlan, _ folder: String) {
    (self.server, self.alerts, self.plan, self.folder) = (server, alerts, plan, folder)
  }

  /// Plays all scenes; the status tells whether everything matches at the end.
  func play() async throws -> ExitStatus {
    try tell("\(plan.threads) threads and \(plan.richMessages) rich messages at \(server.address)")
    try await crash()
    return try await InboxStore.withStore(at: folder) { store in
      let cast = try await DemoCast(store, server.address, plan.token)
      defer { cast.stop() }
      try await recover(store, cast)
      try await receiveMail(cast)
      try await receiveAlert(store, cast)
      try await goOffline(cast)
      try await beRefused(cast)
      try await drainOutbox(cast)
      return try await verify(store, cast)
    }
  }

  /// Shows lines.
  func tell(_ lines: String...) throws { try tell(lines) }

  func tell(_ lines: [String]) throws {
    var output = Output()
    for line in lines { try output.line(line) }
    try output.flush()
  }

  /// Shows the title of a scene.
  func title(_ text: String) throws { try tell("", "== \(text)") }
}

/// The inboxes of the store, and their syncs.
struct DemoCast: Sendable {
  let mail: Sync
  let rich: Sync
  private static let rows = 5

  init(_ store: InboxStore, _ address: String, _ token: Token) async throws {
    func sync(_ kind: ServerKind, _ policy: PolicySwitches) async throws -> Sync {
      let server = SyncServer(address: address, kind: kind, policy: policy)
      let inbox = try await store.logIn("me", at: server.name, policy: server.policy)
      guard let seam = server.seam else { throw URLError(.badURL) }
      return Sync(inbox, with: seam, tokens: GivenToken(token: token))
    }
    mail = try await sync(.mail, .inbox)
    rich = try await sync(.rich, .engage)
  }

  /// Returns the first threads of the inbox.
  func threads() throws -> Provider<MailThread> {
    try mail.inbox.provider(
      MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)], window: 0..<Self.rows)
  }

  /// Returns the first rich messages.
  func messages() throws -> Provider<RichMessage> {
    try rich.inbox.rich.provider(window: 0..<Self.rows)
  }

  /// Returns the number of objects.
  func progress() throws -> SyncProgress {
    var progress = try SyncProgress(of: mail.inbox)
    progress.rich = try SyncProgress(of: rich.inbox).rich
    return progress
  }

  var syncs: [Sync] { [mail, rich] }

  func stop() { for sync in syncs { sync.stop() } }

  /// Waits until both servers have performed all operations, and everything on them is here.
  func catchUp() async throws {
    for sync in syncs {
      try await sync.caughtUp(with: sync.inbox.store.read { $0.position })
    }
  }

  /// Tells both syncs that there is no network; nothing is sent after this returns.
  func loseNetwork() async {
    for sync in syncs {
      sync.note(.network(false))
      _ = try? await sync.status { $0.obstacle == .offline }
    }
  }

  /// Tells both syncs that there is a network.
  func findNetwork() { for sync in syncs { sync.note(.network(true)) } }
}
