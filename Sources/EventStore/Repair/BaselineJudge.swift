import LMDB

/// Checks the records of a baseline, one by one in order.
struct BaselineJudge {
  private let baseline: Baseline?
  private var links: ChainLinks
  private var count: UInt64 = 0

  /// Creates a judge of the baseline in the store's own record, or of none.
  init(_ baseline: Baseline? = nil) {
    self.baseline = baseline
    links = ChainLinks(baseline?.start)
  }

  /// Judges the next record; reports any damage to `report`.
  mutating func judge(
    _ key: UInt64, _ value: RawSpan, _ report: (LogDamage) -> Void
  ) -> LogJudge.Verdict {
    let number = KeySpace.number(of: key)
    guard KeySpace.area(of: key) == baseline?.area else {
      var bytes: [UInt8] = []
      bytes.append(littleEndian: key)
      report(.stray(key: bytes))
      return .damaged
    }
    count += 1
    guard let damage = damage(of: number, value) else { return .baselineRecord(number) }
    report(.record(number, damage))
    return .damaged
  }

  private mutating func damage(of number: RecordNumber, _ value: RawSpan) -> RecordDamage? {
    guard let header = RecordHeader(value) else {
      links = ChainLinks(after: value, or: nil)
      return value.byteCount < HeaderFormat.countMin ? .cutOff : .unknownFormat
    }
    let record = RecordView(number, value)
    guard links.lead(to: record) else {
      links = ChainLinks(after: value, or: links.chain(at: record))
      return .chain
    }
    links = ChainLinks(Chain(header.chain))
    return record.damage
  }

  /// The damage to the baseline as a whole, once all its records were judged.
  var shortage: LogDamage? {
    guard let baseline else { return nil }
    let ends = links.isUnknown || links.certain == nil || links.certain == baseline.end
    guard count != baseline.count || !ends else { return nil }
    return .baseline(found: count, of: baseline.count)
  }
}
