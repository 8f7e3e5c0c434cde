import TidelineSync

/// Reads the body of an answer as it arrives; it is asked for when its first piece is.
///
/// Once it has ended or failed, nothing more comes.
actor BodyReader {
  private enum State {
    case notBegun
    case open(HTTPStream)
    case over
  }

  private let courier: Courier
  private let request: HTTPRequest
  private let token: Token?
  private let safety: RequestSafety
  private let silence: Duration
  private let mayBePage: Bool
  private var state = State.notBegun

  /// - Parameters:
  ///   - silence: The longest time without a piece.
  ///   - mayBePage: Whether the answer may be an HTML page; otherwise that is a failure: it is not
  ///     the server's, but such as a network's login page.
  init(
    _ courier: Courier, _ request: HTTPRequest, _ token: Token?, for safety: RequestSafety,
    silence: Duration, mayBePage: Bool = false
  ) {
    (self.courier, self.request, self.token) = (courier, request, token)
    (self.safety, self.silence, self.mayBePage) = (safety, silence, mayBePage)
  }

  /// Returns what has arrived since the last call, or waits for more; `nil` at the end.
  func next() async throws(ServerFailure) -> [[UInt8]]? {
    do throws(ServerFailure) {
      if let stream = try await stream(), let pieces = try await pieces(of: stream) {
        return pieces
      }
    } catch {
      state = .over
      throw error
    }
    state = .over
    return nil
  }

  private func stream() async throws(ServerFailure) -> HTTPStream? {
    switch state {
    case .over: return nil
    case .open(let stream): return stream
    case .notBegun:
      let stream = try await courier.open(request, token, for: safety, silence: silence)
      guard mayBePage || stream.head.headers["content-type"]?.lowercased().contains("html") != true
      else {
        throw ServerFailure(.lostAnswer, status: Int64(stream.head.status))
      }
      state = .open(stream)
      return stream
    }
  }

  private func pieces(of stream: HTTPStream) async throws(ServerFailure) -> [[UInt8]]? {
    do throws(HTTPFailure) { return try await stream.next() } catch {
      throw ServerFailure(error, to: safety)
    }
  }
}
