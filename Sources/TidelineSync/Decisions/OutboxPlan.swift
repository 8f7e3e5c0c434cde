import EventStore
import Tideline

/// Decides which operations go now: those of an object one after the other, those of several
/// objects at the same time, and together what wants the same.
struct OutboxPlan {
  /// A request on its way, with the operations that each of its parts is of.
  struct Departure: Sendable {
    let id: Int
    let request: ServerRequest
    let parts: [[OutboxEntry]]

    /// All of its operations.
    var entries: [OutboxEntry] { parts.flatMap(\.self) }
  }

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

  /// How many parts there are in the requests of one decision, if there is more than one of these.
  private static let decisionPartsMax = 1024
  /// How many operations are looked at together at most.
  static let pageMax = 1024
  /// How many are looked at together at least, so that those on one object that take back each
  /// other are seen together.
  private static let pageMin = 64

  /// How far it is with finding out whether an operation was done.
  private enum Doubt {
    /// The server is asked.
    case asked
    /// It was looked for in vain, and is looked for once more at a time.
    case missed(until: Timestamp)
    /// The server is asked once more.
    case askedAgain
  }

  private(set) var departures: [Int: Departure] = [:]
  private var busy: Set<RowLink> = []
  private var doubts: [OutboxEntry.Name: Doubt] = [:]
  private var lastID = 0

  /// Takes what may go now out of the outbox.
  mutating func next(
    of login: Login, _ snapshot: borrowing StoreSnapshot, _ abilities: ServerAbilities,
    at now: Timestamp
  ) throws -> Decision {
    var (decision, seen, place, count) = (Decision(), busy, 0, 0)
    // Of large requests one after the other: who reads waits for as long as this takes.
    let partsMax = min(max(abilities.partsMax, 1), Self.decisionPartsMax)
    let roomMax = Self.decisionPartsMax / partsMax
    let room = min(abilities.requestsMax - departures.count, roomMax)
    var cargo = Cargo(abilities, room: room)
    // As many as go if nothing holds them up, behind those that are on their way.
    let expected = room * partsMax + 1
    var size = min(max(busy.count + expected, Self.pageMin), Self.pageMax)
    while cargo.hasRoomForOther || cargo.hasRoom && count < expected {
      let page = try snapshot.outbox(
        of: login.account, in: place..<(place + size), except: seen)
      count += page.entries.count
      for chain in OutboxChain.chains(of: page.entries) where cargo.hasRoom {
        seen.insert(chain.object)
        switch chain.verdict(snapshot, login.account, abilities, at: now) {
        case .go(let part, let entries): cargo.add(part, entries)
        case .record(let events): decision.events += events
        case .doubt(let entry): doubt(entry, &decision, at: now)
        case .wait(let until):
          decision.wakeUp = [decision.wakeUp, until].compactMap(\.self).min()
        }
      }
      guard !page.isLast else { break }
      (place, size) = (place + size, Self.pageMax)
    }
    for load in cargo.loads { decision.departures.append(depart(load)) }
    return decision
  }

  private mutating func doubt(
    _ entry: OutboxEntry, _ decision: inout Decision, at now: Timestamp
  ) {
    switch doubts[entry.name] {
    case .asked, .askedAgain: break
    case .missed(let again) where again > now:
      decision.wakeUp = [decision.wakeUp, again].compactMap(\.self).min()
    case .missed:
      doubts[entry.name] = .askedAgain
      decision.doubts.append(entry)
    case nil:
      doubts[entry.name] = .asked
      decision.doubts.append(entry)
    }
  }

  private mutating func depart(_ load: Cargo.Load) -> Departure {
    lastID += 1
    let departure = Departure(
      id: lastID, request: ServerRequest(load.parts), parts: load.entries)
    departures[lastID] = departure
    busy.formUnion(departure.entries.map(\.object))
    return departure
  }

  /// Takes back a request that has come to an end.
  mutating func arrived(_ id: Int) -> Departure? {
    guard let departure = departures.removeValue(forKey: id) else { return nil }
    busy.subtract(departure.entries.map(\.object))
    return departure
  }

  /// Notes that it was found out what became of an operation, or that nobody answered.
  mutating func resolved(_ name: OutboxEntry.Name) { doubts[name] = nil }

  /// Notes that an operation was not done as far as the server knows; returns whether that is
  /// certain: what is on its way may arrive yet, so it is looked for twice.
  mutating func missed(_ name: OutboxEntry.Name, at now: Timestamp) -> Bool {
    if case .askedAgain = doubts[name] {
      doubts[name] = nil
      return true
    }
    doubts[name] = .missed(until: now.advanced(by: Self.arrivalMax))
    return false
  }

  /// How long a request is on its way at most that nobody waits for any more.
  static let arrivalMax = Duration.seconds(60)
}

/// Requests as they are being filled.
struct Cargo {
  /// A request.
  struct Load {
    var parts: [ServerRequest.Part]
    var entries: [[OutboxEntry]]
  }

  private(set) var loads: [Load] = []
  private let room: Int
  private let partsMax: Int
  /// The request that more may be put into, by what it is about.
  private var open: [Label: Int] = [:]

  private struct Label: Hashable {
    let objectClass: ObjectClass
    let wanted: ServerRequest.Wanted
  }

  init(_ abilities: ServerAbilities, room: Int) {
    (self.room, partsMax) = (room, abilities.partsMax)
  }

  /// Whether there is room for another request.
  ///
  /// Little is looked for that only fits into one that is not full: where all that waits wants
  /// something else, all of it would be looked at again and again.
  var hasRoomForOther: Bool { loads.count < room }

  /// Whether there is room for another request, or in one that is not full.
  var hasRoom: Bool { hasRoomForOther || !open.isEmpty }

  /// Puts a part into a request, if there is room.
  mutating func add(_ part: ServerRequest.Part, _ entries: [OutboxEntry]) {
    let label = Label(objectClass: part.objectClass, wanted: part.wanted)
    if let place = open[label] {
      loads[place].parts.append(part)
      loads[place].entries.append(entries)
      if loads[place].parts.count >= partsMax { open[label] = nil }
    } else if loads.count < room {
      loads.append(Load(parts: [part], entries: [entries]))
      if part.wanted.isShared, partsMax > 1 { open[label] = loads.count - 1 }
    }
  }
}

extension ServerRequest.Wanted {
  /// Whether several objects may be asked for the same in one request.
  fileprivate var isShared: Bool {
    switch self {
    case .read, .deletion, .opening, .receipt: true
    default: false
    }
  }
}
