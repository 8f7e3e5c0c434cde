package import EventStore
import Foundation
import TidelineSync

/// Sends requests to one server with their authorization, and turns failures into `ServerFailure`.
package struct Courier: Sendable {
  /// The client that sends the requests.
  package var client: any HTTPClient
  /// The client that sends those whose answers may last long, so that others need not wait for a
  /// connection.
  var streams: any HTTPClient
  /// How tokens are put into request heads.
  package var authorization: Authorization
  /// The maximum silence on a question.
  ///
  /// An operation that may safely be repeated gets twice as long, and one that must happen only
  /// once, such as sending a message, four times as long.
  package var timeout = Duration.seconds(30)
  /// A closure that returns the current time.
  package var now: @Sendable () -> Timestamp = {
    Timestamp(rawValue: Int64(Date().timeIntervalSince1970 * 1000))
  }

  /// Creates a courier that uses a client.
  ///
  /// - Parameter streams: The client that sends requests whose answers may last long; by default,
  ///   the same.
  package init(
    _ client: any HTTPClient, _ authorization: Authorization, streams: (any HTTPClient)? = nil
  ) {
    self.client = client
    self.streams = streams ?? client
    self.authorization = authorization
  }

  /// Returns the server's answer.
  ///
  /// - Parameters:
  ///   - request: The request to send.
  ///   - token: The token of the sender.
  ///   - safety: Whether the request may be sent twice.
  ///   - onSent: Receives the number of bytes of the body sent so far.
  ///   - isAnswer: Whether to accept an answer whatever its status means.
  func answer(
    to request: HTTPRequest, _ token: Token?, for safety: RequestSafety,
    onSent: (@Sendable (Int64) -> Void)? = nil,
    unless isAnswer: (HTTPAnswer) -> Bool = { _ in false }
  ) async throws(ServerFailure) -> HTTPAnswer {
    let answer: HTTPAnswer
    do throws(HTTPFailure) {
      answer = try await client.answer(
        to: authorized(request, token), within: timeout(of: safety), onSent: onSent)
    } catch {
      throw ServerFailure(error, to: safety)
    }
    if !isAnswer(answer), let failure = ServerFailure(answer, to: safety, at: now()) {
      throw failure
    }
    return answer
  }

  /// Returns the server's answer, read by a closure.
  func answer<Value>(
    to request: HTTPRequest, _ token: Token?, for safety: RequestSafety,
    reading read: (RawSpan) throws(JSONFault) -> Value
  ) async throws(ServerFailure) -> (Value, status: Int64) {
    let answer = try await answer(to: request, token, for: safety)
    return (try answer.read(read), Int64(answer.status))
  }

  /// Returns the server's answer as a stream.
  func open(
    _ request: HTTPRequest, _ token: Token?, for safety: RequestSafety, silence: Duration
  ) async throws(ServerFailure) -> HTTPStream {
    let answer: HTTPAnswer
    do throws(HTTPFailure) {
      let stream = try await streams.open(authorized(request, token), within: silence)
      guard ServerFailure(stream.head, to: safety, at: now()) != nil else { return stream }
      answer = try await stream.whole(atMost: streams.answerBytesMax)
    } catch {
      throw ServerFailure(error, to: safety)
    }
    throw ServerFailure(answer, to: safety, at: now()) ?? ServerFailure(.lostAnswer)
  }

  private func timeout(of safety: RequestSafety) -> Duration {
    switch safety {
    case .question, .changes: timeout
    case .repeatable: timeout * 2
    case .once: timeout * 4
    }
  }

  private func authorized(_ request: HTTPRequest, _ token: Token?) -> HTTPRequest {
    guard let token else { return request }
    var request = request
    request.headers.append(authorization.header(token))
    return request
  }
}

extension HTTPAnswer {
  /// Returns what a closure reads from the body.
  func read<Value>(
    _ read: (RawSpan) throws(JSONFault) -> Value
  ) throws(ServerFailure) -> Value {
    do throws(JSONFault) { return try read(body.payloadBytes) } catch {
      throw ServerFailure(error, in: self)
    }
  }
}
