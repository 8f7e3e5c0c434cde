import LMDB

/// A benchmark of maintaining the views of an existing log: an application's own reducer and views
/// on real events.
///
///     let found = try await ReplayBenchmark(log, reducer: MyReducer()).run(in: folder)
///     for view in found.views { print(view.name, view.nanoseconds) }
///
/// The log is only read, so a redacted one works too.
public struct ReplayBenchmark {
  /// The limits of a benchmark.
  public struct Options: Sendable {
    /// The number of records to reduce, from the log's first one on.
    public var eventsMax = 1_000_000
    /// The number of these records used to measure each view.
    public var eventsOfViewMax = 50_000
    /// Returns the bytes this process has written so far, if the system tells.
    public var bytesWritten: @Sendable () -> Int? = { nil }
    /// Receives what is being measured and the overall progress; stops the benchmark by returning
    /// `false`.
    public var progress: @Sendable (_ what: String, _ done: Int, _ total: Int) -> Bool = {
      _, _, _ in true
    }

    /// Creates the default limits.
    public init() {}
  }

  /// The results.
  public struct Findings: Hashable, Sendable {
    /// The number of reduced records.
    public internal(set) var events = 0
    /// The mean time to reduce a record with all views maintained, in nanoseconds.
    public internal(set) var nanoseconds = 0.0
    /// The median time, each record measured by itself.
    public internal(set) var median = 0.0
    /// The 99th percentile of that time.
    public internal(set) var tail = 0.0
    /// The share of each view.
    public internal(set) var views: [View] = []
    /// The time to rebuild rows and views from the log, in seconds.
    public internal(set) var rebuildSeconds = 0.0
    /// The bytes that a rebuild writes, if the system tells.
    public internal(set) var rebuildBytes: Int?
    /// The bytes written per event in batches of 500, including the log's; `nil` if the system
    /// doesn't tell, or the log's beginning is missing.
    public internal(set) var bytesPerEvent: Double?
  }

  /// The cost of a view.
  public struct View: Hashable, Sendable {
    /// The view's name.
    public let name: String
    /// The nanoseconds per event of the log that maintaining the view takes; measured as a
    /// difference, so a negligible cost can be negative.
    public let nanoseconds: Double
    /// The number of rows in all groups together.
    public let rows: Int
  }

  private let log: Log
  private let reducer: any Reducer
  private let options: Options
  private let clock = ContinuousClock()

  /// The number of copies of a view used to measure its cost.
  private static let copies = 4
  private static let batch = 500

  /// Creates a benchmark of a reducer on a log.
  public init(_ log: Log, reducer: some Reducer, _ options: Options = Options()) {
    (self.log, self.reducer, self.options) = (log, reducer, options)
  }

  /// Measures everything.
  ///
  /// - Parameter folder: An empty folder for a store, whose content is useless afterwards.
  /// - Throws: ``StoreError``; `CancellationError` if `progress` returns `false`.
  /// - Complexity: As folding the log several times, and its beginning several times per view.
  public func run(in folder: String) async throws -> Findings {
    var findings = Findings()
    let last = min(try log.last, log.floor.advanced(by: options.eventsMax))
    findings.events = log.floor.distance(to: last)
    let total = reducer.views.count + 4
    try tell("all views", 0, total)
    try measureAll(&findings, through: last)
    try tell("rebuild", 2, total)
    try await measureRebuild(&findings, in: folder)
    try tell("bytes", 3, total)
    try await measureBytes(&findings, in: folder, through: last)
    let part = min(last, log.floor.advanced(by: options.eventsOfViewMax))
    for (index, view) in reducer.views.enumerated() {
      try tell(view.name, 4 + index, total)
      findings.views.append(try measure(view, through: part))
    }
    try tell("all", total, total)
    return findings
  }

  private func tell(_ what: String, _ done: Int, _ total: Int) throws {
    guard options.progress(what, done, total) else { throw CancellationError() }
  }

  private func measureAll(_ findings: inout Findings, through last: RecordNumber) throws {
    findings.nanoseconds = try cost(of: Replayed(base: reducer), through: last)
    let replay = try Replay(log, reducer: Replayed(base: reducer), at: log.floor)
    try replay.rememberViews()
    var times: [Double] = []
    for number in stride(from: log.floor.advanced(by: 1), through: last, by: 1) {
      let start = clock.now
      try replay.advance(to: number)
      times.append((clock.now - start) / .nanoseconds(1))
    }
    times.sort()
    findings.median = times.isEmpty ? 0 : times[times.count / 2]
    findings.tail = times.isEmpty ? 0 : times[times.count * 99 / 100]
  }

