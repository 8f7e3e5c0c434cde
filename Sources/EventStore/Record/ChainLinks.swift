import LMDB

/// The possible chains at a record: one value, several after damage, or any.
///
/// A flipped bit in the chain itself leaves its computed value; one elsewhere in the header leaves
/// the stored chain, at one of the possible ends of a header. So the next record can still be
/// proved, and damage is found only where it is.
struct ChainLinks {
  private let chain: Chain?
  private var others: [Chain] = []

  /// No knowledge of the chain, so that every record follows.
  static let unknown = ChainLinks(nil)

  /// Creates the chain at an intact record, or an unknown one.
  init(_ chain: Chain?) { self.chain = chain }

  /// Creates the possible chains after a damaged record, from its bytes and a computed chain.
  ///
  /// A record that is cut off within its header reveals nothing.
  init(after bytes: RawSpan, or computed: Chain?) {
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

  /// The chain, if there is only one.
  var certain: Chain? { others.isEmpty ? chain : nil }

  /// Whether any record would follow.
  var isUnknown: Bool { chain == nil }

  /// Returns the chain that the next record would have.
  func chain(at record: borrowing RecordView) -> Chain? { chain.map { record.chain(after: $0) } }

  /// Returns whether the record follows.
  func lead(to record: borrowing RecordView) -> Bool {
    guard let chain else { return true }
    let stored = record.chain
    if record.chain(after: chain) == stored { return true }
    for other in others where record.chain(after: other) == stored { return true }
    return false
  }
}
