package import EventStore
import Tideline
package import TidelineSync

/// A rich message as a marketing system has it.
package struct ServedRich: Sendable {
  /// Its id.
  package let id: String
  /// Its subject.
  package var subject: String
  /// Its text.
  package var text: String
  /// When it was sent.
  package let sent: Timestamp
  /// When it begins to be shown.
  package var start: Timestamp
  /// When it ceases to be shown.
  package var end: Timestamp?
  /// Whether its end came sooner than was said.
  package var isRecalled = false
  /// How often it was edited.
  package var edits = 0
}

/// Who asks a rich server: a device, and who is logged in there.
package struct Visitor: Hashable, Sendable {
  /// The device.
  package let device: String
  /// Which of all logins it is.
  package let login: Int

  /// Somebody who is logged in on a device.
  package init(device: String, login: Int) {
    self.device = device
    self.login = login
  }
}

/// The server of a rich inbox: it tells all that is active, and takes what was read and deleted in
/// batches.
package final class RichServer: SimulatedServer {
  /// Whose state it keeps.
  package enum Manner: Hashable, Sendable {
    /// That of devices; what a device has received it is not told again.
    case marketingCloud
    /// That of logins, each of which begins with everything unread.
    case engage
  }

  /// What became of a message for somebody.
  struct Status {
    var isRead = false
    var isDeleted = false
    var isReceived = false
  }

  /// Whose state it keeps.
  package let manner: Manner
  /// Who may ask, by what shows them.
  package var visitors: [Token: Visitor] = [:]
  /// Of a thousand parts of a batch, how many fail.
  package var failingShare = 0
  /// Of a thousand parts of a batch, how many are done without the answer saying so.
  package var unmentionedShare = 0
  /// The least time between two questions.
  package var leastInterval: Duration?
  package private(set) var deeds: [Deed] = []
  package var nextChore: Timestamp? { nil }

  var now: Timestamp
  var dice: Dice
  var messages = Register<ServedRich>() { didSet { revision += 1 } }
  private var statuses: [Visitor: [String: Status]] = [:]
  /// How often something changed.
  private var revision = 0
  /// The next moment at which a message begins or ends, as of a revision.
  private var turn: (revision: Int, at: Timestamp?)?
  private var done: Set<Label> = []
  private var lastQuestion: Timestamp?
  private var lastID = 0

  private struct Label: Hashable {
    let key: OperationKey
    let id: String
    let wanted: ServerRequest.Wanted
  }

  /// The stream that everything is in.
  package static let stream = "rich"

  /// A server without messages.
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

  /// What somebody is told of is the same as long as this is.
  package struct Edition: Hashable, Sendable {
    let visitor: Visitor
    let revision: Int
    let end: Timestamp?
  }

  /// The edition of what somebody is told of now.
  ///
  /// - Complexity: O(1), or O(*n*) in the messages where something has changed.
  package func edition(for token: Token?) throws(ServerFailure) -> Edition {
    let visitor = try visitor(token)
    if turn?.revision != revision || turn?.at.map({ $0 <= now }) == true {
      let moments = messages.all.flatMap { [$0.start, $0.end].compactMap(\.self) }
      turn = (revision, moments.filter { now < $0 }.min())
    }
    return Edition(visitor: visitor, revision: revision, end: turn?.at)
  }

  /// Under whom the state of somebody is kept.
  package func keeper(for visitor: Visitor) -> Visitor {
    // Of a device it doesn't matter who is logged in there, nor of a login on which device.
    switch manner {
    case .marketingCloud: Visitor(device: visitor.device, login: 0)
    case .engage: Visitor(device: "", login: visitor.login)
    }
  }

  func status(of id: String, for visitor: Visitor) -> Status {
    statuses[visitor]?[id] ?? Status()
  }

  /// Turns away who asks too often.
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
    let outcomes = request.parts.map { outcome(of: $0, request.key, visitor) }
    return Settlement(outcomes, status: 200)
  }

  private func outcome(
    of part: ServerRequest.Part, _ key: OperationKey, _ visitor: Visitor
  ) -> PartOutcome {
    guard messages[part.id] != nil else { return .gone }
    if dice.happens(failingShare) { return .failed(.because(.server)) }
    let label = Label(key: key, id: part.id, wanted: part.wanted)
    if done.contains(label) { return .done() }
    switch part.wanted {
    case .read(true): change(part.id, visitor) { $0.isRead = true }
    case .deletion: change(part.id, visitor) { $0.isDeleted = true }
    case .receipt: change(part.id, visitor) { $0.isReceived = true }
    case .opening: break
    default: return .failed(.because(.unsupported))
    }
    if key != OperationKey() { done.insert(label) }
    deeds.append(Deed(key: key, part: part, id: part.id, at: now))
    return dice.happens(unmentionedShare) ? .unmentioned : .done()
  }

  private func change(_ id: String, _ visitor: Visitor, _ body: (inout Status) -> Void) {
    revision += 1
    body(&statuses[visitor, default: [:]][id, default: Status()])
  }
}
