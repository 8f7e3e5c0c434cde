import EventStore
import TestSupport
import Tideline
import TidelineSimulator
import TidelineSync

/// People who share one store, with its server and with disturbances.
final class Commotion: Sendable {
  /// The outcome of an intent, as far as the person was told.
  enum Fate {
    case wanted, confirmed, takenBack
    /// Not possible at that moment.
    case refused
    case unknown
  }

  private static let (people, turns, threads) = (4, 100, 12)
  private let seed: UInt64
  private let clock = FastClock()
  private let store: InboxStore
  private let inbox: Inbox
  private let sync: Sync
  let server: ShakyServer

  private init(_ folder: TemporaryFolder, seed: UInt64) async throws {
    self.seed = seed
    var options = InboxStore.Options()
    options.now = { [clock] in clock.now }
    options.sleep = { [clock] in try await clock.sleep($0) }
    store = try await InboxStore.open(at: folder.path, options: options)
    inbox = try await store.logIn("alice@example.com", policy: .inbox)
    let tags = (0..<Self.people).flatMap { who in (0..<Self.turns).map { "p\(who)-\($0)" } }
    server = ShakyServer(clock, threads: Self.threads, tags: tags, seed: seed)
    sync = Sync(inbox, with: server, tokens: Doorkeeper())
  }

  static func with(seed: UInt64, _ body: (Commotion) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let commotion = try await Commotion(folder, seed: seed)
    try await body(commotion)
    commotion.sync.stop()
    await commotion.store.close()
  }

  /// Lets the people act, waits until everything is quiet, and returns the fate of each intent.
  func run() async throws -> [String: Fate] {
    sync.start()
    try await settle()
    let decisions = Task { await decide() }
    defer { decisions.cancel() }
    server.faultShare = 100
    let disturbance = Task { try await disturb() }
    let fates = try await liveAll()
    disturbance.cancel()
    _ = await disturbance.result
    server.faultShare = 0
    try await store.resume()
    sync.note(.network(true))
    sync.note(.foreground(true))
    // Answers to the last requests may arrive after the first wait.
    for _ in 0..<2 { try await settle() }
    return fates
  }

  private func settle() async throws {
    try await sync.caughtUp(with: store.core.read { $0.position })
  }

  /// Keeps sending again the operations that may be done already: the server knows their keys.
  private func decide() async {
    while !Task.isCancelled {
      for operation in (try? inbox.openOperations()) ?? [] where operation.state == .uncertain {
        try? await inbox.resolve(operation, .again)
      }
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  private func disturb() async throws {
    var dice = Dice(seed: seed)
    while !Task.isCancelled {
      try await Task.sleep(for: dice.milliseconds(1...30))
      switch dice.number(0...8) {
      case 0:
        await store.suspend()
        try? await Task.sleep(for: dice.milliseconds(0...5))
        try await store.resume()
      case 1: sync.note(.network(false))
      case 2: sync.note(.foreground(false))
      case 3: _ = await sync.refresh()
      default:
        sync.note(.network(true))
        sync.note(.foreground(true))
      }
    }
  }
}

extension Commotion {
  private func liveAll() async throws -> [String: Fate] {
    try await withThrowingTaskGroup(of: [String: Fate].self) { group in
      for who in 0..<Self.people { group.addTask { try await self.live(who) } }
      return try await group.reduce(into: [:]) { $0.merge($1) { _, last in last } }
    }
  }

  private func live(_ who: Int) async throws -> [String: Fate] {
    var (dice, fates) = (Dice(seed: seed &+ UInt64(who + 1)), [String: Fate]())
    let threads = server.threads.map(\.id)
    for turn in 0..<Self.turns {
      let (name, thread) = ("p\(who)-\(turn)", dice.pick(threads) ?? "")
      let fate = await want(name, thread, &dice)
      fates[name] = fate
      let isSuspended = fate == .refused || fate == .unknown
      if isSuspended || dice.happens(300) { try await Task.sleep(for: dice.milliseconds(0...10)) }
    }
    return fates
  }

  private func want(_ name: String, _ thread: String, _ dice: inout Dice) async -> Fate {
    let held: Duration? = dice.happens(300) ? dice.milliseconds(1...3_000) : nil
    let receipt =
      dice.happens(250)
      ? try? await send(name, held) : try? await tag(thread, name, held)
    guard let receipt else { return .refused }
    for _ in 0..<dice.number(0...40) { await Task.yield() }
    do { return try await follow(receipt, &dice) } catch IntentError.tooLate {
      return .wanted
    } catch {
      return .unknown
    }
  }

  private func tag(
    _ thread: String, _ tag: String, _ held: Duration?
  ) async throws -> IntentReceipt {
    try await inbox.perform(.changeTags(MailThread.self, [thread], adding: [tag]), heldFor: held)
  }

  private func send(_ text: String, _ held: Duration?) async throws -> IntentReceipt {
    var draft = Draft(id: inbox.newID(), account: inbox.account)
    draft.to = [Participant(email: "b@x.com")]
    try await inbox.perform(.save(draft, body: text))
    return try await inbox.perform(.send(draft), heldFor: held)
  }

  private func follow(_ receipt: IntentReceipt, _ dice: inout Dice) async throws -> Fate {
    switch dice.number(0...4) {
    case 0, 1:
      try await receipt.withdraw()
      return .takenBack
    case 2: try await receipt.hold(for: dice.milliseconds(1...1_000))
    case 3 where dice.happens(400):
      try await receipt.confirmed()
      return .confirmed
    default: break
    }
    return .wanted
  }

  /// The tags of the threads in the inbox.
  func shown() throws -> [String: Set<String>] {
    try server.threads.reduce(into: [:]) { result, thread in
      result[thread.id] = try inbox.object(MailThread.self, thread.id)?.tagIDs
    }
  }

  /// The tags of the threads on the server.
  var served: [String: Set<String>] {
    server.threads.reduce(into: [:]) { $0[$1.id] = $1.tags }
  }
}
