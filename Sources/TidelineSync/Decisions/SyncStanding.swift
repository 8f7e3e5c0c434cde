import EventStore
import Tideline

/// What the inbox has in common with its server.
package struct SyncStanding: Sendable {
  let refresh: RefreshPlan
  /// The first intent that the server has not taken.
  let firstUnsent: RecordNumber?

  /// Whether the server has taken all that was wanted up to a record, and all is there that it had
  /// then.
  func covers(_ number: RecordNumber) -> Bool {
    if let firstUnsent, firstUnsent <= number { return false }
    return refresh.covers(number)
  }
}

extension SyncMachine {
  /// What the inbox has in common with its server.
  func standing(_ snapshot: borrowing StoreSnapshot) throws -> SyncStanding {
    let first = try snapshot.rows(of: InboxViews.unsent, group: Int64(login.account), in: 0..<1)
    let number = first.first?[Operations.intent].map { RecordNumber(rawValue: UInt64($0)) }
    return SyncStanding(refresh: refresh, firstUnsent: number)
  }
}
