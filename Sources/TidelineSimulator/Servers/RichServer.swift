package import EventStore
import Tideline
package import TidelineSync

/// A rich message on a marketing system.
package struct ServedRich: Sendable {
  /// The id of the message.
  package let id: String
  /// The subject of the message.
  package var subject: String
  /// The text of the message.
  package var text: String
  /// The time it was sent.
  package let sent: Timestamp
  /// The time from which it is shown.
  package var start: Timestamp
  /// The time until which it is shown.
  package var end: Timestamp?
  /// Whether it ended earlier than announced.
  package var isRecalled = false
  /// The number of its edits.
  package var edits = 0
}

/// The client of a rich server: a device, its login, and how often that has logged in.
package struct Visitor: Hashable, Sendable {
  /// The device.
  package let device: String
  /// The number of the login, across all devices.
  package let login: Int
  /// How often the login has begun.
  package let session: Int

  /// Creates the visitor for a login on a device.
  package init(device: String, login: Int, session: Int = 0) {
    self.device = device
    self.login = login
    self.session = session
  }

  /// The visitor whichever the session is.
  fileprivate var person: Visitor { Visitor(device: device, login: login) }
}

/// The server of a rich inbox: it returns all active messages, and accepts readings and deletions
/// in batches.
package final class RichServer: SimulatedServer {
  /// The owner of the message state.
  package enum Manner: Hashable, Sendable {
    /// The device; a received message is not sent to the device again.
    case marketingCloud
    /// The login; everything is unread whenever it begins, and what was deleted stays deleted.
    case engage
  }

  /// The state of a message for a visitor.
  struct Status: Equatable {
    var isRead = false
    var isDeleted = false
    var isReceived = false

    /// The part on which it depends what the visitor is told.
    private func told(by manner: Manner) -> Status {
      switch manner {
      case .marketingCloud: Status(isReceived: isReceived)
      case .engage: Status(isRead: isRead, isDeleted: isDeleted)
      }
    }

    /// Changes the state; returns whether the visitor is told something else since.
    fileprivate mutating func change(
      toldBy manner: Manner, _ body: (inout Status) -> Void
    ) -> Bool {
      let before = told(by: manner)
      body(&self)
      return told(by: manner) != before
    }
  }

  /// The owner of the message state.
  package let manner: Manner
  /// The visitors by their tokens.
  package var visitors: [Token: Visitor] = [:]
  /// The number of parts of batches per thousand that fail.
  package var failingShare = 0
  /// The number of parts of batches per thousand that are done without being mentioned in the
  /// answer.
  package var unmentionedShare = 0
  /// The minimum time between two questions.
  package var leastInterval: Duration?
  package private(set) var deeds: [Deed] = []
  package var nextChore: Timestamp? { nil }

  var now: Timestamp
  var dice: Dice
  var messages = Register<ServedRich>() { didSet { revision += 1 } }
  private var statuses: [Visitor: [String: Status]] = [:]
  /// The number of changes so far to what visitors are told.
  private var revision = 0
  /// The next moment at which a message begins or ends, as of a revision.
  private var turn: (revision: Int, at: Timestamp?)?
  /// What was done on each request that had a key.
  private var done: [OperationKey: Set<Label>] = [:]
  private var lastQuestion: Timestamp?
  private var lastID = 0

  private struct Label: Hashable {
    let id: String
    let wanted: ServerRequest.Wanted
  }

  /// The stream that contains all messages.
  package static let stream = "rich"

  /// Creates a server without messages.
  package init(_ manner: Manner, at now: Timestamp, seed: UInt64) {
    self.manner = manner
    self.now = now
    dice = Dice(seed: seed)
  }

  package var abilities: ServerAbilities {
    var abilities = ServerAbilities()
    abilities.streams = [ServerStream(Self.stream, [.rich], by: .list)]
    abilities.partsMax = 20
    abilities.wantsReceipts = true
    return abilities
  }

  package func advance(to now: Timestamp) { self.now = max(self.now, now) }

  func newID() -> String {
    lastID += 1
    return "r\(lastID)"
  }

  func visitor(_ token: Token?) throws(ServerFailure) -> Visitor {
    guard let visitor = token.flatMap({ visitors[$0] }) else { throw .because(.unauthorized) }
    return keeper(for: visitor)
  }

  /// A key for a visitor's messages: while it stays equal, so do they.
  package struct Edition: Hashable, Sendable {
    let visitor: Visitor
    let revision: Int
    let end: Timestamp?
  }

  /// Returns the current edition of a visitor's messages.
  ///
  /// - Complexity: O(1), or O(*n*) in the messages after a change.
  package func edition(for token: Token?) throws(ServerFailure) -> Edition {
    let visitor = try visitor(token)
    if turn?.revision != revision || turn?.at.map({ $0 <= now }) == true {
      let moments = messages.all.flatMap { [$0.start, $0.end].compactMap(\.self) }
      turn = (revision, moments.filter { now < $0 }.min())
    }
    return Edition(visitor: visitor, revision: revision, end: turn?.at)
  }

  /// Returns the visitor under whom a visitor's state is kept.
  package func keeper(for visitor: Visitor) -> Visitor {
    // State by device ignores the login, and state by login ignores the device.
    switch manner {
    case .marketingCloud: Visitor(device: visitor.device, login: 0)
    case .engage: Visitor(device: "", login: visitor.login, session: visitor.session)
    }
  }

  func status(of id: String, for visitor: Visitor) -> Status {
    var status = statuses[visitor]?[id] ?? Status()
    status.isDeleted = statuses[visitor.person]?[id]?.isDeleted == true
    return status
  }

  /// Refuses questions that follow too soon.
  package func throttle() throws(ServerFailure) {
    defer { lastQuestion = now }
    guard let leastInterval, let lastQuestion else { return }
    let free = lastQuestion.advanced(by: leastInterval)
    guard now < free else { return }
    throw .because(.throttled, after: .milliseconds(free.milliseconds(since: now)))
  }

  package func perform(
    _ request: ServerRequest, token: Token?
  ) throws(ServerFailure) -> Settlement {
    let visitor = try visitor(token)
    var done = self.done.removeValue(forKey: request.key) ?? []
    let outcomes = request.parts.map { outcome(of: $0, request.key, visitor, &done) }
    if request.key != OperationKey() { self.done[request.key] = done }
    return Settlement(outcomes, status: 200)
  }

  private func outcome(
    of part: ServerRequest.Part, _ key: OperationKey, _ visitor: Visitor,
    _ done: inout Set<Label>
  ) -> PartOutcome {
    guard messages[part.id] != nil else { return .gone }
    if dice.happens(failingShare) { return .failed(.because(.server)) }
    let label = Label(id: part.id, wanted: part.wanted)
    if done.contains(label) { return .done() }
    switch part.wanted {
    case .read(true): change(part.id, visitor) { $0.isRead = true }
    case .deletion: change(part.id, visitor.person) { $0.isDeleted = true }
    case .receipt: change(part.id, visitor) { $0.isReceived = true }
    case .opening: break
    default: return .failed(.because(.unsupported))
    }
    if key != OperationKey() { done.insert(label) }
    deeds.append(Deed(key: key, part: part, id: part.id, at: now))
    return dice.happens(unmentionedShare) ? .unmentioned : .done()
  }

  private func change(_ id: String, _ visitor: Visitor, _ body: (inout Status) -> Void) {
    let isNews = statuses[visitor, default: [:]][id, default: Status()]
      .change(toldBy: manner, body)
    if isNews { revision += 1 }
  }
}
