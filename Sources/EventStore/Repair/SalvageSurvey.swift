import LMDB

/// What a file's tree lacks, so that it is looked for elsewhere in the file.
struct SalvageSurvey {
  /// The store's own record, wherever it was found.
  var store: StoreRecord?
  /// Numbers between the floor and the last record that have no sound record, in ascending order.
  private(set) var gaps: [ClosedRange<RecordNumber>] = []
  /// The first record that the tree leads to, sound or not.
  private(set) var first: RecordNumber?
  /// The last record that the tree leads to, sound or not.
  private(set) var last = RecordNumber.zero
  /// Whether nothing of the baseline is damaged or missing, where there is one.
  private(set) var isBaselineWhole = true
  /// Whether there may be records behind the last, since the tree is damaged.
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

  /// Whether a record of that number is to be looked for.
  func isWanted(_ number: RecordNumber) -> Bool {
    guard number.rawValue < KeySpace.end else { return false }
    if number > last { return isOpen }
    if store == nil, let first, number < first { return number > .zero }
    let index = gaps.lowerBound(where: { $0.upperBound < number })
    return index < gaps.endIndex && gaps[index].contains(number)
  }

  /// The latest of the store's own records among all pages.
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
  /// Whether less, or as much, was done to the log that it is of.
  fileprivate func isNotNewer(than other: StoreRecord) -> Bool {
    (generation, erasures) <= (other.generation, other.erasures)
  }
}
