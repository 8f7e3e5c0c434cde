import LMDB

/// Classifies the entries of a log, one by one in key order, and checks each for damage.
struct LogJudge {
  /// The nature of an entry.
  enum Verdict {
    case store(StoreRecord)
    /// An intact record with this number, whatever its key.
    case record(RecordNumber)
    /// An intact record of the baseline.
    case baselineRecord(RecordNumber)
    /// A compacted entry not removed yet, or one of a baseline that isn't read.
    case leftover
    /// An entry that can't be relied on.
    case damaged
  }

  /// The store's own record, once found.
  private(set) var store: StoreRecord?
  /// The last record's number by its place; the floor before the first record.
  private(set) var last: RecordNumber?
  /// An upper bound for the number of records in a file of this size.
  private let countMax: UInt64
  /// The largest factor by which a truncated file is assumed to have shrunk.
  private static let cutMax: UInt64 = 16
  private var links = ChainLinks.unknown
  private var baseline = BaselineJudge()
  private var hasSeenStore = false

  /// - Parameter store: The store's own record, if it was found elsewhere.
  init(of file: PageFile, store: StoreRecord? = nil) {
    let counted = file.meta.lastPage.multipliedReportingOverflow(by: UInt64(file.pageSize))
    let sizeMax = UInt64(file.size) * Self.cutMax
    let size = counted.overflow ? sizeMax : min(counted.partialValue, sizeMax)
    countMax = max(size, UInt64(file.size)) / UInt64(LogFile.entryBytesMin)
    adopt(store)
  }

  private mutating func adopt(_ store: StoreRecord?) {
    guard let store else { return }
    self.store = store
    last = store.floor
    links = ChainLinks(store.base.chain)
    baseline = BaselineJudge(store.baseline)
  }

  /// Reports what is missing at the end, after all entries were judged.
  func finish(_ report: (LogDamage) -> Void) {
    if let damage = baseline.shortage { report(damage) }
  }

  /// Judges the next entry; reports its damage and anything missing before it to `report`.
  mutating func judge(
    _ entry: borrowing TreeEntry, report: (LogDamage) -> Void
  ) -> Verdict {
    let value = entry.value
    guard let key = UInt64(bytes: entry.key) else {
      report(.stray(key: entry.key.array))
      return .damaged
    }
    guard hasSeenStore || (key != StoreRecord.key && !StoreRecord.isOne(value)) else {
      return judgeStore(key, value, report)
    }
    if !hasSeenStore { report(.storeAbsent) }
    hasSeenStore = true
    guard !isLeftover(key) else { return .leftover }
    guard KeySpace.area(of: key) == KeySpace.log || store?.baseline == nil else {
      return baseline.judge(key, value, report)
    }
    return judgeRecord(key, value, report)
  }

  /// Returns whether compaction will remove an entry.
  private func isLeftover(_ key: UInt64) -> Bool {
    guard let store, let task = store.task, task.usesAreas else { return false }
    let area = KeySpace.area(of: key)
    guard area == KeySpace.log else { return area != store.baseline?.area }
    return task == .sweeping && key <= store.floor.rawValue
  }

  private mutating func judgeStore(
    _ key: UInt64, _ value: RawSpan, _ report: (LogDamage) -> Void
  ) -> Verdict {
    hasSeenStore = true
    guard let found = try? StoreRecord(value) else {
      report(.storeDamaged)
      return .damaged
    }
    if key != StoreRecord.key { report(.storeDamaged) }
    if store == nil { adopt(found) }
    return .store(found)
  }

  private mutating func judgeRecord(
    _ key: UInt64, _ value: RawSpan, _ report: (LogDamage) -> Void
  ) -> Verdict {
    let header = RecordHeader(value)
    guard let number = place(key, header, value, report) else { return .damaged }
    last = number
    guard let header else {
      links = ChainLinks(after: value, or: nil)
      let isCutOff = value.byteCount < HeaderFormat.countMin
      report(.record(number, isCutOff ? .cutOff : .unknownFormat))
      return .damaged
    }
    let record = RecordView(number, value)
    guard links.lead(to: record) else {
      links = ChainLinks(after: value, or: links.chain(at: record))
      report(.record(number, .chain))
      return .damaged
    }
    links = ChainLinks(Chain(header.chain))
    guard let damage = record.damage else { return .record(number) }
    report(.record(number, damage))
    return .damaged
  }

  /// Returns a record's number by its place, or `nil` if it has none.
  private mutating func place(
    _ key: UInt64, _ header: RecordHeader?, _ value: RawSpan, _ report: (LogDamage) -> Void
  ) -> RecordNumber? {
    let number = RecordNumber(rawValue: key)
    guard key < KeySpace.end else {
      report(.stray(key: number.key))
      return nil
    }
    guard let last, number != last.advanced(by: 1) else { return number }
    let next = last.advanced(by: 1)
    if header != nil, !links.isUnknown, links.lead(to: RecordView(next, value)) {
      report(.misplaced(next, under: key))
      return next
    }
    guard number > next, key - next.rawValue < countMax else {
      report(.stray(key: number.key))
      return nil
    }
    report(.missing(next...number.advanced(by: -1)))
    links = .unknown
    return number
  }
}

extension RecordNumber {
  /// The bytes of the record's key.
  fileprivate var key: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: rawValue)
    return bytes
  }
}
