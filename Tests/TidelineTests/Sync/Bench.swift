import EventStore
import Tideline
import TidelineSync

/// An inbox, and a synchronization machine whose decisions are inspected.
final class Bench {
  let inbox: Inbox
  let desk: TestDesk
  var machine: SyncMachine

  private init(_ inbox: Inbox, _ desk: TestDesk, _ abilities: ServerAbilities) {
    (self.inbox, self.desk) = (inbox, desk)
    machine = SyncMachine(Login(account: inbox.account, epoch: 1), abilities, seed: 7)
  }

  /// Runs `body` with a bench of three threads and three rich messages, all unread.
  static func with(
    _ abilities: ServerAbilities = .sink, _ policy: PolicySwitches = .inbox,
    _ body: (Bench) async throws -> Void
  ) async throws {
    try await TestDesk.withInbox(policy) { inbox, desk in
      try await inbox.tell(threads: [
        "a": ["inbox", "unread"], "b": ["inbox", "unread"], "c": ["inbox", "unread"],
      ])
      try await inbox.tell(rich: "r1", "r2", "r3")
      try await body(Bench(inbox, desk, abilities))
    }
  }

  /// Returns the actions for an event, after recording what they record.
  @discardableResult
  func take(
    _ event: SyncEvent = .recorded, isLast: Bool = true
  ) async throws -> [SyncAction] {
    let now = desk.now.kept
    let actions = try inbox.store.core.read {
      try machine.take(event, isLast: isLast, $0, at: now)
    }
    for case .record(let events, _) in actions {
      for event in events {
        try await inbox.record(event, epoch: machine.login.epoch, at: desk.now)
      }
    }
    for case .begin(let departures) in actions {
      for event in departures.flatMap(\.beginning) {
        try await inbox.record(event, epoch: machine.login.epoch, at: desk.now)
      }
    }
    for case .take(_, let events, _) in actions {
      for event in events {
        try await inbox.record(event, epoch: machine.login.epoch, at: desk.now)
      }
    }
    guard actions.contains(where: \.isRecording) else { return actions }
    return actions + (try await take(.recorded))
  }

  /// Whether a refresh is over for those who wait for it, and how.
  enum Result { case success, failure }

  /// Returns the result of a refresh by its number, once it is over.
  func result(of number: Int) throws -> Result? {
    let now = desk.now.kept
    let standing = try inbox.store.core.read { try machine.standing($0, at: now) }
    return switch standing.result(of: number) {
    case .success: .success
    case .failure: .failure
    case nil: nil
    }
  }

  /// The inbox's synchronization status.
  var status: SyncStatus {
    get throws {
      let now = desk.now.kept
      return try inbox.store.core.read { try machine.status($0, at: now) }
    }
  }

  /// Returns the requests sent for an event.
  func sent(_ event: SyncEvent = .recorded) async throws -> [(id: Int, request: ServerRequest)] {
    try await take(event).requests
  }

  /// Returns the names of the requests sent for an event.
  func names(_ event: SyncEvent = .recorded) async throws -> [String] {
    try await take(event).compactMap { action in
      if case .send(let next) = action { "\(next.intent) \(next.label)" } else { nil }
    }
  }

  /// Returns the outcome of a request that a server has performed.
  func done(_ request: ServerRequest) -> SyncEvent.Performed {
    .success(Settlement(request.parts.map { _ in .done(version: 9) }, status: 200))
  }
}

extension [SyncAction] {
  /// The questions, with their purposes.
  var asked: [QuestionID] {
    compactMap { if case .ask(let id) = $0 { id } else { nil } }
  }

  /// The questions asked.
  var questions: [Question] { asked.map(\.question) }

  /// The wake-up times.
  var wakeUps: [Timestamp?] {
    compactMap { if case .wake(let moment) = $0 { .some(moment) } else { nil } }
  }

  /// Whether a token is asked for.
  var areAuthorizing: Bool {
    contains { if case .authorize = $0 { true } else { false } }
  }

  /// The requests sent.
  var requests: [(id: Int, request: ServerRequest)] { departures.map { ($0.id, $0.request) } }

  /// The requests sent, with their operations.
  var departures: [Departure] {
    compactMap { if case .send(let departure) = $0 { departure } else { nil } }
  }
}

extension SyncEvent {
  /// The outcome of a request.
  typealias Performed = Result<Settlement, ServerFailure>
}
