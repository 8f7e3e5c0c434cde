import EventStore
import Tideline
public import TidelineSync

/// What the server tells as it happens.
extension InboxServer {
  /// What changes from a cursor on, as it happens; nothing is asked before somebody takes what
  /// comes, and nothing after they let go of it.
  ///
  /// Changes that come together are one answer. A stream that is silent for longer than two of its
  /// signs of life ends with `ServerFailure.Reason.lostAnswer`.
  public func follow(
    _ stream: String, since cursor: String, token: Token?
  ) -> AsyncStream<Result<Answer, ServerFailure>> {
    let follower = Follower(
      courier, api.stream(since: cursor), token, silence: options.heartbeat * 2)
    return AsyncStream { await follower.next() }
  }
}

/// Follows a stream, each line of which is a change, or blank to show that the server is there.
///
/// Nothing is read ahead of whoever follows: what comes meanwhile waits as bytes, up to a limit.
private actor Follower {
  private enum State {
    case notBegun
    case open(HTTPStream)
    case over
  }

  private let courier: Courier
  private let request: HTTPRequest
  private let token: Token?
  private let silence: Duration
  private var state = State.notBegun
  private var splitter = LineSplitter()

  init(_ courier: Courier, _ request: HTTPRequest, _ token: Token?, silence: Duration) {
    (self.courier, self.request) = (courier, request)
    (self.token, self.silence) = (token, silence)
  }

  /// What has come since the last time, or comes next; `nil` where nothing does any more.
  func next() async -> Result<Answer, ServerFailure>? {
    do throws(ServerFailure) {
      while let stream = try await stream(), let pieces = try await pieces(of: stream) {
        if let answer = try answer(in: pieces) { return .success(answer) }
      }
      state = .over
      return nil
    } catch {
      state = .over
      return Task.isCancelled ? nil : .failure(error)
    }
  }

  private func stream() async throws(ServerFailure) -> HTTPStream? {
    switch state {
    case .over: return nil
    case .open(let stream): return stream
    case .notBegun:
      let stream = try await courier.open(request, token, for: .changes, silence: silence)
      // A page for people, such as that to log in to a network, has lines as well.
      guard stream.head.headers["content-type"]?.contains("html") != true else {
        throw ServerFailure(.lostAnswer, status: Int64(stream.head.status))
      }
      state = .open(stream)
      return stream
    }
  }

  private func pieces(of stream: HTTPStream) async throws(ServerFailure) -> [[UInt8]]? {
    do throws(HTTPFailure) { return try await stream.next() } catch {
      throw ServerFailure(error, to: .changes)
    }
  }

  /// The changes in the lines that end in pieces, if there are any.
  private func answer(in pieces: [[UInt8]]) throws(ServerFailure) -> Answer? {
    var (told, cursor): (WireItems, String?) = (.none, nil)
    for piece in pieces {
      let lines: [[UInt8]]
      do throws(JSONFault) { lines = try splitter.take(piece) } catch {
        throw ServerFailure(.tooLarge, message: error.description)
      }
      for line in lines where !line.isBlank { told.take(line: line, &cursor) }
    }
    guard told.count > 0 else { return nil }
    return Answer {
      $0.take(told, 200)
      $0.cursor = cursor
    }
  }
}

extension WireItems {
  /// Takes a change; what is none is refused, and what comes behind it is taken.
  fileprivate mutating func take(line: [UInt8], _ cursor: inout String?) {
    do throws(JSONFault) {
      let change = try DeltaLine(line.payloadBytes)
      append(change.items)
      cursor = change.cursor ?? cursor
    } catch {
      refuse {
        ItemRefused {
          ($0.reason, $0.offset) = ("\(error.reason)", Int64(error.offset))
          $0.content = EventBytes(Array(line.prefix(WireLimits.refusedBytes)))
        }
      }
    }
  }
}

extension [UInt8] {
  /// Whether a line says nothing: it shows that the server is there.
  fileprivate var isBlank: Bool { allSatisfy(JSONByte.isSpace) }
}
