import LMDB

/// Records that were handed over, taken out one after another.
struct RecordQueue {
  /// The number of records taken out before checking whether another thread waits: readers see all
  /// or none of them, except in a batch that is to be shown step by step.
  static let sliceMin = 64

  /// The end of the log before the remaining records.
  private(set) var place: LogPoint
  private let end: LogPoint
  /// The sketches of the records' rows.
  let sketches: [SketchBook]
  private var batches: ArraySlice<Batch>
  /// The bytes of the first batch, with its references to its own records resolved to numbers.
  private var bytes: [UInt8] = []
  /// The number of its records that were taken out.
  private var taken = 0

  init(_ records: WrittenRecords) {
    (place, end, batches) = (records.start, records.end, records.batches[...])
    sketches = records.sketches
    enterBatch()
  }

  /// Whether no records are left.
  var isEmpty: Bool { batches.isEmpty }
  /// Whether the next record belongs to a batch that is to be shown step by step.
  private var isStepwise: Bool { batches.first?.isStepwise == true }

  /// Takes out records until none are left or another thread waits; if the remaining ones are to be
  /// shown step by step, takes at most one step of them.
  mutating func take<E: Error>(
    until isWanted: () -> Bool, _ body: (borrowing RecordView) throws(E) -> Void
  ) throws(E) {
    while !batches.isEmpty {
      try takeSlice(body)
      if isStepwise || !isEmpty && isWanted() { break }
    }
    guard isEmpty else { return }
    place = end
  }

  /// Discards all records if `place` is their end; returns whether it is.
  mutating func skip(to place: LogPoint) -> Bool {
    guard place == end else { return false }
    (self.place, batches) = (end, [])
    return true
  }

  private mutating func takeSlice<E: Error>(
    _ body: (borrowing RecordView) throws(E) -> Void
  ) throws(E) {
    let entries = batches[batches.startIndex].entries
    let slice = taken..<min(taken + (isStepwise ? 1 : Self.sliceMin), entries.count)
    let bytes = bytes
    let raw = bytes.raw
    var (number, chain) = (place.number, Chain(place.chain))
    for (index, entry) in zip(slice, entries[slice]) {
      // Another thread wrote the records, so the next is fetched meanwhile.
      if index + 1 < entries.count { raw.prefetch(entries[index + 1].record.lowerBound, 128) }
      number = number.advanced(by: 1)
      let record = raw.extracting(entry.record)
      try body(RecordView(number, record))
      chain = chain.extended(by: number, record, count: entry.headerCount)
    }
    (place, taken) = (LogPoint(number: number, chain: chain.value), slice.upperBound)
    guard taken == entries.count else { return }
    batches.removeFirst()
    enterBatch()
  }

  private mutating func enterBatch() {
    taken = 0
    bytes = batches.first?.resolved(from: place.number.advanced(by: 1)) ?? []
  }
}
