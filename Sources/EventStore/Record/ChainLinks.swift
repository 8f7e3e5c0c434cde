import LMDB

/// What the chain may be at a record: one value, or several where the record is damaged, or any.
///
/// A flipped bit in the chain itself leaves what it should have been; one elsewhere in the header
/// leaves the chain, at one of the places that a header can end at. So the record behind can still
/// be proved, and damage is found where it is and nowhere else.
struct ChainLinks {
  private let chain: Chain?
  private var others: [Chain] = []

  /// Nothing is known, so that every record follows.
  static let unknown = ChainLinks(nil)

  /// The chain at a sound record, or none that is known.
  init(_ chain: Chain?) { self.chain = chain }

  /// The chain behind a damaged record, as far as its bytes tell, and what else it may be.
  ///
  /// A record that is cut off in its header says nothing of it.
  init(behind bytes: RawSpan, or computed: Chain?) {
    let isWhole =
      bytes.byteCount >= HeaderFormat.countMin
      && bytes.byteCount >= HeaderFormat.count(flags: bytes.byte(at: HeaderFormat.Offset.flags))
    guard isWhole else {
      self = .unknown
      return
    }
    let ends = stride(from: HeaderFormat.countMin, through: HeaderFormat.countMax, by: 8)
    let stored = ends.filter { $0 <= bytes.byteCount }
      .map { Chain(bytes.integer(UInt32.self, at: $0 - 4)) }
    chain = stored.first
    others = stored.isEmpty ? [] : stored.dropFirst() + (computed.map { [$0] } ?? [])
  }

  /// The chain, where there is one only.
  var certain: Chain? { others.isEmpty ? chain : nil }

  /// Whether any record would follow.
  var isUnknown: Bool { chain == nil }

  /// What the chain would be at the record behind.
  func chain(at record: borrowing RecordView) -> Chain? { chain.map { record.chain(after: $0) } }

  /// Whether the record follows.
  func lead(to record: borrowing RecordView) -> Bool {
    guard let chain else { return true }
    let stored = record.chain
    if record.chain(after: chain) == stored { return true }
    for other in others where record.chain(after: other) == stored { return true }
    return false
  }
}
