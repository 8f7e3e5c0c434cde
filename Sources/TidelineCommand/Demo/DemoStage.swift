import EventStore
import Foundation
import LMDB
import Synchronization
import Tideline
import TidelineServer
import TidelineSync

/// The servers, the folder of the store, and what is shown of them.
struct DemoStage: Sendable {
  let server: EmbeddedServer
  let alerts: Alerts
  let plan: ServerPlan
  let folder: String

  init(_ server: EmbeddedServer, _ alerts: Alerts, _ plan: ServerPlan, _ folder: String) {
    (self.server, self.alerts, self.plan, self.folder) = (server, alerts, plan, folder)
  }

  /// Plays all scenes, and says whether all is as it should be at the end.
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

  /// Shows what a scene is about.
  func title(_ text: String) throws { try tell("", "== \(text)") }
}

/// The inboxes of the store, and what keeps them in step.
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

  /// The first threads of the inbox, to be looked at.
  func threads() throws -> Provider<MailThread> {
    try mail.inbox.provider(
      MailThread.self, where: #Predicate { $0.tagIDs.contains("inbox") },
      sort: [SortDescriptor(\.effectiveDate, order: .reverse)], window: 0..<Self.rows)
  }

  /// The first rich messages, to be looked at.
  func messages() throws -> Provider<RichMessage> {
    try rich.inbox.rich.provider(window: 0..<Self.rows)
  }

  /// How much is there.
  func progress() throws -> SyncProgress {
    var progress = try SyncProgress(of: mail.inbox)
    progress.rich = try SyncProgress(of: rich.inbox).rich
    return progress
  }

  var syncs: [Sync] { [mail, rich] }

  func stop() { for sync in syncs { sync.stop() } }

  /// Waits until both servers have taken all that was wanted, and all is here that they have.
  func catchUp() async throws {
    for sync in syncs {
      try await sync.caughtUp(with: sync.inbox.store.read { $0.position })
    }
  }

  /// Says to both that there is no network; once this returns nothing is sent.
  func loseNetwork() async {
    for sync in syncs {
      sync.note(.network(false))
      _ = try? await sync.status { $0.obstacle == .offline }
    }
  }

  /// Says to both that there is a network.
  func findNetwork() { for sync in syncs { sync.note(.network(true)) } }
}
