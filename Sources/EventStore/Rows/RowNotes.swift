import LMDB

/// The rows touched by a batch, event by event, and their earlier values.
package struct RowNotes: Sendable {
  /// A touch of one row by one event.
  package struct Touch: Sendable {
    /// The row's number.
    package var id: UInt32
    /// The row's first touch in the batch.
    package var first: UInt32
    /// The row's place and head before the event, if it was in the layer.
    package var place: (place: UInt32, head: RowLayer.Head)?
    /// The range of the row's bytes before the event; empty if there was no such row.
    package var image: Range<Int>
  }

  /// The number of the present or next batch, from 1; what is known about a batch is forgotten when
  /// it ends.
  package private(set) var batch: UInt32 = 1
  /// The touches of the batch, those of the present event last.
  package private(set) var touches: [Touch] = []
  /// The first touch of the present event.
  private(set) var eventStart = 0
  /// The end of the layer when the present event began.
  private(set) var layerEnd = RowLayer.End()
  /// The rows that the present or last event touched beyond those noted one by one; each was
  /// created by the event or was not in the layer.
  private(set) var crowd = RowSet()
  private var images: [UInt8] = []
  package let eventMax: Int
  private var phase = Phase.idle

  private enum Phase {
    case idle
    case inBatch
    case inEvent
  }

  /// The default maximum number of touched rows per event that are each noted.
  static let eventMaxDefault = 10_000

  /// Creates empty notes.
  package init(eventMax: Int = eventMaxDefault) { self.eventMax = eventMax }

  /// The number of rows that the present or last event touched.
  package var touchedCount: Int { touches.count - eventStart + crowd.count }

  /// Whether this exceeds the number noted one by one.
  package var isHuge: Bool { touchedCount > eventMax }

  /// Whether the next row not in the layer belongs to the crowd.
  @inline(__always)
  private var isCrowded: Bool { touches.count - eventStart >= eventMax || !crowd.isEmpty }

  /// Whether an event may touch rows.
  var isInEvent: Bool { phase == .inEvent }

  /// Whether no batch is under way.
  package var isIdle: Bool { phase == .idle }

  /// The touches of the present or last event.
  package var event: Range<Int> { eventStart..<touches.count }

  /// The last touch and the present batch.
  @inline(__always)
  package var last: (touch: UInt32, batch: UInt32) { (UInt32(touches.count - 1), batch) }

  /// Returns the row of a touch as it was before the event.
  @_lifetime(borrow self)
  package func image(_ touch: Int) -> RowView? {
    let range = touches[touch].image
    return range.isEmpty ? nil : RowView(images.raw.extracting(range))
  }

  /// Begins a batch and forgets the previous one.
  package mutating func beginBatch() {
    precondition(phase == .idle, "a batch is under way")
    phase = .inBatch
    touches.removeAll(keepingCapacity: true)
    images.removeAll(keepingCapacity: true)
    crowd.removeAll()
    eventStart = 0
  }

  /// Restarts the batch after an event; nothing before is known any more.
  mutating func restartBatch() {
    endBatch()
    beginBatch()
  }

  /// Ends a batch, after which no row counts as touched.
  package mutating func endBatch() {
    precondition(phase == .inBatch, phase == .idle ? "there is no batch" : "an event is under way")
    phase = .idle
    batch = batch == .max ? 1 : batch + 1
  }

  /// Begins an event, given the end of the layer.
  package mutating func beginEvent(_ layerEnd: RowLayer.End) {
    precondition(phase == .inBatch, phase == .idle ? "there is no batch" : "an event is under way")
    phase = .inEvent
    eventStart = touches.count
    self.layerEnd = layerEnd
  }

  /// Ends an event; its notes stay until the batch ends.
  package mutating func endEvent() {
    precondition(phase == .inEvent, "there is no event")
    phase = .inBatch
  }

  /// Forgets which rows the last event touched; of their earlier values only those before the batch
  /// stay known.
  package mutating func passEvent() {
    precondition(phase == .inBatch, phase == .idle ? "there is no batch" : "an event is under way")
    eventStart = touches.count
  }

  /// Ends an event and drops its notes.
  mutating func dropEvent() {
    endEvent()
    crowd.removeAll()
    if let first = touches[eventStart...].first(where: { !$0.image.isEmpty }) {
      images.removeLast(images.count - first.image.lowerBound)
    }
    touches.removeLast(touches.count - eventStart)
  }

  /// The touch stored in the heads of rows in the crowd.
  private static let crowdTouch = UInt32.max

  /// Adds a row to the crowd if it belongs there; returns the touch to store in its head.
  @inline(__always)
  mutating func addToCrowd(_ id: UInt32) -> (touch: UInt32, batch: UInt32)? {
    guard isCrowded else { return nil }
    crowd.insert(id)
    return (Self.crowdTouch, batch)
  }

  /// Returns whether a row with this head, touched in the present batch, belongs to the crowd.
  @inline(__always)
  func isInCrowd(_ head: RowLayer.Head) -> Bool {
    head.touch == Self.crowdTouch && head.batch == batch
  }

  /// Returns whether a row with this head was touched in the present event.
  @inline(__always)
  func isTouched(_ head: RowLayer.Head) -> Bool {
    head.batch == batch && Int(head.touch) >= eventStart
  }

  /// Returns the first touch of a row with this head in the present batch, if any.
  func firstTouch(_ head: RowLayer.Head) -> Int? {
    head.batch == batch ? Int(touches[Int(head.touch)].first) : nil
  }

  /// Notes a row that did not exist before.
  package mutating func add(_ id: UInt32) { add(id, nil, RawSpan()) }

  /// Notes the current state of a row in the layer being changed.
  @inline(__always)
  package mutating func add(_ id: UInt32, at place: UInt32, of layer: RowLayer) {
    add(id, (place, layer.head(at: place)), layer.row(at: place).bytes)
  }

  /// Notes a row copied from elsewhere to the end of the layer, where it has no head yet.
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
