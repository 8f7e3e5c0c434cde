import EventStore

/// Hints from around the app that are not handled yet: the latest of each kind, and each question
/// once.
package struct Hints {
  var isForeground: Bool?
  private(set) var isOnline: Bool?
  /// Whether the network was unavailable in between, which ends connections.
  private var wasOffline = false
  var isPushed = false
  var isWanted = false
  private var looked: [Question] = []
  private var awaited: RecordNumber?

  /// The most questions kept; the latest ones win.
  private static let lookedMax = 64

  /// Creates a set without hints.
  package init() {}

  /// Whether there are no hints.
  var isEmpty: Bool {
    isForeground == nil && isOnline == nil && !isPushed && !isWanted && looked.isEmpty
      && awaited == nil
  }

  /// Notes that the network became available or unavailable.
  mutating func connect(_ isOnline: Bool) {
    self.isOnline = isOnline
    if !isOnline { wasOffline = true }
  }

  /// Notes that somebody views something.
  mutating func look(_ question: Question) {
    guard !looked.contains(question) else { return }
    looked.append(question)
    looked = looked.suffix(Self.lookedMax)
  }

  /// Notes that somebody waits until everything that the server had after a record is here.
  mutating func wait(for number: RecordNumber) { awaited = max(awaited ?? number, number) }

  /// Puts events back that were not handled, except manual refreshes; later hints replace them.
  mutating func putBack(_ events: some Sequence<SyncEvent>) {
    let later = take()
    for event in Array(events) + later { add(event) }
    isWanted = later.contains { $0.isRequestByHand == true }
  }

  /// Notes an event; one that comes from no hint is left out.
  package mutating func add(_ event: SyncEvent) {
    switch event {
    case .online(let isOnline): connect(isOnline)
    case .foreground(let isForeground): self.isForeground = isForeground
    case .pushed: isPushed = true
    case .wanted: isWanted = true
    case .looked(let question): look(question)
    case .awaited(let number): wait(for: number)
    default: break
    }
  }

  /// Removes the hints and returns them as events.
  package mutating func take() -> [SyncEvent] {
    defer { self = Hints() }
    var events: [SyncEvent] = []
    if wasOffline, isOnline == true { events.append(.online(false)) }
    if let isOnline { events.append(.online(isOnline)) }
    if let isForeground { events.append(.foreground(isForeground)) }
    if isPushed { events.append(.pushed) }
    if isWanted { events.append(.wanted) }
    events += looked.map { .looked($0) }
    if let awaited { events.append(.awaited(awaited)) }
    return events
  }
}
