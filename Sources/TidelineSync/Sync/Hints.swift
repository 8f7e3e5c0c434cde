import EventStore

/// Hints from around the app that are not handled yet: the latest of each kind, and each question
/// once.
struct Hints {
  var isForeground: Bool?
  var isOnline: Bool?
  var isPushed = false
  var isWanted = false
  private var looked: [Question] = []
  private var awaited: RecordNumber?

  /// The most questions kept; the latest ones win.
  private static let lookedMax = 64

  /// Whether there are no hints.
  var isEmpty: Bool {
    isForeground == nil && isOnline == nil && !isPushed && !isWanted && looked.isEmpty
      && awaited == nil
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
    let later = looked
    looked = []
    for event in events {
      switch event {
      case .online(let isOnline): self.isOnline = self.isOnline ?? isOnline
      case .foreground(let isForeground): self.isForeground = self.isForeground ?? isForeground
      case .pushed: isPushed = true
      case .looked(let question): look(question)
      case .awaited(let number): wait(for: number)
      default: break
      }
    }
    later.forEach { look($0) }
  }

  /// Removes the hints and returns them as events.
  mutating func take() -> [SyncEvent] {
    defer { self = Hints() }
    var events: [SyncEvent] = []
    if let isOnline { events.append(.online(isOnline)) }
    if let isForeground { events.append(.foreground(isForeground)) }
    if isPushed { events.append(.pushed) }
    if isWanted { events.append(.wanted) }
    events += looked.map { .looked($0) }
    if let awaited { events.append(.awaited(awaited)) }
    return events
  }
}
