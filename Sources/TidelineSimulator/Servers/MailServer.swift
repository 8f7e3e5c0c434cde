package import EventStore
package import Tideline
package import TidelineSync

/// The server of a mailbox with the properties of the Inbox API: cursors, unstable pages, versions,
/// and tags shared by threads and messages.
package final class MailServer: SimulatedServer {
  /// The manners of this server.
  package let manners: MailManners
  /// The token of the account; requests with others are refused.
  package var token = Token("mail")
  /// Whether the account is read-only.
  package var isForbidden = false
  package internal(set) var deeds: [Deed] = []
  /// The removed objects, in order.
  package internal(set) var removed: [ObjectName] = []

  package internal(set) var now: Timestamp { didSet { log.now = now } }
  var dice: Dice
  /// The dice for the lengths of pages of all objects.
  var pageDice: Dice
  var threads = Register<ServedThread>()
  var messages = Register<ServedMessage>()
  var tags = Register<ServedTag>()
  var files = Register<ServedFile>()
  var contacts = Register<ServedContact>()
  var log: TransactionLog
  var chores: [Chore] = []
  private var lastID = 0
  private var known: [OperationKey: (settlement: Settlement, at: Timestamp)] = [:]

  /// The stream that contains all objects.
  package static let stream = "mail"
  /// The tags of every mailbox.
  package static let wellKnown = [
    "inbox", "archive", "unread", "unseen", "starred", "sent", "drafts", "trash", "spam",
  ]
  /// The classes of its objects.
  ///
  /// Classes that others refer to come first, and those that summarize others last.
  package static let classes: [ObjectClass] = [.tag, .contact, .file, .message, .draft, .thread]

  /// Creates a mailbox without mail.
  package init(_ manners: MailManners = MailManners(), at now: Timestamp, seed: UInt64) {
    self.manners = manners
    self.now = now
    (dice, pageDice) = (Dice(seed: seed), Dice(seed: seed ^ 0xB8AC))
    log = TransactionLog(at: now)
    for name in Self.wellKnown { tags[name] = ServedTag(id: name, name: name, isOwn: false) }
    for name in Self.wellKnown { log.add(.create, ObjectName(.tag, name)) }
  }

  package var abilities: ServerAbilities {
    var abilities = ServerAbilities()
    var stream = ServerStream(
      Self.stream, Self.classes, by: .changes, pageMax: manners.pageMax)
    stream.isFollowed = manners.tellsChanges
    abilities.streams = [stream]
    abilities.partsMax = manners.partsMax
    abilities.findsSent = manners.findsSent
    return abilities
  }

  /// Makes new ids start after a number, so that they differ from ids given elsewhere before.
  package func skipIDs(to number: Int) { lastID = max(lastID, number) }

  /// Returns a new id.
  func newID(_ prefix: String) -> String {
    lastID += 1
    return prefix + String(lastID, radix: 36)
  }

  /// Refuses a wrong token.
  func admit(_ token: Token?) throws(ServerFailure) {
    guard token == self.token else { throw .because(.unauthorized) }
  }

  package func perform(
    _ request: ServerRequest, token: Token?
  ) throws(ServerFailure) -> Settlement {
    try admit(token)
    guard !isForbidden else { throw .because(.forbidden) }
    if let settlement = settlement(of: request.key) { return settlement }
    let before = deeds.count
    let settlement = settle(request)
    if deeds.count > before, request.key != OperationKey() {
      known[request.key] = (settlement, now)
    }
    if request.parts.count == 1, case .failed(let failure)? = settlement.outcomes.first {
      throw failure
    }
    return settlement
  }

  /// Returns the settlement of an earlier request with the same key, if it is still known.
  private func settlement(of key: OperationKey) -> Settlement? {
    guard let interval = manners.keyInterval, let known = known[key],
      now < known.at.advanced(by: interval)
    else { return nil }
    return known.settlement
  }

  private func settle(_ request: ServerRequest) -> Settlement {
    var settlement = Settlement([], status: 200)
    for part in request.parts {
      settlement.outcomes.append(outcome(of: part, request.key))
      guard let deed = deeds.last, deed.key == request.key, deed.part.id == part.id,
        dice.happens(manners.tellingShare)
      else { continue }
      settlement.facts += fact(present(part.objectClass, deed.id), .changed).map { [$0] } ?? []
    }
    return settlement
  }

  /// Returns the current name of an object; a draft may have become a message.
  private func present(_ objectClass: ObjectClass, _ id: String) -> ObjectName {
    guard objectClass == .draft, messages[id]?.isDraft == false else {
      return ObjectName(objectClass, id)
    }
    return ObjectName(.message, id)
  }
}
