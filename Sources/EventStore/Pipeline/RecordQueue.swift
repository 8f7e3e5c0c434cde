import LMDB

/// Records that were handed over, as they are taken out one after the other.
struct RecordQueue {
  /// How many are taken out before it is asked whether somebody waits: so many together are seen
  /// all or none.
  static let sliceMin = 64

  /// Where the log ends before those that are left.
  private(set) var place: Applied
  private let end: Applied
  private var batches: ArraySlice<Batch>
  /// The bytes of the first batch, with all of its references to itself made numbers.
  private var bytes: [UInt8] = []
  /// How many records of it were taken out.
  private var taken = 0

  init(_ records: WrittenRecords) {
    (place, end, batches) = (records.start, records.end, records.batches[...])
    enterBatch()
  }

  /// Whether none are left.
  var isEmpty: Bool { batches.isEmpty }

  /// Takes all of them out where that is their end; says whether it is.
  mutating func skip(to place: Applied) -> Bool {
    guard place == end else { return false }
    (self.place, batches) = (end, [])
    return true
  }

  /// How many records are taken out together next.
  var sliceCount: Int { slice.count }

  private var slice: Range<Int> {
    guard let batch = batches.first else { return 0..<0 }
    return taken..<min(taken + Self.sliceMin, batch.entries.count)
  }

  /// Calls `body` with the records that are taken out next.
  func forEachOfSlice(_ body: (borrowing RecordView) -> Void) {
    guard let entries = batches.first?.entries else { return }
    var number = place.number
    for entry in entries[slice] {
      number = number.advanced(by: 1)
      body(RecordView(number, bytes.raw.extracting(entry.record)))
    }
  }

  /// Takes out the next records, where there are any.
  mutating func takeSlice<E: Error>(
    _ body: (borrowing RecordView) throws(E) -> Void
  ) throws(E) {
    guard let entries = batches.first?.entries else { return place = end }
    let (slice, bytes) = (slice, bytes)
    let raw = bytes.raw
    var (number, chain) = (place.number, Chain(place.chain))
    for entry in entries[slice] {
      number = number.advanced(by: 1)
      let record = raw.extracting(entry.record)
      try body(RecordView(number, record))
      chain = chain.extended(by: number, record, count: entry.headerCount)
    }
    (place, taken) = (Applied(number: number, chain: chain.value), slice.upperBound)
    guard taken == entries.count else { return }
    batches.removeFirst()
    enterBatch()
    if batches.isEmpty { place = end }
  }

  private mutating func enterBatch() {
    taken = 0
    bytes = batches.first?.resolved(from: place.number.advanced(by: 1)) ?? []
  }
}
