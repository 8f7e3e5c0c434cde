import EventStore
import Foundation
import LMDB
import Tideline
import TidelineHTTP
import TidelineSync

/// `tideline sync`: syncs inboxes with their servers.
struct SyncCommand: Subcommand {
  static let usage = Usage(
    name: "sync", folders: ["FOLDER"], flags: ["--once", "--progress"],
    numbers: ["--every": 1...86_400],
    texts: [
      "--as": "PERSON", "--mail": "ADDRESS", "--policy": "POLICY", "--rich": "ADDRESS",
      "--token": "TOKEN",
    ])
  static let help = """
    Keeps the inboxes in FOLDER synchronized with their servers until interrupted: fetches what is
    new, sends pending actions, and prints what changes. FOLDER is created if needed.

      --mail ADDRESS  the address of a server of the Inbox API
      --rich ADDRESS  the address of a server of rich inboxes
      --policy POLICY how that server behaves: 'engage' (default) or 'marketingCloud'
      --as PERSON     the owner of the inboxes (default 'me')
      --token TOKEN   the token that identifies the client to the servers
      --every N       poll every N seconds if a server doesn't push changes (default 60)
      --once          exit once everything is fetched and sent
      --progress      with --once: print the number of messages so far, one number per line

    Examples:
      tideline serve --port 8025 &
      tideline sync inbox --mail http://127.0.0.1:8025 --token tideline
      tideline sync offers --rich http://127.0.0.1:8025 --policy marketingCloud --token tideline
    """

  private let folder: String
  private let person: String
  private let servers: [SyncServer]
  private let policy: String?
  private let tokens: GivenToken
  private let interval: Duration
  private let endsOnce: Bool
  private let showsProgress: Bool

  init(_ arguments: Arguments) {
    folder = arguments.folders[0]
    person = arguments.text("--as") ?? "me"
    policy = arguments.text("--policy")
    let richPolicy = policy.flatMap { Self.policies[$0] } ?? .engage
    servers =
      [
        arguments.text("--mail").map { SyncServer(address: $0, kind: .mail, policy: .inbox) },
        arguments.text("--rich").map { SyncServer(address: $0, kind: .rich, policy: richPolicy) },
      ].compactMap(\.self)
    tokens = GivenToken(token: arguments.text("--token").map { Token($0) })
    interval = .seconds(Int(arguments.number("--every") ?? 60))
    endsOnce = arguments.has("--once")
    showsProgress = arguments.has("--progress")
  }

  func run() async throws -> ExitStatus {
    guard !servers.isEmpty else {
      throw Mistake("tideline sync: no server. Name one with --mail or --rich")
    }
    for server in servers where server.url == nil {
      throw Mistake("tideline sync: '\(server.address)' is not an address such as http://127.0.0.1")
    }
    try checkPolicy()
    if showsProgress, !endsOnce {
      throw Mistake("tideline sync: --progress needs --once, since lists are shown otherwise")
    }
    guard !Folder(folder).isLog else { throw InboxCommandError.onlyLog(folder) }
    try Folder(folder).make()
    return try await Interruption.ending {
      try await InboxStore.withStore(at: folder) { store in
        let syncs = try await syncs(in: store)
        defer { for synced in syncs { synced.sync.stop() } }
        for synced in syncs { synced.sync.start() }
        return try await endsOnce ? catchUp(syncs) : SyncReport(syncs).run()
      }
    }
  }

  /// The policies of servers of rich inboxes.
  private static let policies: [String: PolicySwitches] = [
    "engage": .engage, "marketingCloud": .marketingCloud,
  ]

  private func checkPolicy() throws(Mistake) {
    guard let policy else { return }
    guard Self.policies[policy] != nil else {
      throw Mistake("tideline sync: unknown policy '\(policy)'. Name engage or marketingCloud")
    }
    guard servers.contains(where: { $0.kind == .rich }) else {
      throw Mistake("tideline sync: --policy needs --rich, the server of a rich inbox")
    }
  }

