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

  /// The batch's number, from 1.
  package private(set) var batch: UInt32 = 0
  /// The rows touched, those of the present event last.
  package private(set) var touches: [Touch] = []
  /// The first touch of the present event.
  package private(set) var eventStart = 0
  /// How many bytes the arena had when the present event began.
  package private(set) var arenaCount = 0
  private var images: [UInt8] = []
  private var phase = Phase.idle

  private enum Phase {
    case idle
    case inBatch
    case inEvent
  }

  /// Notes of nothing.
  package init() {}

  /// Whether an event may touch rows.
  package var isInEvent: Bool { phase == .inEvent }

  /// Whether no batch is under way.
  package var isIdle: Bool { phase == .idle }

  /// The touches of the present event, or of the last.
  package var event: Range<Int> { eventStart..<touches.count }

  /// The last touch, and the batch.
  @inline(__always)
  package var last: (touch: UInt32, batch: UInt32) { (UInt32(touches.count - 1), batch) }

  /// The bytes of the row that was touched last, before the event.
  package var lastImage: RawSpan {
    @_lifetime(borrow self) get { images.raw.extracting(touches[touches.count - 1].image) }
  }

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
    batch = batch == .max ? 1 : batch + 1
    touches.removeAll(keepingCapacity: true)
    images.removeAll(keepingCapacity: true)
    eventStart = 0
  }

  /// Ends a batch; the notes stay until the next begins.
  package mutating func endBatch() {
    precondition(phase == .inBatch, phase == .idle ? "there is no batch" : "an event is under way")
    phase = .idle
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

  /// Ends an event of which nothing stays.
  package mutating func dropEvent() {
    endEvent()
    if let first = touches[eventStart...].first(where: { !$0.image.isEmpty }) {
      images.removeLast(images.count - first.image.lowerBound)
    }
    touches.removeLast(touches.count - eventStart)
  }

  /// Whether a row with this head was touched in the present event.
  @inline(__always)
  package func isTouched(_ head: RowLayer.Head) -> Bool {
    head.batch == batch && Int(head.touch) >= eventStart
  }

  /// The first note of a row with this head in the present batch, if there is one.
  package func firstTouch(_ head: RowLayer.Head) -> Int? {
    head.batch == batch ? Int(touches[Int(head.touch)].first) : nil
  }

  /// Notes a row that there was not.
  package mutating func add(_ id: UInt32) { add(id, nil, RawSpan()) }

  /// Notes a row that lies in the layer that is changed, as it is.
  @inline(__always)
  package mutating func add(_ id: UInt32, at place: UInt32, of layer: RowLayer) {
    add(id, (place, layer.head(at: place)), layer.row(at: place).bytes)
  }

  /// Notes a row that lies in another layer.
  package mutating func add(_ id: UInt32, copying layer: RowLayer, _ place: UInt32) {
    add(id, nil, layer.row(at: place).bytes)
  }

  /// Notes a row that lies elsewhere.
  package mutating func add(_ id: UInt32, copying row: RowView) { add(id, nil, row.bytes) }

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
