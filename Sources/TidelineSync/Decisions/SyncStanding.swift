package import EventStore
import Tideline

/// How far the inbox and its server are in step.
package struct SyncStanding: Sendable {
  let refresh: RefreshPlan
  /// The last record that is taken into account.
  let last: RecordNumber
  /// The number of the store's setbacks until then.
  let setbacks: Int
  /// The first intent that the server has not accepted.
  let firstUnsent: RecordNumber?
  /// Whether the server is asked for news.
  let isAsked: Bool
  /// Whether synchronization is off, permanently or for now.
  let isOff: Bool
  /// Whether a refresh that is wanted begins soon.
  let isSoon: Bool

  /// Returns whether the server has accepted all operations up to a record, and everything it had
  /// then is here.
  package func covers(_ number: RecordNumber) -> Bool {
    if let firstUnsent, firstUnsent <= number { return false }
    return !isAsked || refresh.covers(number)
  }

  /// Returns the result of a refresh by its number; `nil` while it is not over.
  ///
  /// The successor of a failed refresh may take long, as may one that can't begin, and a cancelled
  /// one has no successor.
  package func result(of number: Int) -> Result<Void, any Error>? {
    guard let end = refresh.end else { return nil }
    let isOver = number <= refresh.over
    let isPutOff = end.outcome != .succeeded || refresh.isOwed && !isSoon
    guard isOver || isPutOff && !refresh.isRunning else { return nil }
    return switch end.outcome {
    case .succeeded where isOver: .success(())
    case .succeeded, .failed: .failure(end.failure ?? ServerFailure(.notSent))
    case .cancelled: .failure(CancellationError())
    }
  }
}

extension SyncMachine {
  /// Returns how far the inbox and its server are in step.
  package func standing(
    _ snapshot: borrowing StoreSnapshot, at now: Timestamp
  ) throws -> SyncStanding {
    let first = try snapshot.rows(of: ListName(InboxViews.unsent, of: login.account), in: 0..<1)
    let number = first.first?[Operations.intent].map(RecordNumber.init(kept:))
    return SyncStanding(
      refresh: refresh, last: snapshot.position.number, setbacks: snapshot.setbacks.count,
      firstUnsent: number, isAsked: places?.isEmpty == false,
      isOff: !session.isAllowed || !snapshot.isServed(login, at: now),
      isSoon: session.mayBeginSoon(at: now))
  }
}
