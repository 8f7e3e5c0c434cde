import EventStore
import Tideline

/// What the inbox has in common with its server.
package struct SyncStanding: Sendable {
  let refresh: RefreshPlan
  /// The first intent that the server has not taken.
  let firstUnsent: RecordNumber?
  /// Whether it is asked for news.
  let isAsked: Bool
  /// Whether nothing is kept in step any more, or at present.
  let isOff: Bool

  /// Whether the server has taken all that was wanted up to a record, and all is there that it had
  /// then.
  func covers(_ number: RecordNumber) -> Bool {
    if let firstUnsent, firstUnsent <= number { return false }
    return !isAsked || refresh.covers(number)
  }

  /// What came of a refresh, by which of all it is: `nil` while it is not over.
  ///
  /// What comes behind one that failed may be long in coming, and nothing does behind one that
  /// nobody wants any more.
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
  /// What the inbox has in common with its server.
  func standing(_ snapshot: borrowing StoreSnapshot) throws -> SyncStanding {
    let first = try snapshot.rows(of: ListName(InboxViews.unsent, of: login.account), in: 0..<1)
    let number = first.first?[Operations.intent].map { RecordNumber(rawValue: UInt64($0)) }
    return SyncStanding(
      refresh: refresh, firstUnsent: number, isAsked: places?.isEmpty == false,
      isOff: !session.isAllowed || !snapshot.isPresent(login))
  }
}
