import EventStore
import TestSupport
import ToyDomains

/// A random history of a toy, driven through a store and compared with the plain model at each
/// step.
struct Drive<Model: ToyModel, Mix: ToyMix, Store: DrivenStore>
where Mix.Happening == Model.Happening, Store.Happening == Model.Happening {
  private(set) var tally = DriveTally()
  private var generator: SeededGenerator
  private let mix: Mix
  private let store: Store
  private var history: PlainHistory<Model>
  private var watchers: [Watcher<Store>] = []
  private var rowWatchers: [RowWatcher<Store>] = []
  /// Positions kept for catching up later.
  private var positions: [Position] = []
  private let definitions: [ViewDefinition]
  private var lastTrial = ""

  init(_ store: Store, _ empty: Model, _ mix: Mix, _ generator: SeededGenerator) {
    self.generator = generator
    self.mix = mix
    self.store = store
    history = PlainHistory(empty)
    definitions = empty.definitions
  }

  /// Drives the store for a number of steps.
  mutating func run(steps: Int) async throws {
    for _ in 0..<Int.random(in: 1...8, using: &generator) { try await addWatcher() }
    for _ in 0..<Int.random(in: 1...8, using: &generator) { try await addRowWatcher() }
    while tally.steps < steps { try await step() }
    await closeWatchers()
  }

  private mutating func step() async throws {
    try await append()
    try await handOver()
    try await pull()
    try await store.checkInvariants()
    if generator.onceIn(3) { try await look() }
    if store.abilities.contains(.catchUp), generator.onceIn(3) { try await catchUp() }
    if generator.onceIn(10) { try merge() }
    if store.abilities.contains(.travel), generator.onceIn(20) { try await travel() }
    if generator.onceIn(4) { try await changeWatchers() }
    if generator.onceIn(40) { try await undergoTrial() }
    if generator.onceIn(5) { positions.append(try await store.position(at: history.count)) }
  }

  private mutating func append() async throws {
    let count = generator.onceIn(12) ? Int.random(in: 2...5, using: &generator) : 1
    let batches = (0..<count).map { _ in randomBatch() }
    let numbers = try await store.append(batches)
    // Batches that are on their way together may enter the log in any order.
    for (batch, number) in zip(batches, numbers).sorted(by: { $0.1 < $1.1 }) {
      try require(number == history.count + 1, "a batch got number \(number)")
      history.append(batch)
    }
    tally.steps += batches.reduce(0) { $0 + $1.count }
    tally.batches += count
  }

  private mutating func randomBatch() -> [Model.Happening] {
    let count = generator.one(of: [1, 1, 1, 2, 3, 5, 10, 20, 60])
    return (0..<count).map { _ in mix.happening(using: &generator) }
  }
}

// Live panes.
extension Drive {
  private mutating func handOver() async throws {
    for watcher in watchers where !watcher.isPulling {
      for delivery in watcher.taken() {
        try await receive(delivery, watcher)
        tally.handed += 1
      }
      try checkIsCurrent(watcher)
    }
    for watcher in rowWatchers where !watcher.isPulling {
      for change in watcher.taken() {
        try watcher.receive(change, &history)
        tally.watched += 1
      }
      try checkIsCurrent(watcher)
    }
  }

  /// Slow watchers ask now and then, and get everything that happened meanwhile as one change.
  private mutating func pull() async throws {
    for watcher in watchers where watcher.isPulling && generator.onceIn(4) {
      let isCurrent = watcher.sight == history.sight(of: watcher.pane, at: history.count)
      if isCurrent, watcher.isTold { continue }
      try await receive(watcher.pulled(), watcher)
      tally.pulled += 1
      try checkIsCurrent(watcher)
    }
    for watcher in rowWatchers where watcher.isPulling && generator.onceIn(4) {
      guard watcher.row != history.row(watcher.id, at: history.count) else { continue }
      try watcher.receive(try await watcher.pulled(), &history)
      tally.watched += 1
      try checkIsCurrent(watcher)
    }
  }

