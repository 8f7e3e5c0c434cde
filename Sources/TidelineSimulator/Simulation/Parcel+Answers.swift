import EventStore
import Tideline
import TidelineSync

extension Parcel {
  /// Returns the event that tells the device of the parcel's failure.
  func failed(_ reason: ServerFailure.Reason, after wait: Duration? = nil) -> SyncEvent {
    let failure = ServerFailure.because(reason, after: wait)
    return switch content {
    case .question(let id, _): .answered(id, .failure(failure))
    case .request(let id, _): .performed(id, .failure(failure))
    }
  }

  /// Returns the event with a server's answer.
  func answer(of server: any SimulatedServer) -> SyncEvent {
    switch content {
    case .question(let id, let question):
      .answered(
        id,
        Result { () throws(ServerFailure) in try server.answer(question, token: token) })
    case .request(let id, let request):
      .performed(
        id, Result { () throws(ServerFailure) in try server.perform(request, token: token) })
    }
  }
}

extension SyncEvent {
  /// The answer without the outcome of the last part.
  var partly: SyncEvent {
    guard case .performed(let id, .success(var settlement)) = self else { return self }
    settlement.outcomes.removeLast()
    return .performed(id, .success(settlement))
  }
}
