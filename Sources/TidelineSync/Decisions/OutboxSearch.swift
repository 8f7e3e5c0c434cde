import EventStore
import Tideline

/// A decision in progress about what to send.
///
/// It examines a few operations at a time, since other readers of the store wait during a step.
struct OutboxSearch {
  /// The most parts in the requests of one decision, if it has more than one request.
  private static let partsMax = 1024
  /// The largest number of operations examined together.
  private static let pageMax = 1024
  /// The smallest number of operations examined together, so that operations on one object that
  /// undo each other are seen together.
  private static let pageMin = 64
  /// The largest number of operations being sent that are skipped together.
  private static let skipMax = 8192
  /// The number of operations read, or decided about, in a step.
  static let stepMax = 128

  /// The decision so far, without the requests and, until the end, without the settled events.
  var decision = OutboxPlan.Decision()
  /// The events of operations that need no server, by chain.
  var settled: [(chain: OutboxChain, events: [any InboxEvent])] = []
  /// The requests.
  var cargo: Cargo
  /// The objects for which nothing more is sent.
  var seen: Set<RowLink>
  /// The store's position when the search began.
  private let position: Position
  /// The number of operations to examine if others only fit into requests that are not full.
  private let expected: Int
  /// The number of operations examined.
  private var count = 0
  /// The operations being sent, which are not examined.
  private let underWay: Set<RowID>
  /// The operations of the page, which are examined together, that are still to be read.
  private var rows: ArraySlice<RowID> = []
  /// The place in the outbox at which the next page begins.
  private var place = 0
  /// The operations read so far, grouped by object, in order.
  private var found: [OutboxChain] = []
  /// The index of each object in `found`.
  private var places: [RowLink: Int] = [:]
  /// Whether so few are sent that only the objects of the others are read.
  private let isOfFew: Bool
  /// Whether no page follows this one.
  private var isLast = false
  /// Whether more may exist nevertheless.
  private var isCut = false
  /// The chains of the page that still need a decision.
  private var chains: ArraySlice<OutboxChain> = []

  /// Creates a search that has examined nothing.
  ///
  /// - Parameters:
  ///   - busy: The objects for which nothing may be sent.
  ///   - underWay: The operations that are being sent for them.
  ///   - room: The number of requests that may be started.
  ///   - uploads: The number of uploads among them.
  init(
    except busy: Set<RowLink>, _ underWay: Set<RowID>, room: Int, uploads: Int,
    _ abilities: ServerAbilities, at position: Position
  ) {
    (seen, self.underWay, self.position) = (busy, underWay, position)
    let partsMax = min(max(abilities.partsMax, 1), Self.partsMax)
    // Large requests are decided about in sequence.
    let room = min(room, Self.partsMax / partsMax)
    cargo = Cargo(abilities, room: room, uploads: uploads)
    // As many as are sent if nothing delays them, after those being sent.
    expected = room * partsMax + 1
    isOfFew = expected < Self.pageMin
  }

  /// Whether the search is complete.
  var isOver: Bool {
    if !cargo.hasRoom { return true }
    guard place > 0, chains.isEmpty, rows.isEmpty else { return false }
    return isLast || !wantsMore
  }

  /// Whether there is room for operations on further pages.
  private var wantsMore: Bool { cargo.hasRoomForOther || count < expected }

  /// Finishes the search without what the person has changed or taken back meanwhile; that needs a
  /// new decision.
  mutating func end(_ snapshot: borrowing StoreSnapshot, at now: Timestamp) {
    if snapshot.position != position {
      let count = settled.count
      settled.removeAll { !snapshot.have($0.chain.entries) }
      let hasRemoved = cargo.removeParts { snapshot.have($0) }
      if isCut || hasRemoved || settled.count < count { decision.wakeUp = now }
    }
    decision.events = settled.flatMap(\.events)
  }

  /// Returns the chains to decide about in this step, once the whole page is read.
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

  /// Reads part of the page, or of the next page once this one is complete.
  private mutating func read(
    of account: UInt32, _ snapshot: borrowing StoreSnapshot
  ) throws {
    if rows.isEmpty { try turnPage(of: account, snapshot) }
    for row in rows.prefix(Self.stepMax) { read(row, snapshot) }
    rows = rows.dropFirst(Self.stepMax)
    guard rows.isEmpty else { return }
    chains = found[...]
    (found, places) = ([], [:])
  }

  /// Determines the operations of the next page, whose order is that of this snapshot; they are
  /// read by later ones.
  private mutating func turnPage(
    of account: UInt32, _ snapshot: borrowing StoreSnapshot
  ) throws {
    guard place == 0 || snapshot.position == position else {
      // The places may have shifted: an operation could be found before an earlier one on the
      // object.
      return (isLast, isCut) = (true, true)
    }
    let first =
      min(underWay.count, Self.skipMax) + min(max(expected, Self.pageMin), Self.pageMax)
    let page = place..<(place + (place > 0 ? Self.pageMax : first))
    let all = try snapshot.outbox(of: account, in: page)
    // The first operations are often those being sent.
    rows = all.filter { !underWay.contains($0) }[...]
    (isLast, place) = (all.count < page.count, page.upperBound)
    if !isOfFew { places.reserveCapacity(rows.count) }
  }

  private mutating func read(_ row: RowID, _ snapshot: borrowing StoreSnapshot) {
    if isOfFew {
      guard let object = snapshot.object(ofOperation: row), !seen.contains(object) else { return }
      add(on: object) { $0.add(row) }
    } else if let entry = snapshot.entry(of: row, except: seen), entry.isUnsent {
      add(on: entry.object) { $0.add(entry) }
    }
  }

  private mutating func add(on object: RowLink, _ body: (inout OutboxChain) -> Void) {
    count += 1
    let place = places[object] ?? found.count
    if place == found.count {
      places[object] = place
      found.append(OutboxChain(on: object))
    }
    body(&found[place])
  }
}
