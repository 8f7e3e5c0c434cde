/// Goes through a log record by record, on and back, and says what each one did.
///
///     let stepper = try Stepper(store.replay(at: 1200))
///     while let step = try stepper.forward() { show(step) }
///     while let undone = try stepper.back(), undone.number > 1200 { show(undone) }
///
/// It is not for two threads at once.
public final class Stepper {
  /// Rows and lists as they were, which the stepper moves.
  private let replay: Replay
  /// Whether steps tell of lists.
  private let tellsLists: Bool
  private let witness = EventWitness()
  /// The steps that led here, the last one last, as far as they are remembered.
  private var past: [Step] = []
  /// The steps that were taken back, the first one last.
  private var future: [Step] = []
  /// Where it stands: not behind the replay.
  public private(set) var number: RecordNumber

  /// How many steps back are remembered: going back beyond begins so far before.
  public static let pastMax = 256

  /// A stepper where a replay stands, which nobody else may move from now on; its steps may tell
  /// what happened to lists, or to rows alone.
  public init(_ replay: Replay, tellsLists: Bool = true) {
    (self.replay, self.tellsLists) = (replay, tellsLists)
    number = replay.position.number
    replay.show(to: witness)
  }

  /// The log.
  public var log: Log { replay.log }

  /// Goes on by one record, and says what it did; `nil` behind the last.
  ///
  /// A damaged record is passed over.
  ///
  /// - Complexity: O(log n) for each row and list that the record touches.
  /// - Throws: ``StoreError``.
  public func forward() throws(StoreError) -> Step? {
    if let known = future.popLast() {
      remember(known)
      return known
    }
    guard let step = try fold() else { return nil }
    remember(step)
    return step
  }

  /// Goes back by one record, and says what that one had done; `nil` before the first.
  ///
  /// - Complexity: O(1) for the last steps, and for one of ``pastMax`` as ``Replay/advance(to:)``
  ///   back and on again. Whoever asks for ``views()`` then pays that as well.
  /// - Throws: ``StoreError``.
  public func back() throws(StoreError) -> Step? {
    if past.isEmpty { try recall() }
    guard let undone = past.popLast() else { return nil }
    future.append(undone)
    number = past.last?.number ?? before(undone.number)
    return undone
  }

  /// Goes to a record.
  ///
  /// - Complexity: As ``Replay/advance(to:)``.
  /// - Throws: ``StoreError``, as that does.
  public func jump(to number: RecordNumber) throws(StoreError) {
    try replay.advance(to: number)
    (past, future) = ([], [])
    witness.clear()
    self.number = number
  }

  /// Goes on up to a record, or until `body` returns `false` for a step; says whether it came so
  /// far.
  ///
  /// - Complexity: As ``forward()`` for each step.
  /// - Throws: ``StoreError``; what `body` throws.
  @discardableResult
  public func run(
    through last: RecordNumber, _ body: (Step) throws -> Bool
  ) throws -> Bool {
    while number < last {
      guard let step = try forward() else { return true }
      guard try body(step) else { return false }
    }
    return true
  }

  /// Rows and lists where it stands: to be asked, not to be moved, and until the next step.
  ///
  /// - Complexity: O(1), and behind ``back()`` as ``Replay/advance(to:)``.
  /// - Throws: ``StoreError``.
  public func views() throws(StoreError) -> Replay {
    guard replay.position.number != number else { return replay }
    try replay.advance(to: number)
    witness.clear()
    // What was taken back is folded again, or else the replay would miss it.
    future = []
    return replay
  }
}

extension Stepper {
  private func remember(_ step: Step) {
    number = step.number
    past.append(step)
    if past.count >= 2 * Self.pastMax { past.removeFirst(Self.pastMax) }
  }

  /// Folds one record behind where the replay stands, which is where this stands.
  private func fold() throws(StoreError) -> Step? {
    witness.clear()
    let (origin, refused) = (replay.position, replay.workspace.refused.count)
    do {
      var lists: [ListStep] = []
      if tellsLists { try replay.requireViews() }
      let record = try replay.step {
        if tellsLists { lists = try replay.listSteps(witness, since: origin) }
      }
      guard let record else { return nil }
      let refusals = replay.workspace.refused.dropFirst(refused)
      return Step(
        record: record, refusal: refusals.last { $0.number == record.number }?.reason,
        rows: replay.rowSteps(witness), lists: lists)
    } catch {
      throw StoreError(error, path: log.path)
    }
  }

  /// Begins some records before where this stands, and goes through them again.
  private func recall() throws(StoreError) {
    let (end, later) = (number, future)
    guard end > log.floor else { return }
    let room = UInt64(Self.pastMax)
    let start = max(log.floor.rawValue, end.rawValue - min(end.rawValue, room))
    try jump(to: RecordNumber(rawValue: start))
    while number < end, let step = try fold() { remember(step) }
    future = later
    if !later.isEmpty, let last = later.first?.number { try catchUp(through: last) }
  }

  /// Has the replay stand where it would if nothing had been taken back.
  private func catchUp(through last: RecordNumber) throws(StoreError) {
    try replay.goOn(to: last)
    witness.clear()
  }

  /// The record before one, where nothing is remembered of it.
  private func before(_ number: RecordNumber) -> RecordNumber {
    max(log.floor, number.advanced(by: -1))
  }
}

extension Replay {
  /// What a witness saw of rows, of each one together.
  func rowSteps(_ witness: EventWitness) -> [RowStep] {
    witness.sights.compactMap { sight in
      RowStep(definitions.collections[Int(sight.place)], old: sight.old, new: sight.new)
    }
  }

  /// What the batch that is about to end did to the lists that the rows are in, or were, that a
  /// witness saw; where an event touched so many rows that it is not known, what is in them.
  fileprivate func listSteps(
    _ witness: EventWitness, since start: Position
  ) throws -> [ListStep] {
    var (touched, steps) = (workspace.touchedLists, [] as [ListStep])
    steps.reserveCapacity(touched.count)
    for view in touched.views {
      let collection = workspace.state.lists.views[view].collection
      for sight in witness.sights where sight.place == collection {
        if let old = sight.old {
          try add(listsOf: old, view, &touched, witness, since: start, to: &steps)
        }
        if let new = sight.new {
          try add(listsOf: new, view, &touched, witness, since: start, to: &steps)
        }
      }
    }
    return steps
  }

  /// Adds what happened to the lists of a view that a row is or was in, as far as it is not there.
  private func add(
    listsOf row: Row, _ view: Int, _ touched: inout TouchedLists, _ witness: EventWitness,
    since start: Position, to steps: inout [ListStep]
  ) throws {
    let lists = workspace.plan(of: view).lists(of: row.view) { word in
      touched.has(ListID(view: view, group: word))
    }
    for list in lists {
      let id = ListID(view: view, group: list.word)
      guard let nets = touched.take(id) else { continue }
      let change = try workspace.change(of: id, by: nets, since: start, seenBy: witness)
      if let change { steps.append(ListStep(list: list.name, change: change)) }
    }
  }
}
