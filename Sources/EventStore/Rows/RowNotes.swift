import LMDB

/// Which rows a batch touched, event by event, and what they were before.
package struct RowNotes: Sendable {
  /// One row in one event.
  package struct Touch: Sendable {
    /// The row's number.
    package var id: UInt32
    /// The first note of the row in the batch.
    package var first: UInt32
    /// Where it lay and its head before the event, unless it was not in the layer.
    package var place: (place: UInt32, head: RowLayer.Head)?
    /// Where its bytes before the event are; empty where there was no such row.
    package var image: Range<Int>
  }

  /// The number of the present batch, from 1, or of the next: what is known of one is forgotten
  /// when it ends.
  package private(set) var batch: UInt32 = 1
  /// The rows touched, those of the present event last.
  package private(set) var touches: [Touch] = []
  /// The first touch of the present event.
  private(set) var eventStart = 0
  /// How many bytes the arena had when the present event began.
  private(set) var arenaCount = 0
  /// The rows that the present event touched, or the last, when it had touched so many already that
  /// they are not noted one by one: each was created by it, or was not in the layer.
  private(set) var crowd = RowSet()
  private var images: [UInt8] = []
  package let eventMax: Int
  private var phase = Phase.idle

  private enum Phase {
    case idle
    case inBatch
    case inEvent
  }

  /// How many rows an event may touch, unless something else is said, and each is noted.
  static let eventMaxDefault = 10_000

  /// Notes of nothing.
  package init(eventMax: Int = eventMaxDefault) { self.eventMax = eventMax }

  /// How many rows the present event touched, or the last.
  package var touchedCount: Int { touches.count - eventStart + crowd.count }

  /// Whether these are more than are noted one by one.
  package var isHuge: Bool { touchedCount > eventMax }

  /// Whether a further row that is not in the layer belongs to the crowd.
  @inline(__always)
  private var isCrowded: Bool { touches.count - eventStart >= eventMax || !crowd.isEmpty }

  /// Whether an event may touch rows.
  var isInEvent: Bool { phase == .inEvent }

  /// Whether no batch is under way.
  package var isIdle: Bool { phase == .idle }

  /// The touches of the present event, or of the last.
  package var event: Range<Int> { eventStart..<touches.count }

  /// The last touch, and the batch.
  @inline(__always)
  package var last: (touch: UInt32, batch: UInt32) { (UInt32(touches.count - 1), batch) }

  /// The row that a touch is of, before the event.
  @_lifetime(borrow self)
  package func image(_ touch: Int) -> RowView? {
    let range = touches[touch].image
    return range.isEmpty ? nil : RowView(images.raw.extracting(range))
  }

  /// Begins a batch and forgets the one before.
  package mutating func beginBatch() {
    precondition(phase == .idle, "a batch is under way")
    phase = .inBatch
    touches.removeAll(keepingCapacity: true)
    images.removeAll(keepingCapacity: true)
    crowd.removeAll()
    eventStart = 0
  }

  /// Begins a batch in the middle of one, behind an event: of what was before nothing is known.
  mutating func restartBatch() {
    endBatch()
    beginBatch()
  }

  /// Ends a batch, behind which no row counts as touched any more.
  package mutating func endBatch() {
    precondition(phase == .inBatch, phase == .idle ? "there is no batch" : "an event is under way")
    phase = .idle
    batch = batch == .max ? 1 : batch + 1
  }

  /// Begins an event, while the arena has so many bytes.
  package mutating func beginEvent(_ arenaCount: Int) {
    precondition(phase == .inBatch, phase == .idle ? "there is no batch" : "an event is under way")
    phase = .inEvent
    eventStart = touches.count
    self.arenaCount = arenaCount
  }

  /// Ends an event; its notes stay until the batch ends.
  package mutating func endEvent() {
    precondition(phase == .inEvent, "there is no event")
    phase = .inBatch
  }

  /// Forgets which rows the last event touched: what was before it is known no more, but for what
  /// was before the batch.
  package mutating func passEvent() {
    precondition(phase == .inBatch, phase == .idle ? "there is no batch" : "an event is under way")
    eventStart = touches.count
  }

  /// Ends an event of which nothing stays.
  mutating func dropEvent() {
    endEvent()
    crowd.removeAll()
    if let first = touches[eventStart...].first(where: { !$0.image.isEmpty }) {
      images.removeLast(images.count - first.image.lowerBound)
    }
    touches.removeLast(touches.count - eventStart)
  }

  /// What stands in the heads of the crowd for a note.
  private static let crowdTouch = UInt32.max

  /// Takes a row into the crowd, where it belongs there; returns what is to stand in its head.
  @inline(__always)
  mutating func addToCrowd(_ id: UInt32) -> (touch: UInt32, batch: UInt32)? {
    guard isCrowded else { return nil }
    crowd.insert(id)
    return (Self.crowdTouch, batch)
  }

  /// Whether a row with this head, which was touched in the present batch, belongs to the crowd.
  @inline(__always)
  func isInCrowd(_ head: RowLayer.Head) -> Bool {
    head.touch == Self.crowdTouch && head.batch == batch
  }

  /// Whether a row with this head was touched in the present event.
  @inline(__always)
  func isTouched(_ head: RowLayer.Head) -> Bool {
    head.batch == batch && Int(head.touch) >= eventStart
  }

  /// The first note of a row with this head in the present batch, if there is one.
  func firstTouch(_ head: RowLayer.Head) -> Int? {
    head.batch == batch ? Int(touches[Int(head.touch)].first) : nil
  }

  /// Notes a row that there was not.
  package mutating func add(_ id: UInt32) { add(id, nil, RawSpan()) }

  /// Notes a row that lies in the layer that is changed, as it is.
  @inline(__always)
  package mutating func add(_ id: UInt32, at place: UInt32, of layer: RowLayer) {
    add(id, (place, layer.head(at: place)), layer.row(at: place).bytes)
  }

  /// Notes a row that was copied from elsewhere to the end of the layer, where it has no head yet.
  package mutating func add(_ id: UInt32, copyingLastRowOf layer: RowLayer, from place: UInt32) {
    add(id, nil, layer.arena.raw.extracting(droppingFirst: RowLayer.start(place)))
  }

  private mutating func add(
    _ id: UInt32, _ place: (place: UInt32, head: RowLayer.Head)?, _ bytes: RawSpan
  ) {
    let start = images.count
    images.append(copying: bytes)
    let first = place.flatMap { firstTouch($0.head) } ?? touches.count
    touches.append(
      Touch(id: id, first: UInt32(first), place: place, image: start..<images.count))
  }
}
