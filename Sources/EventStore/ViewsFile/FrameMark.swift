import LMDB

/// The checksums of rows and views at the end of a frame, which later reveal the frame in which
/// they went wrong.
///
///     0   4  checksum of the record's number and all that follows
///     4   4  format
///     8      for each collection and view: its number × 4, plus 2 for a view, plus 1 if it had
///            rows; and, if it had any, their count and the sum of their hashes (8)
///
/// Fixed-size integers are little-endian; the others are in groups of seven bits per byte, lowest
/// first. The key is the number of the last record in the frame.
package struct FrameMark: Hashable, Sendable {
  /// The last record in the frame.
  package let number: RecordNumber
  /// The checksums of the collections, and of the views whose index was built.
  private(set) var sums: [Part: Verification.Sum] = [:]

  /// The subject of a checksum.
  package enum Part: Hashable, Sendable {
    /// A collection, by its number.
    case collection(UInt8)
    /// A view, by the number of its index.
    case view(UInt32)
  }

  private static let format: UInt32 = 2
  private static let headCount = 8

  /// A mark of the given parts after a record.
  package init(_ number: RecordNumber, _ sums: [Part: Verification.Sum]) {
    self.number = number
    self.sums = sums
  }

  /// The mark of rows and views.
  init(_ number: RecordNumber, _ shelves: [Shelf], _ views: some Sequence<KeptView>) {
    self.number = number
    for shelf in shelves {
      sums[.collection(shelf.collection.number)] = Verification.Sum(shelf.table.totals)
    }
    for view in views where view.isBuilt {
      sums[.view(view.index.view)] = Verification.Sum(view.index.header)
    }
  }

  /// The mark of rows and views according to the committed summary.
  init(_ meta: ViewsMeta) {
    number = meta.applied.number
    for (collection, totals) in meta.totals {
      sums[.collection(collection)] = Verification.Sum(totals)
    }
    for view in meta.views { sums[.view(view.number)] = Verification.Sum(view.header) }
  }

  /// Adds the hash by which the rows of a collection changed when they were written.
  mutating func add(hash: UInt64, toCollection number: UInt8) {
    guard let sum = sums[.collection(number)] else { return }
    sums[.collection(number)] = Verification.Sum(count: sum.count, hash: sum.hash &+ hash)
  }

  /// Returns a part's checksum; that of no rows if the part is unknown.
  func sum(of part: Part) -> Verification.Sum { sums[part] ?? .empty }

  /// Returns the mark with its views renumbered; views without a new number are left out.
  func renumbered(_ numbers: [UInt32: UInt32]) -> FrameMark {
    var mark = self
    mark.sums = [:]
    for (part, sum) in sums {
      switch part {
      case .collection: mark.sums[part] = sum
      case .view(let number): if let other = numbers[number] { mark.sums[.view(other)] = sum }
      }
    }
    return mark
  }

  /// Whether all parts that both marks contain are equal.
  func agrees(with other: FrameMark) -> Bool {
    sums.allSatisfy { part, sum in other.sums[part].map { $0 == sum } ?? true }
  }

  /// The encoded mark.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0]
    bytes.append(littleEndian: Self.format)
    for (part, sum) in sums.sorted(by: { $0.key.word < $1.key.word }) {
      let hasRows = sum != .empty
      bytes.append(varint: part.word | (hasRows ? 1 : 0))
      if hasRows {
        bytes.append(varint: sum.count)
        bytes.append(littleEndian: sum.hash)
      }
    }
    bytes.store(integer: Checksum.of(number.rawValue, bytes.raw.extracting(4...)), at: 0)
    return bytes
  }

  /// Decodes a mark; `nil` if the bytes are damaged or in another format.
  package init?(_ number: RecordNumber, _ bytes: RawSpan) {
    guard bytes.byteCount >= Self.headCount,
      bytes.integer(UInt32.self, at: 0)
        == Checksum.of(number.rawValue, bytes.extracting(droppingFirst: 4)),
      bytes.integer(UInt32.self, at: 4) == Self.format
    else { return nil }
    self.number = number
    var rest = JournalBytes(bytes.extracting(droppingFirst: Self.headCount))
    while !rest.isAtEnd {
      guard let word = rest.varint(), let part = Part(word) else { return nil }
      var sum = Verification.Sum.empty
      if word & 1 != 0 {
        guard let count = rest.varint(), let hash = rest.word() else { return nil }
        sum = Verification.Sum(count: count, hash: hash)
      }
      sums[part] = sum
    }
  }
}

extension FrameMark.Part {
  /// The encoded part; the lowest bit is free.
  fileprivate var word: UInt64 {
    switch self {
    case .collection(let number): UInt64(number) << 2
    case .view(let number): UInt64(number) << 2 | 2
    }
  }

  fileprivate init?(_ word: UInt64) {
    if word & 2 == 0, let number = UInt8(exactly: word >> 2) {
      self = .collection(number)
    } else if word & 2 != 0, let number = UInt32(exactly: word >> 2) {
      self = .view(number)
    } else {
      return nil
    }
  }
}

extension Verification.Sum {
  /// The checksum of no rows.
  fileprivate static let empty = Verification.Sum(count: 0, hash: 0)

  init(_ totals: RowTotals) { self.init(count: totals.count, hash: totals.hash) }

  init(_ header: IndexHeader) { self.init(count: UInt64(header.count), hash: header.hash) }
}