  /// Returns the mean time per event.
  private func cost(of reducer: Replayed, through last: RecordNumber) throws -> Double {
    let replay = try Replay(log, reducer: reducer, at: log.floor)
    try replay.rememberViews()
    let start = clock.now
    try replay.advance(to: last)
    return (clock.now - start) / .nanoseconds(1) / Double(max(1, log.floor.distance(to: last)))
  }

  /// Measures a view as the difference that copies of it make, using the better of two runs of
  /// each.
  private func measure(_ view: ViewDefinition, through last: RecordNumber) throws -> View {
    let copies = (0..<Self.copies).map { view.copy("\(view.name) (copy \($0))") }
    var (with, without) = (Double.infinity, Double.infinity)
    for _ in 0..<2 {
      without = min(without, try cost(of: Replayed(base: reducer), through: last))
      with = min(with, try cost(of: Replayed(base: reducer, more: copies), through: last))
    }
    let rows = try Replay(log, reducer: Replayed(base: reducer), at: last).rowCount(of: view)
    return View(name: view.name, nanoseconds: (with - without) / Double(Self.copies), rows: rows)
  }
}

extension ReplayBenchmark {
  private func measureRebuild(_ findings: inout Findings, in folder: String) async throws {
    let path = "\(folder)/rebuilt"
    try Folder(path).create()
    try Folder("\(path)/log").create()
    try await log.backup(to: "\(path)/log")
    let before = options.bytesWritten()
    let start = clock.now
    let store = try await Store.open(at: path, reducer: Replayed(base: reducer))
    findings.rebuildSeconds = (clock.now - start) / .seconds(1)
    await store.close()
    findings.rebuildBytes = difference(options.bytesWritten(), before)
  }

  /// Appends the records again, in batches, to a new store.
  private func measureBytes(
    _ findings: inout Findings, in folder: String, through last: RecordNumber
  ) async throws {
    guard options.bytesWritten() != nil, log.floor == 0, last > 0 else { return }
    let path = "\(folder)/appended"
    try Folder(path).create()
    let store = try await Store.open(at: path, reducer: Replayed(base: reducer))
    let before = options.bytesWritten()
    for first in stride(from: RecordNumber(rawValue: 1), through: last, by: Self.batch) {
      let end = min(last, first.advanced(by: Self.batch - 1))
      try await store.append(try batch(first...end), durability: .full)
    }
    try await store.commitViews()
    let written = difference(options.bytesWritten(), before)
    await store.close()
    findings.bytesPerEvent = written.map { Double($0) / Double(last.rawValue) }
  }

  private func difference(_ after: Int?, _ before: Int?) -> Int? {
    guard let after, let before else { return nil }
    return after - before
  }

  /// Returns some records as a batch.
  private func batch(_ numbers: ClosedRange<RecordNumber>) throws -> Batch {
    try log.read { snapshot throws(LogError) in
      var batch = Batch()
      var cursor = try snapshot.records(from: numbers.lowerBound)
      while try cursor.next(), cursor.number <= numbers.upperBound {
        let record = cursor.record
        batch.add(Event(record.header), payload: record.payload)
      }
      return batch
    }
  }
}

/// A reducer with additional views.
private struct Replayed: Reducer {
  let base: any Reducer
  var more: [ViewDefinition] = []

  var version: Int { base.version }
  var collections: [RowCollection] { base.collections }
  var views: [ViewDefinition] { base.views + more }

  func reduce(_ event: borrowing RecordView, into state: inout ReducerState) throws(Refusal) {
    try base.reduce(event, into: &state)
  }
}

extension ViewDefinition {
  /// Returns the same view under another name.
  fileprivate func copy(_ name: String) -> ViewDefinition {
    var copy = ViewDefinition(
      name, of: collection, where: condition, orderedBy: order, version: version)
    if let grouping { copy = copy.grouped(by: grouping) }
    if let scope { copy = copy.within(Field<Int64>(scope.name, scope.number)) }
    return copy
  }
}

extension Replay {
  /// Returns the number of rows of a view in all groups together.
  fileprivate func rowCount(of view: ViewDefinition) throws -> Int {
    try requireViews()
    let kept = workspace.state.lists.kept.first { $0.plan.definition == view }
    return kept.map { Int(clamping: Verification.Sum($0.index.header).count) } ?? 0
  }
}
