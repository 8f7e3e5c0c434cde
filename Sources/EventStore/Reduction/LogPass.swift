import LMDB

/// A pass that folds records of a log in order, with direct access to the state it changes.
struct LogPass {
  /// The number of records folded.
  private(set) var count = 0
  /// The most records to fold.
  private let limit: Int
  /// The last record to fold.
  private let last: RecordNumber
  /// The records to leave out.
  private let skipped: Set<RecordNumber>
  /// The place reached.
  private var end: LogPoint
  /// The last record that was looked ahead at.
  private var horizon: RecordNumber

  /// The maximum number of records to look ahead at, small enough that fetched data is still cached
  /// when their turn comes.
  static let aheadMax = 64
  /// The fewest records worth looking ahead at.
  static let aheadMin = 8

  /// Creates a pass over the records after a place, through a number.
  init(
    after place: LogPoint, atMost limit: Int, through last: RecordNumber,
    without skipped: Set<RecordNumber>
  ) {
    (self.limit, self.last, self.skipped) = (limit, last, skipped)
    (end, horizon) = (place, place.number)
  }

  /// Folds the records; returns the place reached.
  ///
  /// Damaged records are refused.
  mutating func run(
    over snapshot: borrowing Snapshot, by reducer: any Reducer, into state: inout ReducerState,
    _ journal: inout Journal, _ refused: inout [RefusedEvent]
  ) throws -> LogPoint {
    var cursor = try snapshot.records(after: end)
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
    // After its last record, the baseline has reached the floor.
    let isAtFloor = count < limit && cursor.isBehindBaseline && end.number < snapshot.floor
    return isAtFloor ? snapshot.base.floor : end
  }

  /// Fetches into cache what the next records will look up, before the first of them is folded;
  /// leaves damaged records to folding.
  ///
  /// Records handed over directly are not looked ahead at: their names are searched in many runs,
  /// which is bound by the processor rather than memory, and looking them up twice made folding
  /// slower.
  private func lookAhead(
    in snapshot: borrowing Snapshot, by reducer: any Reducer, into state: inout ReducerState
  ) {
    guard end.number.distance(to: horizon) >= Self.aheadMin else { return }
    do throws(LogError) {
      var cursor = try snapshot.records(after: end)
      while try cursor.glance(), cursor.number <= horizon {
        if skipped.isEmpty || !skipped.contains(cursor.number) {
          state.expect(cursor.record, by: reducer)
        }
      }
    } catch {}
    state.fetchExpected()
  }

  /// Returns a refusal for a damaged record, or `nil` if it comes after the last one.
  private static func refused(
    _ error: LogError, through last: RecordNumber
  ) throws(LogError) -> RefusedEvent? {
    guard case .damagedRecord(let number, _) = error else { throw error }
    return number <= last ? RefusedEvent(number: number, reason: error.description) : nil
  }
}
