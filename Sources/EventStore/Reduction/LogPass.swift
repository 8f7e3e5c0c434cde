import LMDB

/// Folding records that a log holds, one behind the other, with all that it changes at hand.
struct LogPass {
  /// How many were folded.
  private(set) var count = 0
  /// How many are at most.
  private let limit: Int
  /// The last of them.
  private let last: RecordNumber
  /// The records that are left out.
  private let skipped: Set<RecordNumber>
  /// Where it has come to.
  private var end: Applied
  /// Up to where it was looked ahead.
  private var horizon: RecordNumber

  /// How many records are looked ahead at together, at most: so few that what was fetched is still
  /// there when their turn comes.
  static let aheadMax = 64
  /// How few records are not worth it.
  static let aheadMin = 8

  /// One over the records behind a place, through a number.
  init(
    behind place: Applied, atMost limit: Int, through last: RecordNumber,
    without skipped: Set<RecordNumber>
  ) {
    (self.limit, self.last, self.skipped) = (limit, last, skipped)
    (end, horizon) = (place, place.number)
  }

  /// Folds them; returns the place that it has come to.
  ///
  /// What is damaged among them is refused.
  mutating func run(
    over snapshot: borrowing Snapshot, by reducer: any Reducer, into state: inout ReducerState,
    _ journal: inout Journal, _ refused: inout [RefusedEvent]
  ) throws -> Applied {
    var cursor = try snapshot.records(behind: end)
    while count < limit {
      do throws(LogError) {
        guard try cursor.next(), cursor.number <= last else { break }
      } catch {
        guard let damaged = try Self.refused(error, through: last) else { break }
        refused.append(damaged)
        continue
      }
      if cursor.number > horizon {
        horizon = min(last, cursor.number.advanced(by: min(limit - count, Self.aheadMax) - 1))
        lookAhead(in: snapshot, by: reducer, into: &state)
      }
      try state.fold(cursor.record, by: reducer, without: skipped, &journal, &refused)
      end = cursor.place
      count += 1
    }
    // Behind its last record the baseline has come to what the floor was.
    let isAtFloor = count < limit && cursor.isBehindBaseline && end.number < snapshot.floor
    return isAtFloor ? snapshot.base.floor : end
  }

  /// Has fetched from memory what the next records are going to ask for, before the first of them
  /// is folded; what is damaged among them is left to who folds them.
  ///
  /// Records that were handed over are not looked ahead at: their names are looked for in many
  /// runs, which takes the processor and not the memory, and asking for them twice made them
  /// slower.
  private func lookAhead(
    in snapshot: borrowing Snapshot, by reducer: any Reducer, into state: inout ReducerState
  ) {
    guard end.number.distance(to: horizon) >= Self.aheadMin else { return }
    do throws(LogError) {
      var cursor = try snapshot.records(behind: end)
      while try cursor.glance(), cursor.number <= horizon {
        if skipped.isEmpty || !skipped.contains(cursor.number) {
          state.expect(cursor.record, by: reducer)
        }
      }
    } catch {}
    state.fetchExpected()
  }

  /// That nothing can be made of a record that is damaged, unless it is behind the last.
  private static func refused(
    _ error: LogError, through last: RecordNumber
  ) throws(LogError) -> RefusedEvent? {
    guard case .damagedRecord(let number, _) = error else { throw error }
    return number <= last ? RefusedEvent(number: number, reason: error.description) : nil
  }
}
