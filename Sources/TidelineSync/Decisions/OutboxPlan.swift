import EventStore
import Tideline

/// Decides which operations to send now: those on one object in sequence, those on several objects
/// in parallel, and equal actions in one request.
struct OutboxPlan {
  /// The result of a decision.
  struct Decision {
    /// The requests to send.
    var departures: [Departure] = []
    /// The events of operations that need no server.
    var events: [any InboxEvent] = []
    /// Messages, by their intents, for which it must be found out whether they were sent.
    var doubts: [OutboxEntry] = []
    /// When to decide again.
    var wakeUp: Timestamp?
  }

  /// The progress of finding out whether an attempt at an operation succeeded.
  private struct Doubt {
    let attempts: Int
    /// Whether the server is being asked.
    var isAsked = true
    /// Whether one search found nothing.
    var wasMissed = false
    /// The number of consecutive inconclusive attempts.
    var failures = 0
    /// The time before which the server is not asked again.
    var wait: Wait?
  }

  /// The requests whose start was recorded.
  private var departures: [Int: Departure] = [:]
  /// Those whose turn to be sent has not come, in order.
  private var queue: [Int] = []
  private var busy: Set<RowLink> = []
  /// The rows of the operations of the requests, and of `ended`, whose objects may become others
  /// meanwhile.
  private var underWay: Set<RowID> = []
  /// The operations of requests whose results may not be visible yet: nothing else goes for their
  /// objects.
  private var ended: [OutboxEntry] = []
  private var search: OutboxSearch?
  private var doubts: [OutboxEntry.Name: Doubt] = [:]
  private var lastID = 0

  /// Whether a decision is in progress.
  var isSearching: Bool { search != nil }

  /// The number of requests to start before their turn.
  ///
  /// Their start is then durable by that time, and one decision covers several.
  private static func aheadMax(_ abilities: ServerAbilities) -> Int {
    abilities.takesMany ? 0 : abilities.requestsMax
  }

  /// The number of uploads at a time, which leaves room for other requests.
  private static func uploadsMax(_ abilities: ServerAbilities) -> Int {
    max(abilities.requestsMax / 2, 1)
  }

  /// The number of requests that may still go.
  private func turnsLeft(_ abilities: ServerAbilities) -> Int {
    abilities.requestsMax - (departures.count - queue.count)
  }

  /// Returns whether a search is worthwhile.
  func hasRoom(_ abilities: ServerAbilities) -> Bool {
    turnsLeft(abilities) > queue.count || queue.count < Self.aheadMax(abilities) / 2
  }

  /// Takes operations to send from the outbox, in steps; `nil` means to call again, possibly with a
  /// later snapshot.
  mutating func next(
    of login: Login, _ snapshot: borrowing StoreSnapshot, _ abilities: ServerAbilities,
    at now: Timestamp
  ) throws -> Decision? {
    var search = self.search.take() ?? newSearch(abilities, at: snapshot.position)
    for var chain in try search.nextChains(of: login.account, snapshot)
    where search.cargo.hasRoom && chain.read(from: snapshot) {
      search.seen.insert(chain.object)
      guard search.cargo.mayTake(chain.entries[0]) else { continue }
      switch chain.verdict(snapshot, login.account, abilities, beside: underWay, at: now) {
      case .go(let part, let entries): search.cargo.add(part, entries)
      case .record(let events): search.settled.append((chain, events))
      case .doubt(let entry): doubt(entry, &search.decision, at: now)
      case .wait(let until):
        search.decision.wakeUp = [search.decision.wakeUp, until].compactMap(\.self).min()
      }
    }
    guard search.isOver else {
      self.search = search
      return nil
    }
    search.end(snapshot, at: now)
    for load in search.cargo.loads {
      let departure = departure(of: load)
      // A request that must not run twice is started only in its turn, and no other passes it.
      guard departure.isRepeatable || queue.count < turnsLeft(abilities) else { break }
      begin(departure)
      search.decision.departures.append(departure)
    }
    return search.decision
  }

