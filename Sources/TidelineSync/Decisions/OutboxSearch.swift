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
  /// The number of operations examined on earlier pages.
  private var count = 0
  /// The places of the operations examined together.
  private var page: Range<Int>
  /// The place to continue reading from.
  private var place = 0
  /// The operations read so far, grouped by object, in order.
  private var found: [OutboxChain] = []
  /// The index of each object in `found`.
  private var places: [RowLink: Int] = [:]
  /// Whether so few are sent that only the objects of the others are read.
  private let isOfFew: Bool
  /// Whether no operations are read after these.
  private var isLast = false
  /// Whether more may exist nevertheless.
  private var isCut = false
  /// The chains of the page that still need a decision.
  private var chains: ArraySlice<OutboxChain> = []

  /// Creates a search that has examined nothing.
  ///
  /// - Parameters:
  ///   - busy: The objects for which nothing may be sent.
  ///   - room: The number of requests that may be started.
  ///   - uploads: The number of uploads among them.
  init(
    except busy: Set<RowLink>, room: Int, uploads: Int, _ abilities: ServerAbilities,
    at position: Position
  ) {
    (seen, self.position) = (busy, position)
    let partsMax = min(max(abilities.partsMax, 1), Self.partsMax)
    // Large requests are decided about in sequence.
    let room = min(room, Self.partsMax / partsMax)
    cargo = Cargo(abilities, room: room, uploads: uploads)
    // As many as are sent if nothing delays them, after those being sent.
    expected = room * partsMax + 1
    isOfFew = expected < Self.pageMin
    page = 0..<min(max(busy.count + expected, Self.pageMin), Self.pageMax)
  }

  /// Whether the search is complete.
  var isOver: Bool {
    if !cargo.hasRoom { return true }
    guard chains.isEmpty, place == page.upperBound || isLast else { return false }
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
    if snapshot.position == position {
      try readSome(of: account, snapshot)
    } else {
      // The places may have shifted: an operation could be found before an earlier one on the
      // object.
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
    if rows.count == step.count, !isOfFew { places.reserveCapacity(page.count) }
    for row in rows {
      // The first operations are often those under way.
      if isOfFew {
        guard let object = snapshot.object(ofOperation: row), !seen.contains(object) else {
          continue
        }
        add(on: object) { $0.add(row) }
      } else if let entry = snapshot.entry(of: row, except: seen) {
        add(on: entry.object) { $0.add(entry) }
      }
    }
    (isLast, place) = (rows.count < step.count, step.upperBound)
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