  private mutating func receive(_ delivery: Delivery, _ watcher: Watcher<Store>) async throws {
    let isThorough = generator.onceIn(50)
    let place = try await store.position(at: delivery.set.to.index)
    try require(place == delivery.set.to, "\(watcher.pane) was told of what is not in the log")
    try watcher.receive(delivery, &history, isThorough: isThorough)
    if delivery.set.isReset { tally.resets += 1 }
    tally.add(delivery.set.edits)
  }

  private mutating func checkIsCurrent(_ watcher: Watcher<Store>) throws {
    let isCurrent = watcher.sight == history.sight(of: watcher.pane, at: history.count)
    try require(isCurrent, "\(watcher.pane) was told nothing of its last change")
  }

  private mutating func checkIsCurrent(_ watcher: RowWatcher<Store>) throws {
    let isCurrent = watcher.row == history.row(watcher.id, at: history.count)
    try require(isCurrent, "row \(watcher.id) was told nothing of its last change")
  }

  private mutating func merge() throws {
    for watcher in watchers { tally.merged += try watcher.mergePast(using: &generator) }
  }

  private mutating func addWatcher() async throws {
    let pane = randomPane()
    let isPulling = generator.onceIn(3)
    let watcher = try await Watcher(pane, isPulling: isPulling, in: store)
    try checkIsCurrent(watcher)
    watchers.append(watcher)
  }

  private mutating func addRowWatcher() async throws {
    let watcher = try await RowWatcher(
      mix.id(using: &generator), isPulling: generator.onceIn(3), in: store)
    try checkIsCurrent(watcher)
    rowWatchers.append(watcher)
  }

  private func closeWatchers() async {
    for watcher in watchers { await watcher.close() }
    for watcher in rowWatchers { await watcher.close() }
  }

  private mutating func changeWatchers() async throws {
    if let index = rowWatchers.indices.randomElement(using: &generator), generator.onceIn(2) {
      await rowWatchers.remove(at: index).close()
    }
    if rowWatchers.count < 12 { try await addRowWatcher() }
    if let index = watchers.indices.randomElement(using: &generator), generator.onceIn(2) {
      await watchers.remove(at: index).close()
    }
    if watchers.count < 12 { try await addWatcher() }
    guard let watcher = watchers.randomElement(using: &generator) else { return }
    let window = watcher.pane.window
    try await move(watcher, to: randomWindow(hasTotal: window.hasTotal))
    guard generator.onceIn(2) else { return }
    // A watcher that looks back has not seen what happened there meanwhile.
    try await append()
    try await move(watcher, to: window)
  }

  private mutating func move(_ watcher: Watcher<Store>, to window: ListWindow) async throws {
    // Earlier deliveries concern the window before.
    try await handOver()
    try await watcher.look(at: window, in: store)
    tally.widened += 1
    try await handOver()
    try require(
      watcher.isPulling || watcher.isTold, "\(watcher.pane) was not told that it was moved")
  }

  private mutating func randomPane() -> Pane {
    let view = generator.one(of: definitions)
    var groups = history.timeline.head.groups(of: view.name)
    // A group without rows may get some, and one that never does must be told nothing.
    if generator.onceIn(10) || groups.isEmpty { groups = [nil, "inbox", "nobody's"] }
    let group = view.grouping == nil ? nil : generator.one(of: groups)
    return Pane(
      view: view.name, group: group, window: randomWindow(hasTotal: generator.onceIn(2)),
      source: generator.one(of: Pane.Source.allCases))
  }

  private mutating func randomWindow(hasTotal: Bool) -> ListWindow {
    let lower = generator.onceIn(2) ? 0 : Int.random(in: 1...6, using: &generator)
    let width = generator.one(of: [1, 2, 5, 5, 10, 50, generator.onceIn(10) ? 0 : 3])
    return ListWindow(
      lowerBound: lower, upperBound: generator.onceIn(3) ? .max : lower + width,
      hasTotal: hasTotal)
  }
}

