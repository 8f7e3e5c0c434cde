/// Which collections the present event and the present batch have touched.
///
/// Only these are told where an event or a batch begins and ends, so that one costs nothing for
/// collections that it leaves alone, however many there are.
struct TouchedShelves {
  /// Those that the present event touched.
  private(set) var inEvent = ShelfSet()
  /// Those that the present batch touched.
  private(set) var inBatch = ShelfSet()
  /// Those of which the present batch touched very many rows, so that it is not known which.
  private(set) var upset = ShelfSet()
  /// How many bytes the changes of this frame take, as of the last batch.
  private(set) var byteCount = 0
  /// How often a collection was told of an event.
  private(set) var visits = 0

  /// Has a collection's event begin, and its batch where that has not.
  mutating func begin(_ place: UInt8, _ shelf: Shelf) {
    if inBatch.insert(place) { shelf.table.beginBatch() }
    guard inEvent.insert(place) else { return }
    shelf.table.beginEvent()
    visits += 1
  }

  /// Goes on behind an event that ended in all collections.
  mutating func passEvent(_ shelves: [Shelf]) {
    inEvent.forEach { shelves[Int($0)].table.passEvent() }
    forgetEvent()
  }

  /// Notes that all collections have gone on behind an event.
  mutating func forgetEvent() { inEvent.removeAll() }

  /// Notes that it is not known which rows of a collection the batch touched.
  mutating func noteUpset(_ place: UInt8) { _ = upset.insert(place) }

  /// Ends the batch, and counts what it added.
  mutating func endBatch(_ shelves: [Shelf]) {
    var added = 0
    inBatch.forEach { place in
      let shelf = shelves[Int(place)]
      shelf.table.endBatch()
      added += shelf.table.dirtyBytes - shelf.countedBytes
      shelf.countedBytes = shelf.table.dirtyBytes
    }
    byteCount += added
    inBatch.removeAll()
    upset.removeAll()
  }

  /// Begins to count anew, with a frame.
  mutating func endFrame(_ shelves: [Shelf]) {
    for shelf in shelves { shelf.countedBytes = 0 }
    byteCount = 0
  }
}
