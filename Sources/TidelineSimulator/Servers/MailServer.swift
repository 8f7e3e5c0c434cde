package import EventStore
package import Tideline
package import TidelineSync

/// The server of a mailbox, as the Inbox API has it: cursors, unstable pages, versions, and tags
/// that threads and messages share.
package final class MailServer: SimulatedServer {
  /// What it does differently from others.
  package let manners: MailManners
  /// What shows it who asks; others are turned away.
  package var token = Token("mail")
  /// Whether the account may do anything but look.
  package var isForbidden = false
  package internal(set) var deeds: [Deed] = []
  /// What was removed, the first first.
  package internal(set) var removed: [ObjectName] = []

  package internal(set) var now: Timestamp { didSet { log.now = now } }
  var dice: Dice
  var threads = Register<ServedThread>()
  var messages = Register<ServedMessage>()
  var tags = Register<ServedTag>()
  var files = Register<ServedFile>()
  var contacts = Register<ServedContact>()
  var log: TransactionLog
  var chores: [Chore] = []
  private var lastID = 0
  private var known: [OperationKey: (settlement: Settlement, at: Timestamp)] = [:]

  /// The stream that everything is in.
  package static let stream = "mail"
  /// The tags that every mailbox has.
  package static let wellKnown = [
    "inbox", "archive", "unread", "unseen", "starred", "sent", "drafts", "trash", "spam",
  ]
  /// The classes of its objects: first those that others refer to, last those that sum up others.
  package static let classes: [ObjectClass] = [.tag, .contact, .file, .message, .draft, .thread]

  /// A mailbox without mail.
  package init(_ manners: MailManners = MailManners(), at now: Timestamp, seed: UInt64) {
    self.manners = manners
    self.now = now
    dice = Dice(seed: seed)
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

  /// Has new ids be behind a number, so that they are none that were given elsewhere before it.
  package func skipIDs(to number: Int) { lastID = max(lastID, number) }

  /// An id that nothing had yet.
  func newID(_ prefix: String) -> String {
    lastID += 1
    return prefix + String(lastID, radix: 36)
  }

  /// Turns away who may not ask.
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

  /// What became of a request that had the same key, where it is known still.
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

  /// What an object is now: a draft may be a message by now.
  private func present(_ objectClass: ObjectClass, _ id: String) -> ObjectName {
    guard objectClass == .draft, messages[id]?.isDraft == false else {
      return ObjectName(objectClass, id)
    }
    return ObjectName(.message, id)
  }
}
