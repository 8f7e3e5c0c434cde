import LMDB

/// How much of a long task is done at once, so that it never keeps others from writing for long.
///
/// A slice works until its turn is over, and commits. What that takes is only known afterwards: so
/// turns become shorter when the lock was held for too long, and longer again when it was not.
public struct SlicePace: Hashable, Sendable {
  /// How long a slice may hold the write lock.
  public static let holdMax = Duration.milliseconds(8)
  /// The shortest turn; a slice does at least one thing, however long that takes.
  static let turnMin = Duration.microseconds(50)

  private let holdMax: Duration
  /// How long the next slice works before it commits.
  package private(set) var turn: Duration

  /// A pace that begins with care.
  package init(holdMax: Duration = Self.holdMax) {
    self.holdMax = holdMax
    turn = holdMax / 8
  }

  /// Notes for how long a slice held the lock.
  package mutating func note(held: Duration) {
    if held > holdMax {
      turn = max(turn / 2, Self.turnMin)
    } else if held < holdMax / 2 {
      turn = min(turn * 9 / 8, holdMax / 4)
    }
  }
}

/// One slice's turn: until when it works.
struct SliceTurn {
  /// Where the time comes from.
  let clock: @Sendable () -> Instant
  /// When it is over.
  let end: Instant

  /// Whether it is.
  var isOver: Bool { clock() >= end }
}

extension WriterLoop {
  /// Runs one slice of a task: a transaction that changes records below and beside the log's end,
  /// and what the store's own record says of the task.
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
