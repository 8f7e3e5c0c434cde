import EventStore
import Tideline

/// How far the inbox and its server are in step.
package struct SyncStanding: Sendable {
  let refresh: RefreshPlan
  /// The first intent that the server has not accepted.
  let firstUnsent: RecordNumber?
  /// Whether the server is asked for news.
  let isAsked: Bool
  /// Whether synchronization is off, permanently or for now.
  let isOff: Bool

  /// Returns whether the server has accepted all operations up to a record, and everything it had
  /// then is here.
  func covers(_ number: RecordNumber) -> Bool {
    if let firstUnsent, firstUnsent <= number { return false }
    return !isAsked || refresh.covers(number)
  }

  /// Returns the result of a refresh by its number; `nil` while it is not over.
  ///
  /// The successor of a failed refresh may take long, and a cancelled one has no successor.
  func result(of number: Int) -> Result<Void, any Error>? {
    guard let end = refresh.end else { return nil }
    let isLast = end.outcome != .succeeded && !refresh.isRunning
    guard number <= refresh.over || isLast else { return nil }
    return switch end.outcome {
    case .succeeded: .success(())
    case .failed: .failure(end.failure ?? ServerFailure(.notSent))
    case .cancelled: .failure(CancellationError())
    }
  }
}

extension SyncMachine {
  /// Returns how far the inbox and its server are in step.
  func standing(_ snapshot: borrowing StoreSnapshot) throws -> SyncStanding {
    let first = try snapshot.rows(of: ListName(InboxViews.unsent, of: login.account), in: 0..<1)
    let number = first.first?[Operations.intent].map(RecordNumber.init(kept:))
    return SyncStanding(
      refresh: refresh, firstUnsent: number, isAsked: places?.isEmpty == false,
      isOff: !session.isAllowed || !snapshot.isPresent(login))
  }
}
