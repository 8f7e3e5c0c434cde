/// Steps through a log record by record, forward and backward, and reports what each one did.
///
///     let stepper = try ReplayStepper(store.replay(at: 1200))
///     while let step = try stepper.forward() { show(step) }
///     while let undone = try stepper.back(), undone.number > 1200 { show(undone) }
///
/// A stepper is not safe for concurrent use.
public final class ReplayStepper {
  /// The rows and lists, which the stepper moves.
  private let replay: Replay
  /// Whether steps include lists.
  private let tellsLists: Bool
  private let witness = EventWitness()
  /// The remembered steps that led here, oldest first.
  private var past: [Step] = []
  /// The remembered steps that were undone, in the order of undoing.
  private var future: [Step] = []
  /// The stepper's record; the replay may be at another.
  public private(set) var number: RecordNumber

  /// How many records earlier the stepper restarts, remembering them all, when it goes back beyond
  /// its memory.
  public static let pastMax = 256
  /// The maximum number of undone steps to remember.
  public static let futureMax = 256
  /// The minimum number of recent steps to remember.
  ///
  /// Remembering 256 makes going forward a tenth slower, since each new step then reuses memory
  /// that has long left the processor's cache: 18.1 µs instead of 16.3, alternating in one run.
  public static let pastMin = 16

  /// Creates a stepper at a replay's position, which nothing else may move from now on; its steps
  /// may report changes to lists, or only to rows.
  public init(_ replay: Replay, tellsLists: Bool = true) {
    (self.replay, self.tellsLists) = (replay, tellsLists)
    number = replay.position.number
    replay.show(to: witness)
  }

  /// The log.
  public var log: Log { replay.log }

  /// Advances by one record and returns what it did; `nil` after the last.
  ///
  /// A damaged record is skipped.
  ///
  /// - Complexity: O(log n) for each row and list that the record touches. The first new step after
  ///   steps were undone costs as much as ``Replay/advance(to:)``.
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

  /// Goes back by one record and returns what it had done; `nil` before the first.
  ///
  /// - Complexity: O(1) for the last ``pastMin`` steps. Beyond them, one step in ``pastMax`` costs
  ///   as much as ``Replay/advance(to:)`` back and forward again. Calling ``views()`` afterwards
  ///   costs that much too.
  /// - Throws: ``StoreError``.
  public func back() throws(StoreError) -> Step? {
    if past.isEmpty { try recall() }
    guard let undone = past.popLast() else { return nil }
    future.append(undone)
    if future.count > Self.futureMax { future.removeFirst(future.count - Self.futureMax) }
    number = past.last?.number ?? before(undone.number)
    return undone
  }

  /// Moves to a record.
  ///
  /// - Complexity: As ``Replay/advance(to:)``.
  /// - Throws: ``StoreError``, as that does.
  public func jump(to number: RecordNumber) throws(StoreError) {
    try replay.advance(to: number)
    (past, future) = ([], [])
    witness.clear()
    self.number = number
  }

  /// Returns the rows and lists at the stepper's record, to be read but not moved, until the next
  /// step.
  ///
  /// - Complexity: O(1), or after ``back()`` as ``Replay/advance(to:)``.
  /// - Throws: ``StoreError``.
  public func views() throws(StoreError) -> Replay {
    try catchUp()
    return replay
  }

  /// The number of remembered steps, for tests.
  package var rememberedCount: Int { past.count + future.count }
}

extension ReplayStepper {
  private func remember(_ step: Step) {
    number = step.number
    past.append(step)
  }

  /// Folds the record after the replay's position, which is also the stepper's.
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

  /// Restarts some records earlier and steps through them again.
  private func recall() throws(StoreError) {
    let (end, later) = (number, future)
    guard end > log.floor else { return }
    let room = UInt64(Self.pastMax)
    let start = max(log.floor.rawValue, end.rawValue - min(end.rawValue, room))
    try jump(to: RecordNumber(rawValue: start))
    // If the record at the end is damaged, the next intact one comes after it.
    while number < end, let step = try fold(), step.number <= end { remember(step) }
    future = later
  }

  /// Moves the replay to the stepper's record.
  private func catchUp() throws(StoreError) {
    guard replay.position.number != number else { return }
    try replay.advance(to: number)
    witness.clear()
  }

  /// Returns the number before one, if no earlier step is remembered.
  private func before(_ number: RecordNumber) -> RecordNumber {
    max(log.floor, number.advanced(by: -1))
  }
}

extension Replay {
  /// Returns the changes that a witness saw, as row steps.
  func rowSteps(_ witness: EventWitness) -> [RowStep] {
    witness.sights.compactMap { sight in
      RowStep(definitions.collections[Int(sight.place)], old: sight.old, new: sight.new)
    }
  }
}
