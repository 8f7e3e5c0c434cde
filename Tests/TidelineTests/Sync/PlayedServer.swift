import EventStore
import Synchronization
import Tideline
import TidelineSync

/// A server with scripted answers that remembers its questions and requests.
final class PlayedServer: Server {
  private struct State {
    var asked: [Question] = []
    var performed: [ServerRequest] = []
    var tokens: [Token?] = []
  }

  let abilities: ServerAbilities
  private let state = Mutex(State())
  private let mayAnswer: @Sendable () async -> Void
  private let mayPerform: @Sendable () async -> Void
  private let onQuestion: @Sendable (Question) throws(ServerFailure) -> Answer
  private let onRequest: @Sendable (ServerRequest, Token?) throws(ServerFailure) -> Settlement

  /// - Parameters:
  ///   - mayAnswer: Returns once a question that has arrived may be answered.
  ///   - mayPerform: Returns once a request that has arrived may be performed.
  init(
    _ abilities: ServerAbilities,
    onQuestion: @escaping @Sendable (Question) throws(ServerFailure) -> Answer = { _ in Answer() },
    onRequest:
      @escaping @Sendable (ServerRequest, Token?) throws(ServerFailure) -> Settlement = {
        request, _ in Settlement(request.parts.map { _ in .done() }, status: 200)
      },
    mayAnswer: @escaping @Sendable () async -> Void = {},
    mayPerform: @escaping @Sendable () async -> Void = {}
  ) {
    self.abilities = abilities
    (self.mayAnswer, self.mayPerform) = (mayAnswer, mayPerform)
    (self.onQuestion, self.onRequest) = (onQuestion, onRequest)
  }

  var asked: [Question] { state.withLock { $0.asked } }
  var performed: [ServerRequest] { state.withLock { $0.performed } }
  var wanted: [ServerRequest.Wanted] { performed.flatMap { $0.parts.map(\.wanted) } }

  func answer(_ question: Question, token: Token?) async throws(ServerFailure) -> Answer {
    state.withLock { $0.asked.append(question) }
    await mayAnswer()
    return try onQuestion(question)
  }

  func perform(
    _ request: ServerRequest, token: Token?
  ) async throws(ServerFailure) -> Settlement {
    state.withLock { $0.performed.append(request) }
    await mayPerform()
    return try onRequest(request, token)
  }
}

extension ServerAbilities {
  /// A mailbox that reports changes.
  static var mail: ServerAbilities {
    var abilities = ServerAbilities()
    abilities.streams = [
      ServerStream("deltas", [.tag, .message, .thread], by: .changes, pageMax: 16)
    ]
    return abilities
  }

  /// A server that only receives requests.
  static var sink: ServerAbilities { ServerAbilities() }

  /// A rich inbox that is read as a whole and takes many parts per request.
  static var rich: ServerAbilities {
    var abilities = ServerAbilities()
    abilities.streams = [ServerStream("rich", [.rich], by: .list)]
    abilities.partsMax = 100
    return abilities
  }
}