  private func newSearch(_ abilities: ServerAbilities, at position: Position) -> OutboxSearch {
    let room = abilities.requestsMax + Self.aheadMax(abilities) - departures.count
    let uploads = departures.values.count { $0.request.parts.first?.wanted.isUpload == true }
    return OutboxSearch(
      except: busy, underWay, room: hasRoom(abilities) ? room : 0,
      uploads: Self.uploadsMax(abilities) - uploads, abilities, at: position)
  }

  /// Abandons a decision in progress.
  mutating func endSearch() { search = nil }

  private mutating func doubt(
    _ entry: OutboxEntry, _ decision: inout Decision, at now: Timestamp
  ) {
    var doubt = Doubt(attempts: entry.attempts)
    if var known = doubts[entry.name], known.attempts == entry.attempts {
      guard !known.isAsked else { return }
      // A request on its way does not arrive sooner because the clock is set back.
      if known.wasMissed { known.wait = known.wait?.begunAgain(ifSetBackAt: now) }
      doubts[entry.name] = known
      if let end = known.wait?.end(at: now) {
        decision.wakeUp = [decision.wakeUp, end].compactMap(\.self).min()
        return
      }
      doubt = known
    }
    doubt.isAsked = true
    doubts[entry.name] = doubt
    decision.doubts.append(entry)
  }

  private func departure(of load: Cargo.Load) -> Departure {
    var departure = Departure(
      id: lastID + 1, request: ServerRequest(load.parts), parts: load.entries)
    for place in load.parts.indices {
      departure.request.parts[place].wasTriedBefore = departure.wasSentBefore(place)
    }
    return departure
  }

  private mutating func begin(_ departure: Departure) {
    lastID = departure.id
    departures[departure.id] = departure
    queue.append(departure.id)
    for entry in departure.entries {
      busy.insert(entry.object)
      underWay.insert(entry.row)
    }
  }

  /// Dequeues the requests whose turn has come.
  mutating func takeTurns(_ abilities: ServerAbilities) -> [Departure] {
    let turns = queue.prefix(max(turnsLeft(abilities), 0))
    queue.removeFirst(turns.count)
    return turns.compactMap { departures[$0] }
  }

  /// Withdraws all requests whose turn has not come.
  mutating func recall() -> [Departure] {
    defer { queue = [] }
    return queue.compactMap { arrived($0) }
  }

  /// Returns a request that has not ended.
  func departure(_ id: Int) -> Departure? { departures[id] }

  /// Removes a request that has ended; until its result is visible, nothing else goes for its
  /// objects.
  mutating func arrived(_ id: Int) -> Departure? {
    guard let departure = departures.removeValue(forKey: id) else { return nil }
    ended += departure.entries
    return departure
  }

  /// Notes that the results of all requests that have ended are visible.
  mutating func resultsAreVisible() {
    for entry in ended {
      busy.remove(entry.object)
      underWay.remove(entry.row)
    }
    ended = []
  }

  /// Notes that the outcome of an operation is known.
  mutating func resolved(_ name: OutboxEntry.Name) { doubts[name] = nil }

  /// Notes that the outcome of an operation is still unknown; the server is asked again after
  /// growing waits.
  mutating func unanswered(
    _ name: OutboxEntry.Name, at now: Timestamp, _ backoff: Backoff, draw: UInt64
  ) {
    guard var doubt = doubts[name] else { return }
    doubt.failures += 1
    let wait = backoff.wait(after: doubt.failures, atLeast: nil, draw: draw)
    (doubt.isAsked, doubt.wait) = (false, Wait(wait, from: now))
    doubts[name] = doubt
  }

  /// Notes that the server does not know an operation as done; returns whether that is certain.
  ///
  /// A request on its way may still arrive, so the search is done twice.
  mutating func missed(_ name: OutboxEntry.Name, at now: Timestamp) -> Bool {
    // The answer to an earlier search may come late.
    guard var doubt = doubts[name], doubt.isAsked else { return false }
    if doubt.wasMissed {
      doubts[name] = nil
      return true
    }
    let wait = Wait(Self.arrivalMax, from: now)
    (doubt.isAsked, doubt.wasMissed, doubt.failures, doubt.wait) = (false, true, 0, wait)
    doubts[name] = doubt
    return false
  }

  /// The longest time for which an abandoned request may still be on its way.
  static let arrivalMax = Duration.seconds(60)
}