  private func syncs(in store: InboxStore) async throws -> [SyncedInbox] {
    var syncs: [SyncedInbox] = []
    for server in servers {
      let inbox = try await store.logIn(person, at: server.name, policy: server.policy)
      guard let seam = server.seam else { continue }
      let sync = Sync(inbox, with: seam, tokens: tokens, every: interval)
      syncs.append(SyncedInbox(kind: server.kind, sync: sync, hasToken: tokens.token != nil))
    }
    return syncs
  }

  /// Waits until everything is received and sent; a failure to show the progress ends the wait.
  private func catchUp(_ syncs: [SyncedInbox]) async throws -> ExitStatus {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await Self.catchUp(syncs) }
      if showsProgress { group.addTask { try await Self.showProgress(of: syncs) } }
      try await group.next()
      group.cancelAll()
    }
    return .done
  }
}

extension SyncCommand {
  /// Waits until everything is received and sent, and shows the number of objects.
  private static func catchUp(_ syncs: [SyncedInbox]) async throws {
    var output = Output()
    for synced in syncs {
      let sync = synced.sync
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await catchUp(sync) }
        group.addTask { try await watch(synced) }
        try await group.next()
        group.cancelAll()
      }
      let progress = try SyncProgress(of: sync.inbox)
      try output.line("\(progress)")
    }
    try output.flush()
  }

  /// Waits until everything is received and sent, including receipts for what arrived meanwhile.
  private static func catchUp(_ sync: Sync) async throws {
    var position: Position
    repeat {
      position = try sync.inbox.store.read { $0.position }
      try await sync.caughtUp(with: position)
    } while try sync.status.pending > 0
      && position.number < sync.inbox.store.read { $0.position.number }
  }

  /// Reports what the sync waits for, until the task is cancelled.
  ///
  /// - Throws: ``SyncCommandError`` if waiting is pointless.
  private static func watch(_ synced: SyncedInbox) async throws {
    var said: String?
    for await status in synced.sync.statuses {
      if let error = SyncCommandError(status.obstacle, hasToken: synced.hasToken) { throw error }
      guard let obstacle = status.obstacle?.line(hasToken: synced.hasToken), obstacle != said
      else { continue }
      said = obstacle
      Output.complain("tideline: \(obstacle)")
    }
    try await Task.sleep(for: .seconds(Int64.max))
  }

  /// Shows the number of messages repeatedly, until the task is cancelled.
  private static func showProgress(of syncs: [SyncedInbox]) async throws {
    while true {
      let counts = try syncs.map { try SyncProgress(of: $0.sync.inbox).messages }
      var output = Output()
      try output.line("\(counts.reduce(0, +))")
      try output.flush()
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}

/// The kind of a server.
enum ServerKind: Sendable { case mail, rich }

/// An inbox and its sync.
struct SyncedInbox: Sendable {
  let kind: ServerKind
  let sync: Sync
  /// Whether there is a token for the server.
  let hasToken: Bool
}

/// A server named on the command line.
struct SyncServer: Sendable {
  let address: String
  let kind: ServerKind
  /// The policy of the server.
  let policy: PolicySwitches

  /// The name that distinguishes its account from that of a server of another kind at the same
  /// address.
  var name: String { "\(kind) at \(address)" }

  /// The address as a URL, if it is valid.
  var url: URL? {
    URL(string: address).flatMap { url in
      let isHTTP = ["http", "https"].contains(url.scheme?.lowercased())
      return isHTTP && url.host()?.isEmpty == false && 1...65535 ~= url.port ?? 80 ? url : nil
    }
  }

  var seam: (any Server)? {
    switch kind {
    case .mail: url.map { InboxServer($0) }
    case .rich: url.map { RichInboxServer($0) }
    }
  }
}

/// The given token, if any; it is never replaced.
struct GivenToken: TokenSource {
  let token: Token?

  /// Returns the token from the command line, or `nil`, which the server may accept.
  func token(replacing refused: Token?) async throws -> Token? {
    guard refused == nil else { throw SyncCommandError.unauthorized }
    return token
  }
}
