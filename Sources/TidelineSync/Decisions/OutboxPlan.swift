import EventStore
import Tideline

/// Decides which operations go now: those of an object one after the other, those of several
/// objects at the same time, and together what wants the same.
struct OutboxPlan {
  /// What was decided.
  struct Decision {
    /// What is to be sent.
    var departures: [Departure] = []
    /// What is to be recorded of operations that need no server.
    var events: [any InboxEvent] = []
    /// Messages of which it is to be found out whether they were sent, by their intents.
    var doubts: [OutboxEntry] = []
    /// When to look again.
    var wakeUp: Timestamp?
  }

  /// How far it is with finding out whether an operation was done.
  private struct Doubt {
    /// Whether the server is being asked.
    var isAsked = true
    /// Whether it was looked for in vain once.
    var wasMissed = false
    /// How often nobody could say, one time after the other.
    var failures = 0
    /// Before which the server is not asked again.
    var wait: Wait?
  }

  /// The requests that are begun.
  private var departures: [Int: Departure] = [:]
  /// Those of them whose turn to be sent has not come, in their order.
  private var queue: [Int] = []
  private var busy: Set<RowLink> = []
  private var search: OutboxSearch?
  private var doubts: [OutboxEntry.Name: Doubt] = [:]
  private var lastID = 0

  /// Whether a decision is being made.
  var isSearching: Bool { search != nil }

  /// How many requests are begun before their turn: so that it is durable that they are when it
  /// comes, and one decision is about several.
  private static func aheadMax(_ abilities: ServerAbilities) -> Int {
    abilities.partsMax > 1 ? 0 : abilities.requestsMax
  }

  /// How many more may be sent.
  private func turnsLeft(_ abilities: ServerAbilities) -> Int {
    abilities.requestsMax - (departures.count - queue.count)
  }

  /// Whether it is worth looking for more.
  func hasRoom(_ abilities: ServerAbilities) -> Bool {
    turnsLeft(abilities) > queue.count || queue.count < Self.aheadMax(abilities) / 2
  }

  /// Takes what may go now out of the outbox, in steps: `nil` where it is to be called again, with
  /// a snapshot that may be a later one.
  mutating func next(
    of login: Login, _ snapshot: borrowing StoreSnapshot, _ abilities: ServerAbilities,
    at now: Timestamp
  ) throws -> Decision? {
    var search = self.search.take() ?? newSearch(abilities, at: snapshot.position)
    for var chain in try search.nextChains(of: login.account, snapshot)
    where search.cargo.hasRoom && chain.read(from: snapshot) {
      search.seen.insert(chain.object)
      switch chain.verdict(snapshot, login.account, abilities, at: now) {
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
      // What is not to be done twice is begun when its turn has come, and nothing goes before it.
      guard departure.isRepeatable || queue.count < turnsLeft(abilities) else { break }
      begin(departure)
      search.decision.departures.append(departure)
    }
    return search.decision
  }

  private func newSearch(_ abilities: ServerAbilities, at position: Position) -> OutboxSearch {
    let room = abilities.requestsMax + Self.aheadMax(abilities) - departures.count
    return OutboxSearch(
      except: busy, room: hasRoom(abilities) ? room : 0, abilities, at: position)
  }

  /// Makes no decision that is being made.
  mutating func endSearch() { search = nil }

  private mutating func doubt(
    _ entry: OutboxEntry, _ decision: inout Decision, at now: Timestamp
  ) {
    if let doubt = doubts[entry.name] {
      guard !doubt.isAsked else { return }
      if let end = doubt.wait?.end(at: now) {
        decision.wakeUp = [decision.wakeUp, end].compactMap(\.self).min()
        return
      }
    }
    doubts[entry.name, default: Doubt()].isAsked = true
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
    busy.formUnion(departure.entries.map(\.object))
  }

  /// The requests whose turn has come.
  mutating func takeTurns(_ abilities: ServerAbilities) -> [Departure] {
    let turns = queue.prefix(max(turnsLeft(abilities), 0))
    queue.removeFirst(turns.count)
    return turns.compactMap { departures[$0] }
  }

  /// Takes back all requests whose turn has not come.
  mutating func recall() -> [Departure] {
    defer { queue = [] }
    return queue.compactMap { arrived($0) }
  }

  /// Takes back a request that has come to an end.
  mutating func arrived(_ id: Int) -> Departure? {
    guard let departure = departures.removeValue(forKey: id) else { return nil }
    busy.subtract(departure.entries.map(\.object))
    return departure
  }

  /// Notes that it was found out what became of an operation.
  mutating func resolved(_ name: OutboxEntry.Name) { doubts[name] = nil }

  /// Notes that nobody could say what became of an operation: it is asked again after a while,
  /// later each time.
  mutating func unanswered(
    _ name: OutboxEntry.Name, at now: Timestamp, _ backoff: Backoff, draw: UInt64
  ) {
    guard var doubt = doubts[name] else { return }
    doubt.failures += 1
    let wait = backoff.wait(behind: doubt.failures, atLeast: nil, draw: draw)
    (doubt.isAsked, doubt.wait) = (false, Wait(wait, from: now))
    doubts[name] = doubt
  }

  /// Notes that an operation was not done as far as the server knows; returns whether that is
  /// certain: what is on its way may arrive yet, so it is looked for twice.
  mutating func missed(_ name: OutboxEntry.Name, at now: Timestamp) -> Bool {
    if doubts[name]?.wasMissed == true {
      doubts[name] = nil
      return true
    }
    let wait = Wait(Self.arrivalMax, from: now)
    doubts[name] = Doubt(isAsked: false, wasMissed: true, wait: wait)
    return false
  }

  /// How long a request is on its way at most that nobody waits for any more.
  static let arrivalMax = Duration.seconds(60)
}
