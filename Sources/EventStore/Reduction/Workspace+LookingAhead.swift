/// Having fetched from memory what the next records of a log are going to ask for, before the first
/// of them is folded.
///
/// Records that were handed over are not looked ahead at: their names are looked for in many runs,
/// which takes the processor and not the memory, and asking for them twice made them slower.
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
}
