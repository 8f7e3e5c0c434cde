import LMDB

/// Records that were handed over, as they are taken out one after the other.
struct RecordQueue {
  /// How many are taken out before it is asked whether somebody waits: so many together are seen
  /// all or none, but for those of a batch that is to be shown step by step.
  static let sliceMin = 64

  /// Where the log ends before those that are left.
  private(set) var place: Applied
  private let end: Applied
  /// What was sketched of them.
  let sketches: [RowSketches]
  private var batches: ArraySlice<Batch>
  /// The bytes of the first batch, with all of its references to itself made numbers.
  private var bytes: [UInt8] = []
  /// How many records of it were taken out.
  private var taken = 0

  init(_ records: WrittenRecords) {
    (place, end, batches) = (records.start, records.end, records.batches[...])
    sketches = records.sketches
    enterBatch()
  }

  /// Whether none are left.
  var isEmpty: Bool { batches.isEmpty }
  /// Whether the next is one of a batch that is to be shown step by step.
  private var isStepwise: Bool { batches.first?.isStepwise == true }

  /// Takes out records until there are none any more, or somebody waits; where those that are left
  /// are to be shown apart, no more than a step of them.
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

  /// Takes all of them out where that is their end; says whether it is.
  mutating func skip(to place: Applied) -> Bool {
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
  }

  private mutating func enterBatch() {
    taken = 0
    bytes = batches.first?.resolved(from: place.number.advanced(by: 1)) ?? []
  }
}
