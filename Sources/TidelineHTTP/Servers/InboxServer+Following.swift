import EventStore
import Tideline
public import TidelineSync

/// Changes that the server reports as they happen.
extension InboxServer {
  /// Returns a live sequence of the changes since a cursor.
  ///
  /// It sends no request before the first element is asked for, and none after the sequence is
  /// released.
  ///
  /// Changes that arrive together form one answer. A stream that is silent for more than two
  /// heartbeats ends with `ServerFailure.Reason.lostAnswer`.
  public func follow(
    _ stream: String, since cursor: String, token: Token?
  ) -> AsyncStream<Result<Answer, ServerFailure>> {
    let follower = Follower(
      BodyReader(
        courier, api.stream(since: cursor), token, for: .changes, silence: options.heartbeat * 2))
    return AsyncStream { await follower.next() }
  }
}

/// Follows a stream of lines, each a change, or blank as a sign of life.
///
/// It does not read ahead of its consumer: unread changes wait as bytes, up to a limit.
private actor Follower {
  private let body: BodyReader
  private var splitter = LineSplitter()
  private var isOver = false

  init(_ body: BodyReader) { self.body = body }

  /// Returns what has arrived since the last call, or waits for more; `nil` at the end.
  func next() async -> Result<Answer, ServerFailure>? {
    do throws(ServerFailure) {
      while !isOver, let pieces = try await body.next() {
        if let answer = try answer(in: pieces) { return .success(answer) }
      }
      return nil
    } catch {
      isOver = true
      return Task.isCancelled ? nil : .failure(error)
    }
  }

  /// Returns the changes in the lines that the pieces complete, if any.
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
  /// Takes a change.
  ///
  /// A line that is no change is refused, and the lines after it are still taken.
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
  /// Whether a line is only a sign of life.
  fileprivate var isBlank: Bool { allSatisfy(JSONByte.isSpace) }
}
