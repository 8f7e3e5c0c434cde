package import EventStore
import Foundation
import TidelineSync

/// Brings requests to one server with what shows who asks, and says what became of them.
package struct Courier: Sendable {
  /// What brings them.
  package var client: any HTTPClient
  /// How the token goes into their heads.
  package var authorization: Authorization
  /// How long nothing may happen where something is asked.
  package var timeout = Duration.seconds(30)
  /// How long nothing may happen where something is to be done that does no harm where it is done
  /// twice.
  var repeatTimeout = Duration.seconds(60)
  /// How long nothing may happen where something is to be done once, such as to send a message.
  package var patience = Duration.seconds(120)
  /// What time it is.
  package var now: @Sendable () -> Timestamp = {
    Timestamp(rawValue: Int64(Date().timeIntervalSince1970 * 1000))
  }

  /// One that brings them by a client.
  package init(_ client: any HTTPClient, _ authorization: Authorization) {
    self.client = client
    self.authorization = authorization
  }

  /// What a server answers.
  ///
  /// - Parameters:
  ///   - request: What it is asked.
  ///   - token: Who asks.
  ///   - errand: What it is asked for.
  ///   - onSent: Is told how many bytes of the body were sent.
  ///   - isAnswer: Whether it is an answer all the same, whatever its status means.
  func answer(
    to request: HTTPRequest, _ token: Token?, for errand: Errand,
    onSent: (@Sendable (Int64) -> Void)? = nil,
    unless isAnswer: (HTTPAnswer) -> Bool = { _ in false }
  ) async throws(ServerFailure) -> HTTPAnswer {
    let answer: HTTPAnswer
    do throws(HTTPFailure) {
      answer = try await client.answer(
        to: authorized(request, token), within: timeout(of: errand), onSent: onSent)
    } catch {
      throw ServerFailure(error, to: errand)
    }
    if !isAnswer(answer), let failure = ServerFailure(answer, to: errand, at: now()) {
      throw failure
    }
    return answer
  }

  /// What a server answers, as it is read.
  func answer<Value>(
    to request: HTTPRequest, _ token: Token?, for errand: Errand,
    reading read: (RawSpan) throws(JSONFault) -> Value
  ) async throws(ServerFailure) -> (Value, status: Int64) {
    let answer = try await answer(to: request, token, for: errand)
    return (try answer.read(read), Int64(answer.status))
  }

  /// What a server answers bit by bit.
  func open(
    _ request: HTTPRequest, _ token: Token?, for errand: Errand, silence: Duration
  ) async throws(ServerFailure) -> HTTPStream {
    let answer: HTTPAnswer
    do throws(HTTPFailure) {
      let stream = try await client.open(authorized(request, token), within: silence)
      guard ServerFailure(stream.head, to: errand, at: now()) != nil else { return stream }
      answer = try await stream.whole(atMost: client.answerBytesMax)
    } catch {
      throw ServerFailure(error, to: errand)
    }
    throw ServerFailure(answer, to: errand, at: now()) ?? ServerFailure(.lostAnswer)
  }

  private func timeout(of errand: Errand) -> Duration {
    switch errand {
    case .question, .changes: timeout
    case .repeatable: repeatTimeout
    case .once: patience
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
  /// What the body is read as.
  func read<Value>(
    _ read: (RawSpan) throws(JSONFault) -> Value
  ) throws(ServerFailure) -> Value {
    do throws(JSONFault) { return try read(body.payloadBytes) } catch {
      throw ServerFailure(error, in: self)
    }
  }
}
