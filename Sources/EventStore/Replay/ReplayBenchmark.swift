import LMDB

/// What it costs to keep the views of a log that is at hand: an application's own reducer and its
/// views, on what really happened.
///
///     let found = try await ReplayBenchmark(log, reducer: MyReducer()).run(in: folder)
///     for view in found.views { print(view.name, view.nanoseconds) }
///
/// The log is only read, so a redacted one does as well.
public struct ReplayBenchmark {
  /// What is measured at most.
  public struct Options: Sendable {
    /// How many records are reduced, from the log's first on.
    public var eventsMax = 1_000_000
    /// How many of them each view is measured with.
    public var eventsOfViewMax = 50_000
    /// How many bytes this process has written so far, where the system says.
    public var bytesWritten: @Sendable () -> Int? = { nil }
    /// Is told what is measured, and how much of it all is done; stops it where it says no.
    public var progress: @Sendable (_ what: String, _ done: Int, _ total: Int) -> Bool = {
      _, _, _ in true
    }

    /// The default limits.
    public init() {}
  }

  /// What was found.
  public struct Findings: Hashable, Sendable {
    /// How many records were reduced.
    public internal(set) var events = 0
    /// What reducing one takes with all views kept, in the mean, in nanoseconds.
    public internal(set) var nanoseconds = 0.0
    /// What half of them take at most, each by itself.
    public internal(set) var median = 0.0
    /// What 99 of 100 take at most.
    public internal(set) var tail = 0.0
    /// What each view takes of it.
    public internal(set) var views: [View] = []
    /// How long it takes to make rows and views anew from the log, in seconds.
    public internal(set) var rebuildSeconds = 0.0
    /// The bytes that a rebuild writes, where the system says.
    public internal(set) var rebuildBytes: Int?
    /// The bytes written for each event where they come in batches of 500, the log's included;
    /// `nil` where the system doesn't say, or the log's beginning isn't there.
    public internal(set) var bytesPerEvent: Double?
  }

  /// What a view costs.
  public struct View: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// What keeping it takes for each event of the log, in nanoseconds: beside all others, so it
    /// can come out below zero where it is next to nothing.
    public let nanoseconds: Double
    /// How many rows it has in all groups together.
    public let rows: Int
  }

  private let log: Log
  private let reducer: any Reducer
  private let options: Options
  private let clock = ContinuousClock()

  /// How many copies of a view are kept to learn what one costs.
  private static let copies = 4
  private static let batch = 500

  /// A benchmark of a reducer on a log.
  public init(_ log: Log, reducer: some Reducer, _ options: Options = Options()) {
    (self.log, self.reducer, self.options) = (log, reducer, options)
  }

  /// Measures everything.
  ///
  /// - Parameter folder: An empty one, in which a store is made; what is in it is of no use then.
  /// - Throws: ``StoreError``; `CancellationError` where progress says no.
  /// - Complexity: As folding the log several times, and its beginning once for each view.
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

  /// The mean time for an event.
  private func cost(of reducer: Replayed, through last: RecordNumber) throws -> Double {
    let replay = try Replay(log, reducer: reducer, at: log.floor)
    try replay.rememberViews()
    let start = clock.now
    try replay.advance(to: last)
    return (clock.now - start) / .nanoseconds(1) / Double(max(1, log.floor.distance(to: last)))
  }

  /// What a view costs: the difference that copies of it make, the better of two tries of each.
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

  /// Has a store take in the records again, in batches, as they were.
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

  /// Some records as a batch.
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

extension Event {
  /// The event that a record of that header came of.
  fileprivate init(_ header: RecordHeader) {
    self.init(
      kind: header.kind, version: header.version, origin: header.origin,
      recordedAt: header.recordedAt, login: header.login,
      cause: header.cause.map { .record($0) }, exchange: header.exchange.map { .record($0) },
      entity: header.entity)
  }
}

/// A reducer with more views than it has.
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
  /// The same view under another name.
  fileprivate func copy(_ name: String) -> ViewDefinition {
    var copy = ViewDefinition(
      name, of: collection, where: condition, orderedBy: order, version: version)
    if let grouping { copy = copy.grouped(by: grouping) }
    if let scope { copy = copy.within(Field<Int64>(scope.name, scope.number)) }
    return copy
  }
}

extension Replay {
  /// How many rows a view has in all groups together.
  fileprivate func rowCount(of view: ViewDefinition) throws -> Int {
    try requireViews()
    let kept = workspace.state.lists.kept.first { $0.plan.definition == view }
    return kept.map { Int(clamping: Verification.Sum($0.index.header).count) } ?? 0
  }
}
