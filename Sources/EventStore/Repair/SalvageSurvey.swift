import LMDB

/// The records missing from a file's tree, to be searched for elsewhere in the file.
struct SalvageSurvey {
  /// The store's own record, wherever it was found.
  var store: StoreRecord?
  /// The numbers between the floor and the last record without an intact record, in ascending
  /// order.
  private(set) var gaps: [ClosedRange<RecordNumber>] = []
  /// The first record that the tree leads to, intact or not.
  private(set) var first: RecordNumber?
  /// The last record that the tree leads to, intact or not.
  private(set) var last = RecordNumber.zero
  /// Whether the baseline, if any, is complete and undamaged.
  private(set) var isBaselineWhole = true
  /// Whether more records may follow the last one because the tree is damaged.
  private(set) var isOpen: Bool

  init(_ file: PageFile) {
    self.init(file, nil)
    guard store == nil else { return }
    let found = Self.findStore(in: file)
    if found != nil { self.init(file, found) }
    isOpen = true
  }

  private init(_ file: PageFile, _ store: StoreRecord?) {
    var judge = LogJudge(of: file, store: store)
    var walk = TreeWalk(file)
    var (gaps, first, isDisordered) = ([ClosedRange<RecordNumber>](), RecordNumber?.none, false)
    var isBaselineWhole = true
    walk.visit(file.meta.main) { entry in
      let floor = judge.store?.floor ?? .zero
      let verdict = judge.judge(entry) { damage in
        if case .misplaced = damage { return }
        if case .stray = damage { isDisordered = true }
        guard let numbers = damage.numbers else { return }
        if numbers.upperBound > floor { gaps.append(numbers) } else { isBaselineWhole = false }
      }
      switch verdict {
      case .store, .leftover, .baselineRecord: return
      case .record, .damaged: first = first ?? judge.last
      }
    }
    judge.finish { _ in isBaselineWhole = false }
    self.isBaselineWhole = isBaselineWhole
    self.store = judge.store
    self.gaps = gaps
    self.first = first
    last = judge.last ?? .zero
    isOpen = isDisordered || walk.problemCount > 0 || !file.problems.isEmpty || first == nil
  }

  /// Returns whether to search for the record with a number.
  func isWanted(_ number: RecordNumber) -> Bool {
    guard number.rawValue < KeySpace.end else { return false }
    if number > last { return isOpen }
    if store == nil, let first, number < first { return number > .zero }
    let index = gaps.lowerBound(where: { $0.upperBound < number })
    return index < gaps.endIndex && gaps[index].contains(number)
  }

  /// Returns the latest of the store's own records among all pages.
  private static func findStore(in file: PageFile) -> StoreRecord? {
    var best: StoreRecord?
    var scan = PageScan(file)
    scan.visit { entry in
      guard StoreRecord.isOne(entry.value), let store = try? StoreRecord(entry.value),
        best.map({ $0.isNotNewer(than: store) }) ?? true
      else { return }
      best = store
    }
    return best
  }
}

extension StoreRecord {
  /// Returns whether the log of this record had no more changes than that of another.
  fileprivate func isNotNewer(than other: StoreRecord) -> Bool {
    (generation, erasures, erasingStep) <= (other.generation, other.erasures, other.erasingStep)
  }

  /// How far the log was on its way from one erasure to the next.
  private var erasingStep: Int {
    switch task {
    case .wiping?: 0
    case .erasing?: 2
    default: 1
    }
  }
}
