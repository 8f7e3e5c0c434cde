import EventStore

/// What was said around an app and is not taken in yet: of each kind what was said last, and each
/// question once.
struct Hints {
  var isForeground: Bool?
  var isOnline: Bool?
  var isPushed = false
  var isWanted = false
  private var looked: [Question] = []
  private var awaited: RecordNumber?

  /// How many questions are kept: of more the last.
  private static let lookedMax = 64

  /// Whether nothing was said.
  var isEmpty: Bool {
    isForeground == nil && isOnline == nil && !isPushed && !isWanted && looked.isEmpty
      && awaited == nil
  }

  /// Notes that somebody looks at something.
  mutating func look(_ question: Question) {
    guard !looked.contains(question) else { return }
    looked.append(question)
    looked = looked.suffix(Self.lookedMax)
  }

  /// Notes that somebody waits until all is there that the server had after a record.
  mutating func wait(for number: RecordNumber) { awaited = max(awaited ?? number, number) }

  /// Takes out what was said, as events.
  mutating func take() -> [SyncEvent] {
    defer { self = Hints() }
    var events: [SyncEvent] = []
    if let isOnline { events.append(.online(isOnline)) }
    if let isForeground { events.append(.foreground(isForeground)) }
    if isPushed { events.append(.pushed) }
    if isWanted { events.append(.wanted) }
    events += looked.map { .looked($0) }
    if let awaited { events.append(.behind(awaited)) }
    return events
  }
}
