/// Having fetched from memory what the next records are going to ask for, before the first of them
/// is folded.
extension Workspace {
  /// How many records are looked at ahead together, at most: so few that what was fetched is still
  /// there when their turn comes.
  static let aheadMax = 64
  /// How few records are not worth it.
  static let aheadMin = 8

  /// Looks ahead at records of the log behind a place, up to a number.
  ///
  /// What is damaged among them is left to who folds them.
  func lookAhead(
    in snapshot: borrowing Snapshot, behind place: Applied, through last: RecordNumber
  ) {
    guard place.number.distance(to: last) >= Self.aheadMin else { return }
    do throws(LogError) {
      var cursor = try snapshot.records(behind: place)
      while try cursor.glance(), cursor.number <= last {
        if skipped.isEmpty || !skipped.contains(cursor.number) {
          state.expect(cursor.record, by: reducer)
        }
      }
    } catch {}
    state.fetchExpected()
  }

  /// Looks ahead at those of the records that were handed over that are folded next.
  static func lookAhead(
    in queue: RecordQueue, _ reducer: any Reducer, _ state: inout State
  ) {
    guard queue.sliceCount >= aheadMin else { return }
    queue.forEachOfSlice { state.expect($0, by: reducer) }
    state.fetchExpected()
  }
}
