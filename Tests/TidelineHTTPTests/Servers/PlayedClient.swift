import EventStore
import Synchronization
import Tideline
import TidelineHTTP
import TidelineSync

/// A client with a scripted server: each request gets its answers in order, the last of them again
/// and again.
final class PlayedClient: HTTPClient {
  /// The outcome of a request.
  enum Turn: Sendable {
    case answer(HTTPAnswer)
    case failure(HTTPFailure)
    case inflow(HTTPAnswer, Inflow)
  }

  let answerBytesMax: Int
  private let state: Mutex<(script: [String: [Turn]], requests: [HTTPRequest], stops: Int)>

  /// The requests received, oldest first.
  var requests: [HTTPRequest] { state.withLock(\.requests) }
  /// The number of answers whose streams were stopped.
  var stops: Int { state.withLock(\.stops) }

  /// Creates a client that answers by method and path.
  init(_ script: [String: [Turn]], bytesMax: Int = 1 << 20) {
    state = Mutex((script, [], 0))
    answerBytesMax = bytesMax
  }

  func open(
    _ request: HTTPRequest, within timeout: Duration, onSent: (@Sendable (Int64) -> Void)?
  ) async throws(HTTPFailure) -> HTTPStream {
    let turn = state.withLock { state in
      state.requests.append(request)
      let turns = state.script["\(request.method) \(request.path)"] ?? []
      if turns.count > 1 { state.script["\(request.method) \(request.path)"]?.removeFirst() }
      return turns.first ?? .answer(HTTPAnswer(404))
    }
    let count = Int64(request.body?.count ?? 0)
    for sent in [count / 2, count] where count > 0 { onSent?(sent) }
    switch turn {
    case .failure(let failure): throw failure
    case .inflow(let head, let inflow): return stream(head, inflow)
    case .answer(let answer):
      let inflow = Inflow(bytesMax: .max)
      if !answer.body.isEmpty { _ = inflow.put(answer.body) }
      inflow.end(nil)
      return stream(HTTPAnswer(answer.status, headers: answer.headers), inflow)
    }
  }

  private func stream(_ head: HTTPAnswer, _ inflow: Inflow) -> HTTPStream {
    HTTPStream(head, inflow) { [weak self] in self?.state.withLock { $0.stops += 1 } }
  }
}

extension PlayedClient.Turn {
  /// An answer with a body.
  static func json(_ text: String, _ status: Int = 200) -> Self {
    .answer(HTTPAnswer(status, body: Array(text.utf8)))
  }

  /// An answer without a body.
  static func status(_ status: Int, _ headers: [String: String] = [:]) -> Self {
    .answer(HTTPAnswer(status, headers: headers))
  }
}

extension HTTPRequest {
  /// The request as one line.
  var line: String {
    "\(method) \(path)" + (body.map { " " + String(decoding: $0, as: UTF8.self) } ?? "")
  }
}

extension Server {
  /// The server's answer, or its failure.
  func outcome(of question: Question, token: Token? = nil) async -> Result<Answer, ServerFailure> {
    do throws(ServerFailure) { return .success(try await answer(question, token: token)) } catch {
      return .failure(error)
    }
  }

  /// Performs one part, and returns its settlement or the failure.
  func outcome(
    of wanted: ServerRequest.Wanted, _ objectClass: ObjectClass, _ id: String,
    version: Int64? = nil, text: String? = nil
  ) async -> Result<Settlement, ServerFailure> {
    var part = ServerRequest.Part(objectClass, id, wanted, version: version)
    part.text = text
    var request = ServerRequest([part])
    request.key = OperationKey(low: 1, high: 2)
    do throws(ServerFailure) {
      return .success(try await perform(request, token: Token("t")))
    } catch { return .failure(error) }
  }
}

extension Result where Failure == ServerFailure {
  /// Why the request failed.
  var reason: ServerFailure.Reason? {
    if case .failure(let failure) = self { failure.reason } else { nil }
  }
}
