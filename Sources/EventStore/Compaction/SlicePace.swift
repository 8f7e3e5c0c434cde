import LMDB

/// The amount of a long task that is done at once, so that it never blocks other writers for long.
///
/// A slice works until its turn is over, and then commits. The cost of a commit is known only
/// afterwards, so turns become shorter when the lock was held too long, and longer when it was not.
public struct SlicePace: Hashable, Sendable {
  /// The longest time that a slice may hold the write lock.
  public static let holdMax = Duration.milliseconds(8)
  /// The shortest turn; a slice does at least one unit of work, however long that takes.
  static let turnMin = Duration.microseconds(50)

  private let holdMax: Duration
  /// The time that the next slice works before it commits.
  package private(set) var turn: Duration

  /// Creates a pace that starts with short turns.
  package init(holdMax: Duration = Self.holdMax) {
    self.holdMax = holdMax
    turn = holdMax / 8
  }

  /// Adjusts the turn to the time for which a slice held the lock.
  package mutating func note(held: Duration) {
    if held > holdMax {
      turn = max(turn / 2, Self.turnMin)
    } else if held < holdMax / 2 {
      turn = min(turn * 9 / 8, holdMax / 4)
    }
  }
}

/// One slice's turn, with its deadline.
struct SliceTurn {
  /// The source of the current time.
  let clock: @Sendable () -> Instant
  /// The end of the turn.
  let end: Instant

  /// Whether the turn is over.
  var isOver: Bool { clock() >= end }
}

extension WriterLoop {
  /// Runs one slice of a task: a transaction that changes records other than by appending, and the
  /// task in the store record.
  mutating func slice<R: Sendable>(
    _ pace: inout SlicePace, _ clock: @escaping @Sendable () -> Instant,
    _ durability: Durability = .relaxed,
    _ body: (inout WriteTransaction, inout StoreRecord, SliceTurn) throws(LMDBError) -> R
  ) throws(LogError) -> R {
    let turn = pace.turn
    var done: (result: R, start: Instant)?
    _ = try write(durability) { loop, transaction, _ throws(LMDBError) in
      let start = clock()
      var store = try loop.file.currentStore(in: transaction)
      let before = store
      let result = try body(&transaction, &store, SliceTurn(clock: clock, end: start + turn))
      if store != before { try loop.file.put(store, in: &transaction) }
      done = (result, start)
    }.get()
    guard let done else { preconditionFailure("a slice was not run") }
    pace.note(held: clock() - done.start)
    return done.result
  }
}
