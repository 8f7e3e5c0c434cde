import EventStore
import Tideline

/// A decision about what goes, as it is being made: some operations at a time, since who reads the
/// store waits for as long as a step takes.
struct OutboxSearch {
  /// How many parts there are in the requests of one decision, if there is more than one of these.
  private static let partsMax = 1024
  /// How many operations are looked at together at most.
  private static let pageMax = 1024
  /// How many are looked at together at least, so that those on one object that take back each
  /// other are seen together.
  private static let pageMin = 64
  /// How many operations are read, or decided about, in a step.
  static let stepMax = 64

  /// What was decided up to now, but for the requests, and before the end what needs none.
  var decision = OutboxPlan.Decision()
  /// What is to be recorded of operations that need no server, by chains.
  var settled: [(chain: OutboxChain, events: [any InboxEvent])] = []
  /// The requests.
  var cargo: Cargo
  /// The objects of which nothing more goes.
  var seen: Set<RowLink>
  /// Where the store stood when it began.
  private let position: Position
  /// How many operations are looked at, if others only fit into requests that are not full.
  private let expected: Int
  /// How many were looked at on the pages before.
  private var count = 0
  /// The places of those that are looked at together.
  private var page: Range<Int>
  /// Where of them it goes on with reading.
  private var place = 0
  /// Those that were read, by the objects that they are on, in their order.
  private var found: [OutboxChain] = []
  /// Where an object is among these.
  private var places: [RowLink: Int] = [:]
  /// Whether so few go that of the others no more is read than which objects they are on.
  private let isOfFew: Bool
  /// Whether none are read behind these.
  private var isLast = false
  /// Whether there may be some all the same.
  private var isCut = false
  /// Those of which it is to be decided, of all that were looked at together.
  private var chains: ArraySlice<OutboxChain> = []

  /// One that has looked at nothing.
  ///
  /// - Parameters:
  ///   - busy: The objects of which nothing goes.
  ///   - room: How many requests may be begun.
  init(
    except busy: Set<RowLink>, room: Int, _ abilities: ServerAbilities, at position: Position
  ) {
    (seen, self.position) = (busy, position)
    let partsMax = min(max(abilities.partsMax, 1), Self.partsMax)
    // Of large requests one after the other.
    let room = min(room, Self.partsMax / partsMax)
    cargo = Cargo(abilities, room: room)
    // As many as go if nothing holds them up, behind those that are on their way.
    expected = room * partsMax + 1
    isOfFew = expected < Self.pageMin
    page = 0..<min(max(busy.count + expected, Self.pageMin), Self.pageMax)
  }

  /// Whether nothing more is to be decided about.
  var isOver: Bool {
    if !cargo.hasRoom { return true }
    guard chains.isEmpty, place == page.upperBound || isLast else { return false }
    return isLast || !wantsMore
  }

  /// Whether there is room for what is found behind those that were looked at.
  private var wantsMore: Bool { cargo.hasRoomForOther || count < expected }

  /// Leaves out, once it is over, what the person has changed or taken back since it began: that is
  /// decided about anew.
  mutating func end(_ snapshot: borrowing StoreSnapshot, at now: Timestamp) {
    if snapshot.position != position {
      let count = settled.count
      settled.removeAll { !snapshot.have($0.chain.entries) }
      let hasRemoved = cargo.removeParts { snapshot.have($0) }
      if isCut || hasRemoved || settled.count < count { decision.wakeUp = now }
    }
    decision.events = settled.flatMap(\.events)
  }

  /// Those that are decided about in this step, when all were read that are looked at together.
  mutating func nextChains(
    of account: UInt32, _ snapshot: borrowing StoreSnapshot
  ) throws -> ArraySlice<OutboxChain> {
    guard !isOver else { return [] }
    if chains.isEmpty { try read(of: account, snapshot) }
    var left = Self.stepMax
    let step = chains.prefix { chain in
      defer { left -= chain.count }
      return left > 0
    }
    chains = chains[step.endIndex...]
    return step
  }

  /// Reads some of those that are looked at together: of the next, where all of these were.
  private mutating func read(
    of account: UInt32, _ snapshot: borrowing StoreSnapshot
  ) throws {
    if snapshot.position == position {
      try readSome(of: account, snapshot)
    } else {
      // Others may be at the places by now: one on an object would be found before an earlier one.
      (isLast, isCut) = (true, true)
    }
    guard isLast || place == page.upperBound else { return }
    chains = found[...]
    (found, places) = ([], [:])
  }

  private mutating func readSome(
    of account: UInt32, _ snapshot: borrowing StoreSnapshot
  ) throws {
    if place == page.upperBound { page = place..<(place + Self.pageMax) }
    let step = place..<min(place + Self.stepMax, page.upperBound)
    let rows = try snapshot.outbox(of: account, in: step)
    for row in rows {
      if isOfFew {
        if let object = snapshot.object(ofOperation: row) { add(on: object) { $0.add(row) } }
      } else if let entry = snapshot.entry(of: row) {
        add(on: entry.object) { $0.add(entry) }
      }
    }
    (isLast, place) = (rows.count < step.count, step.upperBound)
  }

  private mutating func add(on object: RowLink, _ body: (inout OutboxChain) -> Void) {
    guard !seen.contains(object) else { return }
    count += 1
    let place = places[object] ?? found.count
    if place == found.count {
      places[object] = place
      found.append(OutboxChain(on: object))
    }
    body(&found[place])
  }
}