// Everything else that can be asked.
extension Drive {
  /// Looks at a list, and at the rank of each of its rows.
  private mutating func look() async throws {
    let pane = randomPane()
    let sight = try await store.sight(of: pane)
    try require(
      sight == history.sight(of: pane, at: history.count), "\(pane) reads otherwise: \(sight)")
    let rows = history.rows(of: pane, at: history.count)
    try require(try await store.rank(of: "no one", in: pane) == nil, "\(pane) has no one")
    guard let index = rows.indices.randomElement(using: &generator) else { return }
    let rank = try await store.rank(of: rows[index].id, in: pane)
    try require(rank == index, "\(pane) has \(rows[index].id) at \(index), not \(rank ?? -1)")
  }

  /// Asks for the changes of a pane since a position that was kept.
  private mutating func catchUp() async throws {
    guard let position = positions.randomElement(using: &generator) else { return }
    var pane = randomPane()
    pane.source = .kept
    let set = try await store.changes(of: pane, since: position)
    let old = history.sight(of: pane, at: position.index)
    let new = history.sight(of: pane, at: history.count)
    tally.caughtUp += 1
    guard let set else {
      return try require(old == new, "\(pane) is said not to have changed since \(position.number)")
    }
    if set.isReset {
      tally.resets += 1
      let floor = try await store.journalFloor()
      // Rebuilt views may have been different before, but not at the beginning.
      let isExcused = position.index <= floor && position.index > 0
      try require(
        isExcused, "\(pane) is reset since \(position.number), though all is known since \(floor)")
      return try require(set.applying(to: []).elementsEqual(new.rows), "\(pane) is reset wrong")
    }
    let direct = old.changeSet(to: new, from: position, to: set.to)
    try require(set.to.index == history.count, "\(pane) caught up to \(set.to.number) only")
    try require(
      set == direct, "\(pane) caught up wrong since \(position.number):\n\(set)\nnot\n\(direct)")
  }

  /// Looks at a list as it was.
  private mutating func travel() async throws {
    let number = Int.random(in: 0...history.count, using: &generator)
    let pane = randomPane()
    let sight = try await store.sight(of: pane, at: number)
    try require(
      sight == history.sight(of: pane, at: number), "\(pane) was otherwise at \(number): \(sight)")
    tally.travels += 1
  }

  private mutating func undergoTrial() async throws {
    let trial = generator.one(of: store.trials)
    if !trial.keepsPanes {
      await closeWatchers()
    }
    let missed = (0..<generator.low(below: 3)).map { _ in randomBatch() }
    try await store.undergo(trial, missing: missed)
    for batch in missed { history.append(batch) }
    tally.steps += missed.reduce(0) { $0 + $1.count }
    tally.trials += 1
    lastTrial = "; the last trial was \(trial) at \(history.count)"
    if !trial.keepsPanes {
      let (count, rowCount) = (watchers.count, rowWatchers.count)
      (watchers, rowWatchers) = ([], [])
      for _ in 0..<count { try await addWatcher() }
      for _ in 0..<rowCount { try await addRowWatcher() }
    }
    try await handOver()
    if store.abilities.contains(.refusals) {
      let refused = try await store.refused()
      try require(refused == history.timeline.refused, "others were refused: \(refused)")
    }
    for _ in 0..<3 { try await look() }
  }

  /// A description of what happened last.
  private var recent: String {
    "after \(history.timeline.happenings.suffix(3).map { "\($0)" }.joined(separator: ", "))"
      + lastTrial
  }

  private func require(
    _ condition: Bool, _ description: @autoclosure () -> String
  ) throws(Discrepancy) {
    try Discrepancy.require(condition, "at \(history.count), \(recent): \(description())")
  }
}
