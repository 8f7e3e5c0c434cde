/// Goes through a log record by record, on and back, and says what each one did.
///
///     let stepper = try ReplayStepper(store.replay(at: 1200))
///     while let step = try stepper.forward() { show(step) }
///     while let undone = try stepper.back(), undone.number > 1200 { show(undone) }
///
/// It is not for two threads at once.
public final class ReplayStepper {
  /// Rows and lists as they were, which the stepper moves.
  private let replay: Replay
  /// Whether steps tell of lists.
  private let tellsLists: Bool
  private let witness = EventWitness()
  /// The steps that led here, the last one last, as far as they are remembered.
  private var past: [Step] = []
  /// The steps that were taken back, the first one last, as far as they are remembered.
  private var future: [Step] = []
  /// Where it stands: not always where the replay does.
  public private(set) var number: RecordNumber

  /// Going back beyond what is remembered begins so many records before, and remembers them all.
  public static let pastMax = 256
  /// How many steps that were taken back are remembered.
  public static let futureMax = 256
  /// How many of the last steps are remembered at least.
  ///
  /// Going on takes a tenth longer where 256 are, since the memory of each new step is then one
  /// that the processor's cache has long lost: 18.1 µs instead of 16.3, by turns in one run.
  public static let pastMin = 16

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
  /// - Complexity: O(log n) for each row and list that the record touches; once as
  ///   ``Replay/advance(to:)`` behind what was taken back.
  /// - Throws: ``StoreError``.
  public func forward() throws(StoreError) -> Step? {
    if let known = future.popLast() {
      remember(known)
      return known
    }
    try catchUp()
    guard let step = try fold() else { return nil }
    if past.count >= 2 * Self.pastMin { past.removeFirst(past.count - Self.pastMin) }
    remember(step)
    return step
  }

  /// Goes back by one record, and says what that one had done; `nil` before the first.
  ///
  /// - Complexity: O(1) for the last ``pastMin`` steps; behind them as ``Replay/advance(to:)`` back
  ///   and on again for one step in ``pastMax``. Whoever asks for ``views()`` then pays that too.
  /// - Throws: ``StoreError``.
  public func back() throws(StoreError) -> Step? {
    if past.isEmpty { try recall() }
    guard let undone = past.popLast() else { return nil }
    future.append(undone)
    if future.count > Self.futureMax { future.removeFirst(future.count - Self.futureMax) }
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

  /// Rows and lists where it stands: to be asked, not to be moved, and until the next step.
  ///
  /// - Complexity: O(1), and behind ``back()`` as ``Replay/advance(to:)``.
  /// - Throws: ``StoreError``.
  public func views() throws(StoreError) -> Replay {
    try catchUp()
    return replay
  }

  /// How many steps are remembered, which is for tests to see.
  package var rememberedCount: Int { past.count + future.count }
}

extension ReplayStepper {
  private func remember(_ step: Step) {
    number = step.number
    past.append(step)
  }

  /// Folds one record behind where the replay stands, which is where this stands.
  private func fold() throws(StoreError) -> Step? {
    witness.clear()
    let (origin, refused) = (replay.position, replay.workspace.refused.count)
    do {
      var lists: [ListStep] = []
      if tellsLists { try replay.requireViews() }
      let record = try replay.step {
        if tellsLists { lists = try replay.workspace.listSteps(since: origin, seenBy: witness) }
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
    // Where the record at the end is damaged, the next that is whole comes behind it.
    while number < end, let step = try fold(), step.number <= end { remember(step) }
    future = later
  }

  /// Has the replay stand where this does.
  private func catchUp() throws(StoreError) {
    guard replay.position.number != number else { return }
    try replay.advance(to: number)
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
}
